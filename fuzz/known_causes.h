// Learns by which traits (traits.h) an input shows a cause that is already known. The engine leaves
// such mutants out before they are sent, so known causes cost no time. A cause with no trait that
// tells its inputs from clean ones has no filter. Owned by the engine; a job learns for itself.
// Pure: the same inputs give the same filters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/random.h"
#include "fuzz/traits.h"

namespace midwire::fuzz {

// One in this many mutants with a known trait is sent all the same: another fault may be behind it,
// and nothing else shows that a filter is wrong. A start costs as much as some ten to a hundred
// inputs. At this rate, known faults take at most about half of the time, even if each mutant has
// one.
inline constexpr size_t kKnownOneIn = 64;

class KnownCauses {
 public:
  // opening: what each fresh peer gets first. It precedes a reduced input, but is in no other.
  KnownCauses(UsualMembers usual, const Input& opening);

  // A run that showed nothing: `input` is what the peer has surely read. An input with a known
  // trait shows that its filter is wrong.
  void OnClean(const Input& input);
  // A run that showed this cause (CauseOf), and cost the peer. Several of them are enough to learn
  // from: of a finding of an earlier run or of another job, no reduced input is known.
  void OnShown(std::string_view cause, const Input& input);
  // The reduced input of a finding of this cause; `part`: the last that was sent. shown: what
  // showed it too while it was reduced. Its traits that are not in all of these do not matter.
  void OnReduced(std::string_view cause, const Input& input, size_t part,
                 std::vector<Input> shown = {});

  // Index of the first part with a known trait; nullopt: there is none.
  std::optional<size_t> Find(const Input& input);
  // Whether to leave the mutant out: it has a known trait, and is none of those that are sent.
  bool Skips(const Input& input, uint64_t seed) {
    return Find(input).has_value() && !Random(seed).OneIn(kKnownOneIn);
  }
  // Removes the parts that have known traits, unless nothing would be left.
  void LeaveOut(Input* input);

  bool empty() const { return filters_.empty(); }
  // The traits by which inputs of this cause are left out: "open: /params/path is a number"; more
  // of one filter are joined by " + ", and filters by " | ". "": it has none.
  std::string TextOf(std::string_view cause) const;

 private:
  using Trait = uint64_t;             // hash of a method and a trait
  using Traits = std::vector<Trait>;  // of a part, sorted

  // A message has all of these traits: some by itself, some by what was sent before it.
  struct Filter {
    std::string cause;
    Traits own, session;
    std::string text;
  };
  struct PartTraits {
    Traits own;
    std::string method, id;
  };
  struct Candidate {
    Trait trait;
    TraitRank rank;
    std::string text;
  };
  struct Cause {
    std::optional<Input> reduced;
    size_t part = 0;
    std::vector<Input> shown;
    // Inputs that showed it: that no filter knew, and that one knew and that were sent all the
    // same.
    size_t unexplained = 0, explained = 0;
  };
  class Search;

  void ForgetParts();  // if there are too many. Not while one is in use.
  const PartTraits& TraitsOf(const Part& part);
  // Calls sink(method, what) for what the parts before the one at `index` make of it.
  template <class Sink>
  void VisitSession(const Input& input, size_t index, const Sink& sink);
  Traits SessionTraits(const Input& input, size_t part);
  std::vector<Traits> AllTraits(const Input& input);
  std::vector<Candidate> CandidatesOf(const Input& input, size_t part);
  // Of the messages that no clean input has.
  std::vector<Candidate> UnusualCandidates(const Input& input);
  Cause* CauseNamed(std::string_view cause);
  void Learn(const std::string& name, const Cause& cause);
  static bool Matches(const Filter& filter, const Traits& traits);
  // The first part that a filter matches, of this cause unless it is empty.
  std::optional<size_t> Match(const Input& input, std::string_view cause);

  const UsualMembers usual_;
  std::set<std::string, std::less<>> opening_;  // its methods
  std::map<std::string, Cause, std::less<>> causes_;
  std::vector<Filter> filters_;
  std::vector<Traits> clean_;  // distinct messages
  std::unordered_set<uint64_t> clean_hashes_;
  uint64_t cleans_ = 0;
  Random random_{1};
  std::unordered_map<uint64_t, PartTraits> parts_;  // by a hash of the part's bytes
};

}  // namespace midwire::fuzz
