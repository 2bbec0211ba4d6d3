#include "fuzz/known_causes.h"

#include <algorithm>
#include <bit>

#include "fuzz/hash.h"

namespace midwire::fuzz {
namespace {

// Causes that are learned: the peer of more is broken beyond what a filter helps.
constexpr size_t kMaxCauses = 64;
// Inputs that showed a cause, and without a reduced one the least number to learn from.
constexpr size_t kMaxShown = 16, kLeastShown = 4;
// Larger inputs are not kept for it.
constexpr size_t kMaxShownBytes = 16 * 1024;
// Distinct clean messages that filters are checked against. Those of a recording and of its usual
// mutants are hundreds; beyond the limit, a random one is replaced.
constexpr size_t kMaxClean = 4096;
// All clean inputs are looked at until there are this many, then one in some.
constexpr uint64_t kFirstCleans = 64, kCleanOneIn = 8;
// Below this many, any trait may seem to tell inputs apart.
constexpr uint64_t kLeastCleans = 16;
// Parts whose traits are kept: most parts of a mutant are those of its parent.
constexpr size_t kMaxCachedParts = 4096;
// Methods before a message that are traits of it.
constexpr size_t kMaxBefore = 16;
// Filters of a cause: a fault in a common function has several ways to it.
constexpr size_t kMaxFilters = 4;
// A clean message with the traits is no proof against them, as it may have been refused for another
// reason. A set may be in one for this many inputs that showed the cause.
constexpr size_t kShownPerClean = 4;
// What a trait adds to the cost of a set: two general ones are a better guess than a value.
constexpr size_t CostOf(TraitRank rank) {
  return rank == TraitRank::kExact ? 4 : rank == TraitRank::kSession ? 3 : 1;
}
// Candidates of which pairs and threes are tried: more of them take longer than a start.
constexpr size_t kMaxPairs = 128, kMaxThrees = 40;

uint64_t TraitOf(std::string_view method, std::string_view what) {
  return Hash(what, Hash(method) * kHashPrime);
}

std::string TextOfTrait(std::string_view method, std::string_view what) {
  return method.empty() ? std::string(what) : std::string(method) + ": " + std::string(what);
}

bool Has(const std::vector<uint64_t>& traits, uint64_t trait) {
  return std::binary_search(traits.begin(), traits.end(), trait);
}

bool HasAll(const std::vector<uint64_t>& traits, const std::vector<uint64_t>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](uint64_t trait) { return Has(traits, trait); });
}

uint64_t HashOf(const std::vector<uint64_t>& traits) {
  uint64_t hash = kHashStart;
  for (const uint64_t trait : traits) hash = (hash ^ trait) * kHashPrime;
  return hash;
}

void SortByRank(auto* candidates) {
  std::stable_sort(candidates->begin(), candidates->end(),
                   [](const auto& a, const auto& b) { return a.rank < b.rank; });
}

}  // namespace

// The best set of candidates that no clean message has, or few: the one that most inputs have that
// showed the cause, then the cheapest. Messages are bits, so that thousands of sets take a
// millisecond.
class KnownCauses::Search {
 public:
  Search(const std::vector<Candidate>& candidates, const std::vector<Traits>& clean,
         const std::vector<const std::vector<Traits>*>& shown, size_t explained)
      : candidates_(candidates), shown_(shown.size()), explained_(explained) {
    for (size_t i = 0; i < candidates.size(); ++i) index_[candidates[i].trait] = i;
    for (size_t i = 0; i < shown.size(); ++i) owners_.insert(owners_.end(), shown[i]->size(), i);
    clean_.assign(candidates.size(), Bits((clean.size() + 63) / 64));
    in_shown_.assign(candidates.size(), Bits((owners_.size() + 63) / 64));
    for (size_t i = 0; i < clean.size(); ++i) Note(clean[i], i, &clean_);
    size_t at = 0;
    for (const auto* input : shown) {
      for (const Traits& message : *input) Note(message, at++, &in_shown_);
    }
  }

  // Its indices; empty: there is none in at least `least` inputs.
  std::vector<size_t> Best(size_t least) {
    for (size_t size = 1; size <= 3; ++size) {
      // A larger set costs at least as much as its size.
      if (!best_.empty() && best_count_ == shown_ && best_cost_ <= size) break;
      Extend({}, 0, size);
    }
    return best_count_ >= least ? best_ : std::vector<size_t>();
  }

 private:
  using Bits = std::vector<uint64_t>;
  // The message has the bit `at` of its candidates.
  void Note(const Traits& message, size_t at, std::vector<Bits>* bits) const {
    for (const Trait trait : message) {
      const auto found = index_.find(trait);
      if (found != index_.end()) (*bits)[found->second][at / 64] |= uint64_t{1} << (at % 64);
    }
  }
  static Bits And(const std::vector<Bits>& of, const std::vector<size_t>& set) {
    Bits bits = of[set[0]];
    for (size_t i = 1; i < set.size(); ++i) {
      for (size_t word = 0; word < bits.size(); ++word) bits[word] &= of[set[i]][word];
    }
    return bits;
  }
  static size_t CountOf(const Bits& bits) {
    size_t count = 0;
    for (const uint64_t word : bits) count += static_cast<size_t>(std::popcount(word));
    return count;
  }

  size_t Count(const std::vector<size_t>& set) const {
    const Bits bits = And(in_shown_, set);
    size_t count = 0, last = SIZE_MAX;
    for (size_t at = 0; at < owners_.size(); ++at) {
      if ((bits[at / 64] >> (at % 64) & 1) == 0 || owners_[at] == last) continue;
      last = owners_[at];
      ++count;
    }
    return count;
  }

  size_t CostOfSet(const std::vector<size_t>& set) const {
    size_t cost = 0;
    for (const size_t i : set) cost += CostOf(candidates_[i].rank);
    return cost;
  }

  void Extend(std::vector<size_t> set, size_t from, size_t size) {
    const size_t limits[] = {candidates_.size(), kMaxPairs, kMaxThrees};
    const size_t limit = std::min(candidates_.size(), limits[size - 1]);
    for (size_t i = from; i < limit; ++i) {
      set.push_back(i);
      if (set.size() < size) {
        Extend(set, i + 1, size);
      } else {
        Try(set);
      }
      set.pop_back();
    }
  }

  void Try(const std::vector<size_t>& set) {
    const size_t clean = CountOf(And(clean_, set));
    if (clean * kShownPerClean > shown_ + explained_) return;
    const size_t count = Count(set), cost = CostOfSet(set);
    if (clean * kShownPerClean > count + explained_) return;
    // Of several equal ones, the first: candidates are in the order of their ranks.
    const bool cheaper = cost < best_cost_ || (cost == best_cost_ && clean < best_clean_);
    if (best_.empty() || count > best_count_ || (count == best_count_ && cheaper)) {
      best_ = set, best_count_ = count, best_cost_ = cost, best_clean_ = clean;
    }
  }

  const std::vector<Candidate>& candidates_;
  const size_t shown_, explained_;
  std::unordered_map<Trait, size_t> index_;  // of candidates_
  std::vector<size_t> owners_;               // of each message that was shown, its input
  std::vector<Bits> clean_, in_shown_;
  std::vector<size_t> best_;
  size_t best_count_ = 0, best_cost_ = 0, best_clean_ = 0;
};

KnownCauses::KnownCauses(UsualMembers usual, const Input& opening) : usual_(std::move(usual)) {
  for (const Part& part : opening.parts) opening_.emplace(MethodOf(part));
}

void KnownCauses::ForgetParts() {
  if (parts_.size() >= kMaxCachedParts) parts_.clear();
}

const KnownCauses::PartTraits& KnownCauses::TraitsOf(const Part& part) {
  const auto [found, is_new] = parts_.try_emplace(Hash(part.bytes));
  PartTraits& traits = found->second;
  if (!is_new) return traits;
  traits.method = MethodOf(part);
  traits.id = IdOf(part);
  VisitTraits(part, usual_, [&](TraitRank, std::string_view method, std::string_view what) {
    traits.own.push_back(TraitOf(method, what));
  });
  std::sort(traits.own.begin(), traits.own.end());
  traits.own.erase(std::unique(traits.own.begin(), traits.own.end()), traits.own.end());
  return traits;
}

template <class Sink>
void KnownCauses::VisitSession(const Input& input, size_t index, const Sink& sink) {
  const PartTraits& part = TraitsOf(input.parts[index]);
  const std::string method = part.method, id = part.id;
  std::vector<std::string> before;
  bool same_id = false;
  for (size_t i = 0; i < index; ++i) {
    const PartTraits& other = TraitsOf(input.parts[i]);
    if (opening_.contains(other.method)) continue;
    same_id = same_id || (!id.empty() && other.id == id);
    const bool is_new = std::find(before.begin(), before.end(), other.method) == before.end();
    if (is_new && before.size() < kMaxBefore) before.push_back(other.method);
  }
  if (same_id) sink("", "its id was used before");
  for (const std::string& other : before) sink(method, "after " + other);
}

KnownCauses::Traits KnownCauses::SessionTraits(const Input& input, size_t part) {
  Traits traits;
  VisitSession(input, part, [&](std::string_view method, std::string_view what) {
    traits.push_back(TraitOf(method, what));
  });
  std::sort(traits.begin(), traits.end());
  return traits;
}

std::vector<KnownCauses::Traits> KnownCauses::AllTraits(const Input& input) {
  ForgetParts();
  std::vector<Traits> all;
  all.reserve(input.parts.size());
  for (size_t i = 0; i < input.parts.size(); ++i) {
    Traits traits = SessionTraits(input, i);
    const Traits& own = TraitsOf(input.parts[i]).own;
    traits.insert(traits.end(), own.begin(), own.end());
    std::sort(traits.begin(), traits.end());
    all.push_back(std::move(traits));
  }
  return all;
}

std::vector<KnownCauses::Candidate> KnownCauses::CandidatesOf(const Input& input, size_t part) {
  std::vector<Candidate> all;
  std::unordered_set<Trait> known;
  const auto add = [&](TraitRank rank, std::string_view method, std::string_view what) {
    const Trait trait = TraitOf(method, what);
    if (known.insert(trait).second) all.push_back({trait, rank, TextOfTrait(method, what)});
  };
  VisitTraits(input.parts[part], usual_, add);
  VisitSession(input, part, [&](std::string_view method, std::string_view what) {
    add(TraitRank::kSession, method, what);
  });
  SortByRank(&all);
  return all;
}

std::vector<KnownCauses::Candidate> KnownCauses::UnusualCandidates(const Input& input) {
  std::vector<Candidate> all;
  std::unordered_set<Trait> known;
  const std::vector<Traits> traits = AllTraits(input);
  for (size_t part = 0; part < traits.size(); ++part) {
    if (clean_hashes_.contains(HashOf(traits[part]))) continue;
    for (Candidate& each : CandidatesOf(input, part)) {
      if (known.insert(each.trait).second) all.push_back(std::move(each));
    }
  }
  SortByRank(&all);
  return all;
}

bool KnownCauses::Matches(const Filter& filter, const Traits& traits) {
  return HasAll(traits, filter.own) && HasAll(traits, filter.session);
}

void KnownCauses::OnClean(const Input& input) {
  ++cleans_;
  const bool looks = cleans_ <= kFirstCleans || cleans_ % kCleanOneIn == 0;
  if (!looks && !Find(input)) return;
  std::set<std::string> wrong;
  for (Traits& traits : AllTraits(input)) {
    bool contradicts = false;
    for (const Filter& filter : filters_) {
      if (!Matches(filter, traits)) continue;
      contradicts = true;
      wrong.insert(filter.cause);
    }
    const bool is_new = clean_hashes_.insert(HashOf(traits)).second;
    if (!is_new && !contradicts) continue;
    if (clean_.size() < kMaxClean) {
      clean_.push_back(std::move(traits));
    } else {
      clean_[random_.Below(kMaxClean)] = std::move(traits);
    }
  }
  if (clean_hashes_.size() > 4 * kMaxClean) clean_hashes_.clear();
  for (const std::string& name : wrong) Learn(name, causes_.find(name)->second);
}

KnownCauses::Cause* KnownCauses::CauseNamed(std::string_view cause) {
  const auto found = causes_.find(cause);
  if (found != causes_.end()) return &found->second;
  if (causes_.size() >= kMaxCauses) return nullptr;
  return &causes_[std::string(cause)];
}

void KnownCauses::OnShown(std::string_view name, const Input& input) {
  Cause* cause = CauseNamed(name);
  if (cause == nullptr || input.size() > kMaxShownBytes) return;
  if (Match(input, name)) {
    ++cause->explained;
    return;
  }
  if (cause->shown.size() < kMaxShown) {
    cause->shown.push_back(input);
  } else {
    cause->shown[random_.Below(kMaxShown)] = input;
  }
  // Learning takes as long as a few starts, so less and less often where it has not helped.
  const size_t n = ++cause->unexplained;
  if (n <= kMaxShown || (n & (n - 1)) == 0) Learn(std::string(name), *cause);
}

void KnownCauses::OnReduced(std::string_view name, const Input& input, size_t part,
                            std::vector<Input> shown) {
  Cause* cause = CauseNamed(name);
  if (cause == nullptr || input.parts.empty()) return;
  cause->reduced = input;
  cause->part = std::min(part, input.parts.size() - 1);
  for (Input& each : shown) {
    if (cause->shown.size() < kMaxShown && each.size() <= kMaxShownBytes) {
      cause->shown.push_back(std::move(each));
    }
  }
  Learn(std::string(name), *cause);
}

void KnownCauses::Learn(const std::string& name, const Cause& cause) {
  std::erase_if(filters_, [&](const Filter& filter) { return filter.cause == name; });
  if (cleans_ < kLeastCleans) return;
  std::vector<std::vector<Traits>> shown;
  for (const Input& input : cause.shown) shown.push_back(AllTraits(input));
  std::vector<const std::vector<Traits>*> left;
  for (const auto& each : shown) left.push_back(&each);
  const auto add = [&](const std::vector<Candidate>& candidates, size_t least) {
    const std::vector<size_t> best = Search(candidates, clean_, left, cause.explained).Best(least);
    if (best.empty()) return false;
    Filter filter = {.cause = name};
    for (const size_t i : best) {
      const Candidate& candidate = candidates[i];
      const bool session = candidate.rank == TraitRank::kSession;
      (session ? filter.session : filter.own).push_back(candidate.trait);
      filter.text += (filter.text.empty() ? "" : " + ") + candidate.text;
    }
    std::erase_if(left, [&](const std::vector<Traits>* input) {
      return std::any_of(input->begin(), input->end(),
                         [&](const Traits& traits) { return Matches(filter, traits); });
    });
    filters_.push_back(std::move(filter));
    return true;
  };
  if (cause.reduced) add(CandidatesOf(*cause.reduced, cause.part), 0);
  // What that does not explain: traits of messages that no clean input has, in several inputs.
  for (size_t i = cause.reduced ? 1 : 0; i < kMaxFilters && left.size() >= kLeastShown; ++i) {
    const size_t first = static_cast<size_t>(left.front() - shown.data());
    if (!add(UnusualCandidates(cause.shown[first]), kLeastShown)) left.erase(left.begin());
  }
}

std::optional<size_t> KnownCauses::Match(const Input& input, std::string_view cause) {
  ForgetParts();
  for (size_t i = 0; i < input.parts.size() && !filters_.empty(); ++i) {
    const Traits& own = TraitsOf(input.parts[i]).own;
    for (const Filter& filter : filters_) {
      if ((!cause.empty() && filter.cause != cause) || !HasAll(own, filter.own)) continue;
      if (filter.session.empty() || HasAll(SessionTraits(input, i), filter.session)) return i;
    }
  }
  return std::nullopt;
}

std::optional<size_t> KnownCauses::Find(const Input& input) { return Match(input, ""); }

void KnownCauses::LeaveOut(Input* input) {
  while (input->parts.size() > 1) {
    const auto part = Find(*input);
    if (!part) return;
    input->parts.erase(input->parts.begin() + static_cast<ptrdiff_t>(*part));
  }
}

std::string KnownCauses::TextOf(std::string_view cause) const {
  std::string text;
  for (const Filter& filter : filters_) {
    if (filter.cause == cause) text += (text.empty() ? "" : " | ") + filter.text;
  }
  return text;
}

}  // namespace midwire::fuzz
