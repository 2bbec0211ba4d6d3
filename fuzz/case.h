// A case: all that is sent to a peer from its start to its end, which reproduces a finding. It is
// stored as a cassette whose header holds the finding's record (doc/fuzz.md). show, diff and check
// read it like any other cassette; replay plays it and reports whether the finding is still there.
// Called by fuzz/live and tools. Pure: it starts no peer and writes no file.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/finding.h"
#include "fuzz/input.h"
#include "fuzz/seeds.h"
#include "trace/reader.h"
#include "wire/exchange.h"
#include "wire/outcome/exit_status.h"

namespace midwire::fuzz {

// How the bytes of an input are sent. kLockstep: each request waits for its answer. kPipelined: all
// at once, except what depends on an answer. kSplit: in pieces, with time for the peer to read in
// between.
enum class Pace : uint8_t { kLockstep, kPipelined, kSplit };
std::string_view Name(Pace pace);
bool ParsePace(std::string_view text, Pace* pace);
// A hash of the bytes selects the pace, so that a corpus file is sent in the same way each time.
Pace PaceOf(std::string_view bytes);

struct Case {
  Input input;
  Pace pace = Pace::kLockstep;
  bool eof = false;  // at the end, stdin is closed after some requests, and the peer must end
  // After bytes that do not frame, a probe checks whether the peer is in sync, as between runs.
  bool probes_sync = false;
};

// What both parties sent and how the process ended: the content of the cassette.
struct Transcript {
  struct Chunk {
    wire::Direction direction;
    std::string bytes;
  };
  std::vector<Chunk> chunks;
  std::string err;
  ExitStatus exit;
};

// How much one party sent in it, as `midwire findings` counts it in the cassette.
struct SentSize {
  size_t messages = 0, bytes = 0;
};
SentSize SizeOf(const Transcript& transcript, wire::Direction from, wire::Framing framing);

// The member "finding" of a cassette's header.
struct FindingRecord {
  Oracle oracle = Oracle::kSignal;
  std::string key, text;
  std::optional<FaultKind> kind{};  // as in Finding
  std::string ancestry;             // the mutations that made the input from its seed; may be empty
  std::string dialect;              // its name; may be empty
  std::vector<std::string> exempt{};  // its clauses that do not apply: "result tools/call"
  Pace pace = Pace::kLockstep;
  bool eof = false, probes_sync = false;
  // Runs on fresh processes: those that reproduced it, and all. No hit: found once, in a long run.
  int hits = 0, tries = 0;
  uint64_t seed = 0;
  // Members of the probe, a request that checks whether the peer responds; "": it was not probed.
  std::string probe;
  bool probe_by_text = false;  // the id of the probe is a string
  int64_t timeout_ms = 0;      // for an answer; of a host, for the whole run
  int64_t start_ms = 0;        // from the start of the plugin to its first answer; 0: not known
  bool of_host = false;        // the host failed, and the input is the plugin's side
  std::string plugin_name;     // the name by which the host finds its plugin on PATH; may be empty
  // What the seeds show of the protocol. The case alone shows less, and has methods of mutants.
  wire::Framing framing = wire::Framing::kAuto;
  bool no_version = false;           // messages need no "jsonrpc"
  std::vector<std::string> methods;  // the protocol's methods that occur in the case
  std::vector<std::string> ends{};   // Seeds::ends
  std::set<int> eof_codes{};         // Seeds::eof_codes
  uint64_t max_growth = 0;           // of memory, in bytes; 0: not known
  bool big_ids = false;              // requests with big ids had to be answered (Oracle::kBigId)
  // Keys of findings that have the same cause (CauseOf) and were not saved, and how many there are:
  // of very many, only the first are kept.
  std::vector<std::string> like{};
  uint64_t like_count = 0;
};
inline FaultKind KindOf(const FindingRecord& record) {
  return record.kind.value_or(KindOf(record.oracle, record.key));
}
// Copies properties of the seeds into a finding's record, and back into the seeds of its replay.
void DescribeSeeds(const Seeds& seeds, FindingRecord* record);
void UseSeeds(const FindingRecord& record, Seeds* seeds);

// The text of a cassette. Without a record it has no "finding". Of the record's methods it has
// those that occur in the transcript.
std::string WriteFinding(const FindingRecord* record, const Transcript& transcript,
                         const std::vector<std::string>& argv);

// The text of a cassette with these keys as FindingRecord::like. nullopt: its first line is no
// header of a finding that WriteFinding has written.
std::optional<std::string> WithLike(std::string_view cassette,
                                    const std::vector<std::string>& keys);

// Whether a program may be put on PATH under this name: a file name without a folder.
bool IsPluginName(std::string_view name);

// The "finding" of a cassette's header; nullopt: the header has none. An error: it is not valid.
Result<std::optional<FindingRecord>> ParseFindingHeader(std::string_view header);

}  // namespace midwire::fuzz
