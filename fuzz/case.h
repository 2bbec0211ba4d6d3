// A case: the whole life of a peer from its start, as far as we decide it, and so what reproduces a
// finding. Kept as a cassette whose header tells which finding it shows, so that show, diff and
// check read it like any other, and replay plays it and says whether the finding is still there
// (doc/fuzz.md). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/finding.h"
#include "fuzz/input.h"
#include "fuzz/seeds.h"
#include "trace/reader.h"
#include "wire/exchange.h"

namespace midwire::fuzz {

// How the bytes of an input go out. kLockstep: after a request its answer is waited for.
// kPipelined: all at once, but for what depends on an answer. kSplit: in pieces, with a chance for
// the peer to read in between.
enum class Pace : uint8_t { kLockstep, kPipelined, kSplit };
std::string_view Name(Pace pace);
bool ParsePace(std::string_view text, Pace* pace);
// An input has a pace of its own, by its bytes, so that a corpus file stays what it was.
Pace PaceOf(std::string_view bytes);

struct Case {
  Input input;
  Pace pace = Pace::kLockstep;
  bool eof = false;  // at the end stdin is closed behind some requests, and the peer is to end
  // Behind what does not frame it is asked whether it has found its way, as it was between runs.
  bool asks = false;
};

// What was said and how it ended, for people.
struct Transcript {
  struct Said {
    wire::Direction direction;
    std::string bytes;
  };
  std::vector<Said> said;
  std::string err;
  int code = -1, signal = 0;
  bool ended = false;
};

// What a cassette tells of its finding.
struct FindingRecord {
  Oracle oracle = Oracle::kSignal;
  std::string key, text;
  std::string ancestry;  // what made the input of its seed; may be empty
  std::string dialect;   // its name; may be empty
  Pace pace = Pace::kLockstep;
  bool eof = false, asks = false;
  int hits = 0, tries = 0;  // on fresh processes; no hit: it was seen once, in a long run
  uint64_t seed = 0;
  // How the peer was asked whether it lives: members of a request; "" when it was not.
  std::string probe;
  bool probe_by_text = false;  // the id of such a request is a string
  int64_t timeout_ms = 0;      // for an answer, or of a whole life of a host
  bool of_host = false;        // it was a host that failed; what is played is the plugin's side
  std::string plugin_name;     // by which that host finds its plugin on PATH; may be empty
  // What the seeds told of the protocol: the life alone tells less, and a mutant's own words.
  wire::Framing framing = wire::Framing::kAuto;
  bool no_version = false;           // messages need no "jsonrpc"
  std::vector<std::string> methods;  // those of the life that the protocol knows
  uint64_t max_growth = 0;           // of memory, in bytes; 0: not known
  bool big_ids = false;              // such were owed an answer (Oracle::kBigId)
};
// Into the record of a finding, and back into the seeds of its replay.
void DescribeSeeds(const Seeds& seeds, FindingRecord* record);
void UseSeeds(const FindingRecord& record, Seeds* seeds);

// A cassette; without a record a plain one. Of the record's methods it has those that were said.
std::string WriteFinding(const FindingRecord* record, const Transcript& transcript,
                         const std::vector<std::string>& argv);

// Whether a program may be put on PATH by this name: one of a file, without a folder.
bool IsPluginName(std::string_view name);

// The "finding" of a cassette's header; nothing when the header has none. An error: it is there and
// cannot be used.
Result<std::optional<FindingRecord>> ParseFindingHeader(std::string_view header);

}  // namespace midwire::fuzz
