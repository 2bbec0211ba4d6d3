// Live values in the place of recorded ones: a handle that the peer made when the seeds were
// recorded is another today. Knows from a recording where each value came from, learns the live one
// from the same place of a live answer, and puts it into what is said later. Pure; used by the
// fuzzer's and the reducer's runs (replay has bindings of its own, which follow a script; a mutant
// has none).
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

// Values that are bound at most, and bytes that one may have. More sessions than that do not need
// their handles: the mutants of the first do.
inline constexpr size_t kMaxBound = 4096, kMaxBoundValue = 256;
// Values and places of a recording that are remembered while it is read.
inline constexpr size_t kMaxRemembered = 65536;

// Runs in which a peer made no value. Of one in order every second run or so has some.
inline constexpr size_t kDryRuns = 32;

class HandleTracker {
 public:
  // `ours`: whose messages are said again; the other direction made the values.
  explicit HandleTracker(wire::Direction ours) : ours_(ours) {}

  // Recording, message by message, in order. `method`: of an answer its request's. `body` is JSON,
  // trimmed; what is not loose JSON is passed over. Only values that look made (trace/looks.h) or
  // stand where the name tells that they name something (id, handle, token, ...), and that our role
  // repeats later and did not say first, are bound. Of those that do not look made (numbers, short
  // strings) only their repetitions under one name are; a message's own number as its id never is.
  void Record(wire::Direction direction, std::string_view method, std::string_view body);
  // Live: what the peer has said.
  void Learn(std::string_view method, std::string_view body);
  // A recorded value that stands in a body which shall be said, as a whole scalar.
  struct Use {
    size_t at = 0, size = 0;
    size_t place = 0, nth = 0;  // where the peer said it
  };
  // All of them, in order, into *uses, which is replaced. True: there are some, and so what is said
  // depends on what the peer says before.
  bool FindUses(std::string_view body, std::vector<Use>* uses) const;
  // Whether this run has made all of them: nothing that the peer says is waited for any more.
  bool AreMade(const std::vector<Use>& uses) const;
  // The body with live values in their place, where they are known: of the n-th value that a place
  // had in the recording the n-th live one of this run. Where the run has made fewer, its latest;
  // where it has made none, those of runs before. Where it has made more, they are counted from the
  // start again: a life that is played is many sessions in one run. True when *out (replaced, not
  // appended) differs from `body`.
  bool Apply(std::string_view body, const std::vector<Use>& uses, std::string* out) const;
  // A run begins: its values are counted anew.
  void OnRun();
  // The peer has made values in runs, and makes none any more, though it was asked for some in so
  // many runs that followed each other: it has as many things open as it may. A fresh one is due.
  // What only the opening of a session makes, such as its name, is refused the second time.
  bool dry() const { return dry_ >= kDryRuns; }
  // The peer starts anew: live values are forgotten.
  void Forget();
  bool any() const { return !bound_.empty(); }

 private:
  // Where the peer said a value first: which value of which place.
  struct Origin {
    size_t place = 0, nth = 0;
  };
  struct Place {
    wire::Pointer pointer;
    size_t needed = 0;              // values that are kept
    std::vector<std::string> live;  // as spelt; "" for one that was too long
    size_t count = 0;               // values of this run
    std::string latest;
  };
  // A place of the recording, with how many values it has had.
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
  bool MayHave(std::string_view body) const;

  wire::Direction ours_;
  std::unordered_map<std::string, Origin> bound_;  // by what our role says, see KeysOf
  std::vector<std::string> values_;                // of them, as they are spelt
  std::vector<Place> places_;
  std::unordered_map<std::string, std::vector<size_t>> places_of_;  // by method
  bool asked_ = false, made_ = false;  // of this run: for values, and some
  size_t run_ = 0, dry_ = 0;           // runs of this life, its opening is the first; those without
  bool makes_ = false;                 // later ones of this life have made some
  // While recording:
  std::unordered_map<std::string, Candidate> candidates_;
  std::unordered_map<std::string, Seen> seen_;
  std::unordered_set<std::string> said_;  // by our role, before the peer did
};

}  // namespace midwire::fuzz
