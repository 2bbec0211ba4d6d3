// Replaces recorded handles by live ones: a handle that the peer made during the recording has
// another value in this run. Finds in the recording where each value came from, reads the live
// value from the same place in a live answer, and puts it into later messages. Filled by
// SeedCollector, used by fuzz/oracle and fuzz/live. Pure. (replay/ has its own bindings, which
// follow a script; a mutant has no script.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "wire/exchange.h"
#include "wire/json/parts.h"
#include "wire/json/pointer.h"

namespace midwire::fuzz {

// Maximum number of bound values, and maximum size of one. Later sessions can do without their
// handles: mutants of the first ones have them.
inline constexpr size_t kMaxBound = 4096, kMaxBoundValue = 256;
// Maximum number of values and of places that are kept while a recording is read.
inline constexpr size_t kMaxRemembered = 65536;

// So many consecutive runs without a new value mean that the peer makes no more. A working peer
// makes some in about every second run.
inline constexpr size_t kDryRuns = 32;

class HandleTracker {
 public:
  // `ours`: the direction whose messages are sent again. The other party made the values.
  explicit HandleTracker(wire::Direction ours) : ours_(ours) {}

  // Adds the next message of the recording. `method`: for an answer, that of its request. `body` is
  // trimmed JSON; a body that is not loose JSON is skipped. A value is bound if the peer sent it
  // first and our role repeats it later. It also has to look generated (trace/looks.h), or its
  // member's name to show that it identifies something (id, handle, token, ...). Values that do not
  // look generated (numbers, short strings) are bound per name. The id of a message, if it is a
  // number, never is.
  void Record(wire::Direction direction, std::string_view method, std::string_view body);
  // Reads values from a live message of the peer.
  void Learn(std::string_view method, std::string_view body);
  // A recorded value in a body that is about to be sent: a whole scalar.
  struct Use {
    size_t at = 0, size = 0;
    size_t place = 0, nth = 0;  // where the peer sent it
  };
  // Replaces *uses by all uses in the body, in order. True: there are some, so the message depends
  // on what the peer sends before it.
  bool FindUses(std::string_view body, std::vector<Use>* uses) const;
  // Whether the peer has made all of these values in this run, so that nothing is awaited.
  bool AreMade(const std::vector<Use>& uses) const;
  // Writes the body with known live values to *out. True: *out was replaced and differs from
  // `body`. The n-th recorded value of a place becomes the n-th live value of this run. If this run
  // has fewer, the latest one is used; if it has none, those of earlier runs. If it has more,
  // counting starts again: a case that is replayed has many sessions in one run.
  bool Apply(std::string_view body, const std::vector<Use>& uses, std::string* out) const;
  // A run begins: its values are counted from the start.
  void OnRun();
  // The peer made values in earlier runs, but none in the last kDryRuns runs that requested some:
  // it has probably reached its limit of open handles and should be restarted. Values that only the
  // opening of a session makes do not count: a second opening is refused.
  bool dry() const { return dry_ >= kDryRuns; }
  // The peer was restarted: drops all live values.
  void Forget();
  bool any() const { return !bound_.empty(); }

 private:
  // Where the peer first sent a value: its place, and which of the values there it is.
  struct Origin {
    size_t place = 0, nth = 0;
  };
  struct Place {
    wire::Pointer pointer;
    size_t needed = 0;              // number of values that are kept
    std::vector<std::string> live;  // as spelt; "" for one that was too long
    size_t count = 0;               // values of this run
    std::string latest;
  };
  // A place in the recording, and how many values it had.
  struct Seen {
    size_t index = SIZE_MAX;  // in places_, once one of its values is bound
    size_t count = 0;
  };
  struct Candidate {
    std::string place;  // key in seen_
    size_t nth = 0;
  };

  void RecordTheirs(std::string_view method, std::string_view body);
  void RecordOurs(std::string_view method, std::string_view body);
  void Bind(const std::string& key, std::string_view value, const Candidate& candidate);
  const std::string* Live(const Use& use) const;
  bool MayHaveUses(std::string_view body) const;

  wire::Direction ours_;
  std::unordered_map<std::string, Origin> bound_;  // by the key of what our role sends, see KeysOf
  std::vector<std::string> values_;                // the bound values, as spelt
  std::vector<Place> places_;
  std::unordered_map<std::string, std::vector<size_t>> places_of_;  // by method
  bool answered_ = false, made_ = false;  // in this run: answers that can have values; values
  size_t run_ = 0;      // runs since the peer was started; the opening is the first
  size_t dry_ = 0;      // consecutive runs with such answers and no value
  bool makes_ = false;  // a run after the opening made values
  // While recording:
  std::unordered_map<std::string, Candidate> candidates_;
  std::unordered_map<std::string, Seen> seen_;
  std::unordered_set<std::string> sent_;  // keys that our role sent before the peer did
};

}  // namespace midwire::fuzz
