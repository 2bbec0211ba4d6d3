// The types of rules that a dialect can write, one maker each (doc/dialects.md has their members),
// and what they share: values at places, a bounded memory of open requests. Called by Checker
// through MakeRule. A maker reports mistakes in its rule to the RuleReader.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/rules/rule.h"
#include "wire/dialect/member_reader.h"
#include "wire/json/path.h"

namespace midwire::check {

// Values that a rule remembers in one session (topics, keys, names). Real sessions have a few
// hundred; beyond the limit a rule reports nothing about new ones.
inline constexpr size_t kMaxRemembered = 65536;

inline bool IsCall(const Observed& seen) {
  return seen.kind() == wire::Kind::kRequest || seen.kind() == wire::Kind::kNotification;
}
// Whether a message is of one of these methods (patterns too); an answer is of its request's.
bool IsOf(const std::vector<std::string>& methods, const Observed& seen);
// Whether a message is one of the calls that the place is limited to, if it is limited to some.
bool IsInScope(const RulePlace& place, const Observed& seen);
// Whether one of the places is in messages of that method.
template <typename Place>
bool AnyOfMethod(const std::vector<Place>& places, std::string_view method) {
  return std::any_of(places.begin(), places.end(),
                     [&](const Place& place) { return place.OfMethod(method); });
}
// The value at a place of a message, if the message is of its method and has one.
std::optional<std::string_view> ValueOf(const RulePlace& place, const Observed& seen);
// For EachValueOf: `found` is what the message has at the place's node.
void EachValueIn(std::string_view found, const RulePlace& place, const Observed& seen,
                 const std::function<void(const wire::Path&, std::string_view)>& visit);
// Each value at a place, which may have `*`. The path is valid during the call. visit(path, value)
// is called through a reference: a function that holds what a rule captures would be allocated for
// each message.
template <typename Visit>
void EachValueOf(const RulePlace& place, const Observed& seen, const Visit& visit) {
  if (!seen.json) return;
  // First, as most messages have nothing at most places.
  const std::string_view found = seen.values->At(place.node());
  if (found.data() != nullptr && place.OfMethod(seen.method))
    EachValueIn(found, place, seen, std::cref(visit));
}
// For CheckRule::ReadsOnly: whether a message has no value at any of the places, or below a place
// with `**`; adds the values at a place.
bool HasNone(const std::vector<RulePlace>& places, const Observed& seen);
bool HasNone(const RulePlace& place, const Observed& seen);
void AddValuesOf(const RulePlace& place, const Observed& seen,
                 std::vector<std::string_view>* parts);
// The part of a value that is kept for a violation to show.
std::string Kept(std::string_view value);
// A string's meaning, any other value as it is spelt.
std::string Meant(std::string_view value);

// What a rule keeps per request until it is answered. Elements of a batch share one number, so that
// the key also has the id.
template <typename T>
class Pending {
 public:
  void Add(const Observed& request, T value) {
    if (request.kind() != wire::Kind::kRequest) return;
    // As many as Exchanges pairs: answers to further requests are not recognized.
    if (open_.size() >= wire::kMaxOpenRequests) return;
    const auto key = Key(request.number(), request.message->id.token);
    if (!spare_) return static_cast<void>(open_.emplace(key, std::move(value)));
    spare_.key() = key;
    spare_.mapped() = std::move(value);
    open_.insert(std::move(spare_));
  }
  std::optional<T> Take(const Observed& answer) {
    if (open_.empty() || answer.request == nullptr || !answer.message->IsAnswer()) {
      return std::nullopt;
    }
    const auto key = Key(answer.request->number, answer.request->id);
    const auto found = open_.lower_bound(key);  // the first of an id that is there twice
    if (found == open_.end() || found->first != key) return std::nullopt;
    T value = std::move(found->second);
    spare_ = open_.extract(found);
    return value;
  }
  void Clear() { open_.clear(); }

 private:
  static std::pair<uint64_t, size_t> Key(uint64_t number, std::string_view id) {
    return {number, std::hash<std::string_view>()(id)};
  }
  using Requests = std::multimap<std::pair<uint64_t, size_t>, T>;
  Requests open_;
  typename Requests::node_type spare_;  // the last one that was taken, reused
};

// Reads the members of a rule. Its places are those of a checker's tree.
class RuleReader : public wire::MemberReader {
 public:
  RuleReader(const wire::MemberReader& reader, PlaceTree* tree)
      : wire::MemberReader(reader), tree_(tree) {}

  RulePlace Compiled(wire::MethodPlace place) const { return {std::move(place), tree_}; }
  std::vector<RulePlace> Compiled(const std::vector<wire::MethodPlace>& places) const;
  RulePlace Place(std::string_view name) { return Compiled(MemberReader::Place(name)); }
  std::optional<RulePlace> OptionalPlace(std::string_view name);
  std::vector<RulePlace> Places(std::string_view name) {
    return Compiled(MemberReader::Places(name));
  }
  std::vector<RulePlace> ScopedPlaces(std::string_view name) {
    return Compiled(MemberReader::ScopedPlaces(name));
  }

 private:
  PlaceTree* tree_;
};

using MadeRule = std::unique_ptr<CheckRule>;
using RuleMaker = MadeRule(const wire::RuleSpec& rule, RuleReader* in);
struct RuleType {
  std::string_view name;
  RuleMaker* make;
};

// Makes a rule of the dialect by its type, one of this room or of `others`. An error: no such type,
// or a member that is missing, wrong or unknown. `dialect` is for the file name in errors; may be
// null. `places`: of the checker; outlives the rule.
Result<MadeRule> MakeRule(const wire::RuleSpec& rule, const wire::Dialect* dialect,
                          PlaceTree* places, std::span<const RuleType> others = {});

RuleMaker MakeAmongRule, MakeBase64Rule, MakeChunksRule, MakeClosedRule, MakeCountRule,
    MakeDeadlineRule, MakeDistinctRule, MakeDuringRule, MakeEitherRule, MakeEqualRule, MakeExitRule,
    MakeFitsRule, MakeFollowedRule, MakeGateRule, MakeGrantedRule, MakeIncreasingRule,
    MakeLengthRule, MakeLevelRule, MakeOrderRule, MakePathRule, MakeRequiresRule, MakeRespawnRule,
    MakeSameRule, MakeSizeRule, MakeValidRule, MakeVolumeRule;

}  // namespace midwire::check
