#include "replay/match/compare.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;
using wire::Path;

// Members are kept as 32-bit offsets: a hostile object of 64 MiB has 13 million of them. Longer
// texts are compared as bytes; no step of a script has a longer frame.
constexpr size_t kMaxText = UINT32_MAX;

// Objects up to this size are matched by trying all pairs, which is faster there than sorting.
constexpr size_t kFewMembers = 24;

// Pairs of names in one object that are tried as live and recorded ones. A map of a few hundred
// live keys needs that many squared only if it also comes in another order.
constexpr size_t kMaxNamePairs = 1u << 16;

// Enough for most messages.
constexpr size_t kUsualDepth = 16, kUsualMembers = 48;

constexpr size_t kUnpaired = SIZE_MAX;
constexpr size_t kFarthest = 64;  // items that differ in more places are equally different

constexpr uint32_t kNone = UINT32_MAX;  // the other object has no such member

struct Member {
  uint32_t name, name_size, value, value_size;  // spans of the text, the name without quotes
  uint32_t partner = kNone;                     // its index in the other object, or kNone
};

bool HasEscape(std::string_view text) {
  return std::memchr(text.data(), '\\', text.size()) != nullptr;
}

// The members of one object in its text's order, on a stack that all levels share.
class Members {
 public:
  Members(std::string_view text, std::string_view object, std::vector<Member>* stack)
      : text_(text), stack_(stack), base_(stack->size()) {
    JsonParts parts(object);
    for (JsonPart part; parts.Next(&part);) {
      part.name = part.name.substr(1, part.name.size() - 2);
      stack_->push_back(
          {Offset(part.name), Size(part.name), Offset(part.value), Size(part.value), kNone});
      has_escapes_ = has_escapes_ || HasEscape(part.name);
    }
    size_ = stack_->size() - base_;
  }

  size_t size() const { return size_; }
  bool has_escapes() const { return has_escapes_; }  // in names
  uint32_t& Partner(size_t i) const { return (*stack_)[base_ + i].partner; }
  std::string_view Name(size_t i) const {
    const Member& member = (*stack_)[base_ + i];
    return text_.substr(member.name, member.name_size);
  }
  std::string_view Quoted(size_t i) const {
    const std::string_view name = Name(i);
    return {name.data() - 1, name.size() + 2};
  }
  std::string_view Value(size_t i) const {
    const Member& member = (*stack_)[base_ + i];
    return text_.substr(member.value, member.value_size);
  }
  // The name without escapes.
  std::string Meaning(size_t i) const {
    return HasEscape(Name(i)) ? wire::StringValue(Quoted(i)) : std::string(Name(i));
  }

 private:
  uint32_t Offset(std::string_view span) const {
    return static_cast<uint32_t>(span.data() - text_.data());
  }
  static uint32_t Size(std::string_view span) { return static_cast<uint32_t>(span.size()); }

  std::string_view text_;
  std::vector<Member>* stack_;
  size_t base_, size_ = 0;
  bool has_escapes_ = false;
};

int CompareNames(const Members& a, size_t i, const Members& b, size_t j) {
  if (!a.has_escapes() && !b.has_escapes()) return a.Name(i).compare(b.Name(j));
  return a.Meaning(i).compare(b.Meaning(j));
}

bool SameName(const Members& a, size_t i, const Members& b, size_t j) {
  if (a.Name(i) == b.Name(j)) return true;
  if (!a.has_escapes() && !b.has_escapes()) return false;
  return wire::SameString(a.Quoted(i), b.Quoted(j));
}

void Join(const Members& expected, size_t i, const Members& got, size_t j) {
  expected.Partner(i) = static_cast<uint32_t>(j);
  got.Partner(j) = static_cast<uint32_t>(i);
}

// The usual case: both have the same names in the same order.
bool IsAligned(const Members& expected, const Members& got) {
  if (expected.size() != got.size()) return false;
  for (size_t i = 0; i < got.size(); ++i) {
    if (expected.Name(i) != got.Name(i)) return false;
  }
  return true;
}

void JoinAligned(const Members& expected, const Members& got) {
  for (size_t i = 0; i < got.size(); ++i) Join(expected, i, got, i);
}

// From the end: of a repeated name the last counts for every reader, so the last ones are partners,
// then those before them.
void JoinFew(const Members& expected, const Members& got) {
  for (size_t i = expected.size(); i-- > 0;) {
    for (size_t j = got.size(); j-- > 0;) {
      if (got.Partner(j) != kNone || !SameName(expected, i, got, j)) continue;
      Join(expected, i, got, j);
      break;
    }
  }
}

struct Sortable {
  uint32_t hash, index;
};

// The members sorted by name, of one name the last first. Sorts by a hash first, because names in
// one object tend to share prefixes. A hash table would be slow if a peer chose names with one
// hash; sorting is not.
std::vector<Sortable> Sorted(const Members& members) {
  std::vector<Sortable> order(members.size());
  for (size_t i = 0; i < members.size(); ++i) {
    const std::hash<std::string_view> hash;
    const size_t value = members.has_escapes() ? hash(members.Meaning(i)) : hash(members.Name(i));
    order[i] = {static_cast<uint32_t>(value), static_cast<uint32_t>(i)};
  }
  std::sort(order.begin(), order.end(), [&](const Sortable& a, const Sortable& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int names = CompareNames(members, a.index, members, b.index);
    return names != 0 ? names < 0 : a.index > b.index;
  });
  return order;
}

void JoinMany(const Members& expected, const Members& got) {
  const std::vector<Sortable> left = Sorted(expected), right = Sorted(got);
  for (auto l = left.begin(), r = right.begin(); l != left.end() && r != right.end();) {
    int order = l->hash < r->hash ? -1 : l->hash > r->hash;
    if (order == 0) order = CompareNames(expected, l->index, got, r->index);
    if (order == 0) Join(expected, l->index, got, r->index);
    if (order <= 0) ++l;
    if (order >= 0) ++r;
  }
}

void JoinSameNames(const Members& expected, const Members& got) {
  if (IsAligned(expected, got)) return JoinAligned(expected, got);
  const bool few = expected.size() <= kFewMembers && got.size() <= kFewMembers;
  few ? JoinFew(expected, got) : JoinMany(expected, got);
}

// Recurses as deep as the texts are nested, at most kMaxLooseDepth.
class Comparer {
 public:
  Comparer(std::string_view expected, std::string_view got, const CompareRules& rules,
           const std::function<bool(ValueDifference)>& on_difference)
      : expected_(expected), got_(got), rules_(rules), on_difference_(on_difference) {}

  // Compares a part of the two texts, at `path`.
  Comparer(std::string_view expected, std::string_view got, const CompareRules& rules,
           const std::function<bool(ValueDifference)>& on_difference, Path path, size_t* pairs_left)
      : Comparer(expected, got, rules, on_difference) {
    path_ = std::move(path);
    pairs_left_ = pairs_left;
  }

  bool Run() {
    if (IsIgnored() || (!rules_.judge_equals && expected_ == got_)) return true;
    if (expected_.size() > kMaxText || got_.size() > kMaxText || !wire::IsLooseJson(expected_) ||
        !wire::IsLooseJson(got_)) {
      if (expected_ != got_) Report(expected_, got_);
      return same_;
    }
    path_.reserve(kUsualDepth);
    members_.reserve(kUsualMembers);
    Values(wire::Trimmed(expected_), wire::Trimmed(got_));
    return same_;
  }

 private:
  bool IsAt(const wire::Pointer& pointer) const {
    return pointer.steps.size() == path_.size() && wire::Matches(pointer, path_);
  }
  bool IsIgnored() const {
    return rules_.places &&
           std::any_of(rules_.places->ignores.begin(), rules_.places->ignores.end(),
                       [this](const auto* pointer) { return IsAt(*pointer); });
  }
  bool IsUnordered() const {
    return rules_.places &&
           std::any_of(rules_.places->unordered.begin(), rules_.places->unordered.end(),
                       [this](const auto* pointer) { return IsAt(*pointer); });
  }
  bool HasShape(std::string_view expected, std::string_view got) const {
    return rules_.places && std::any_of(rules_.places->shapes.begin(), rules_.places->shapes.end(),
                                        [&](const auto& shaped) {
                                          return IsAt(*shaped.first) &&
                                                 Fits(*shaped.second, got, expected);
                                        });
  }

  void Report(std::string_view expected, std::string_view got, trace::Agreed agreed = {}) {
    same_ = false;
    trace::ShownPair shown = trace::ShowPair(expected, got, agreed);
    going_ = on_difference_(
        {wire::PointerText(path_), std::move(shown.expected), std::move(shown.got), shown.line});
  }

  void Values(std::string_view expected, std::string_view got) {
    if (!rules_.judge_equals && expected == got) return;
    const JsonType type = wire::TypeOf(expected);
    const bool same_type = type == wire::TypeOf(got);
    if (same_type && type == JsonType::kObject) return Objects(expected, got);
    if (same_type && type == JsonType::kArray) {
      return IsUnordered() ? Unordered(expected, got) : Arrays(expected, got);
    }
    const Judgement judgement =
        rules_.judge ? rules_.judge(path_, expected, got) : Judgement::kByValue;
    const bool equal = same_type && SameScalar(type, expected, got);
    if (judgement == Judgement::kByValue ? equal : judgement == Judgement::kSame) return;
    // A declaration is stronger than what was inferred.
    if (same_type && HasShape(expected, got)) return;
    if (judgement == Judgement::kByValue && same_type && type == JsonType::kString &&
        rules_.same_text && rules_.same_text(expected, got)) {
      return;
    }
    const bool knows = judgement == Judgement::kDifferent && rules_.agreed != nullptr;
    Report(expected, got, knows ? *rules_.agreed : trace::Agreed());
  }

  static bool SameScalar(JsonType type, std::string_view expected, std::string_view got) {
    if (type == JsonType::kString) return wire::SameString(expected, got);
    if (type == JsonType::kNumber) return wire::SameNumber(expected, got);
    return expected == got;
  }

  void Arrays(std::string_view expected, std::string_view got) {
    JsonParts left(expected), right(got);
    path_.emplace_back();
    for (size_t index = 0; going_; ++index) {
      JsonPart old_one, new_one;
      const bool has_old = left.Next(&old_one), has_new = right.Next(&new_one);
      if (!has_old && !has_new) break;
      path_.back().index = index;
      if (IsIgnored()) continue;
      if (has_old && has_new) {
        Values(old_one.value, new_one.value);
      } else {
        Report(old_one.value, new_one.value);
      }
    }
    path_.pop_back();
  }

  static bool Items(std::string_view array, std::vector<std::string_view>* items) {
    JsonParts parts(array);
    for (JsonPart part; parts.Next(&part);) {
      if (items->size() == kMaxUnordered) return false;
      items->push_back(part.value);
    }
    return true;
  }

  // How many places differ between two items, up to `most`. Without the judge, which may bind a
  // value of a pair that is not chosen.
  size_t Distance(std::string_view expected, std::string_view got, size_t most) {
    CompareRules rules = {.places = rules_.places};
    size_t differences = 0;
    const std::function<bool(ValueDifference)> count = [&](const ValueDifference&) {
      return ++differences < most;
    };
    Comparer(expected_, got_, rules, count, path_, pairs_left_).Values(expected, got);
    return differences;
  }

  // Pairs items of equal value, then the most similar ones, and compares each pair.
  void Unordered(std::string_view expected, std::string_view got) {
    std::vector<std::string_view> left, right;
    if (!Items(expected, &left) || !Items(got, &right)) return Arrays(expected, got);
    std::vector<size_t> partner(left.size(), kUnpaired);
    std::vector<bool> taken(right.size(), false);
    std::multimap<wire::ValueHash, size_t> by_value;
    for (size_t j = 0; j < right.size(); ++j) by_value.emplace(wire::HashValue(right[j]), j);
    for (size_t i = 0; i < left.size(); ++i) {
      const auto found = by_value.find(wire::HashValue(left[i]));
      if (found == by_value.end()) continue;
      partner[i] = found->second;
      taken[found->second] = true;
      by_value.erase(found);
    }
    path_.emplace_back();
    for (size_t i = 0; i < left.size(); ++i) {
      if (partner[i] != kUnpaired) continue;
      path_.back().index = i;
      size_t least = kFarthest;
      for (size_t j = 0; j < right.size() && least > 0 && *pairs_left_ > 0; ++j) {
        if (taken[j]) continue;
        --*pairs_left_;
        const size_t distance = Distance(left[i], right[j], least);
        if (distance >= least) continue;
        least = distance;
        partner[i] = j;
      }
      if (partner[i] == kUnpaired) {  // beyond the limits: in order
        partner[i] =
            static_cast<size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
        if (partner[i] == right.size()) partner[i] = kUnpaired;
      }
      if (partner[i] != kUnpaired) taken[partner[i]] = true;
    }
    for (size_t i = 0; going_ && i < left.size(); ++i) {
      path_.back().index = i;
      if (IsIgnored()) continue;
      partner[i] == kUnpaired ? Report(left[i], {}) : Values(left[i], right[partner[i]]);
    }
    for (size_t j = 0; going_ && j < right.size(); ++j) {
      path_.back().index = j;
      if (!taken[j] && !IsIgnored()) Report({}, right[j]);
    }
    path_.pop_back();
  }

  void Objects(std::string_view expected, std::string_view got) {
    const size_t base = members_.size();
    const Members left(expected_, expected, &members_), right(got_, got, &members_);
    JoinSameNames(left, right);
    path_.emplace_back();
    if (rules_.same_name) JoinOthers(left, right);
    for (size_t i = 0; going_ && i < left.size(); ++i) {
      path_.back().name = left.Quoted(i);
      if (IsIgnored() && !IsRepeatedId(left, i)) continue;
      if (left.Partner(i) == kNone) {
        Report(left.Value(i), {});
      } else {
        Values(left.Value(i), right.Value(left.Partner(i)));
      }
    }
    for (size_t j = 0; going_ && j < right.size(); ++j) {
      if (right.Partner(j) != kNone) continue;
      path_.back().name = right.Quoted(j);
      if (!IsIgnored() || IsRepeatedId(right, j)) Report({}, right.Value(j));
    }
    path_.pop_back();
    members_.resize(base);
  }

  // Whether a member of the message itself is an id that the other message has less often.
  bool IsRepeatedId(const Members& members, size_t i) {
    if (rules_.ids.empty() || path_.size() != 1 || members.Partner(i) != kNone) return false;
    if (std::none_of(rules_.ids.begin(), rules_.ids.end(),
                     [this](const wire::Pointer* id) { return IsAt(*id); })) {
      return false;
    }
    size_t later = i + 1;
    while (later < members.size() && !SameName(members, i, members, later)) ++later;
    return later < members.size();
  }

  // Joins members whose names differ, in order.
  void JoinOthers(const Members& left, const Members& right) {
    size_t tried = 0;
    for (size_t i = 0; i < left.size(); ++i) {
      if (left.Partner(i) != kNone) continue;
      path_.back().name = left.Quoted(i);
      for (size_t j = 0; j < right.size() && tried < kMaxNamePairs; ++j) {
        if (right.Partner(j) != kNone) continue;
        ++tried;
        if (!rules_.same_name(path_, left.Quoted(i), right.Quoted(j))) continue;
        Join(left, i, right, j);
        break;
      }
    }
  }

  const std::string_view expected_, got_;
  const CompareRules& rules_;
  const std::function<bool(ValueDifference)>& on_difference_;
  Path path_;
  std::vector<Member> members_;
  size_t pairs_ = kMaxPairs;
  size_t* pairs_left_ = &pairs_;  // shared with comparisons of items
  bool same_ = true, going_ = true;
};

}  // namespace

bool Compare(std::string_view expected, std::string_view got, const CompareRules& rules,
             const std::function<bool(ValueDifference)>& on_difference) {
  return Comparer(expected, got, rules, on_difference).Run();
}

bool CompareAt(const Path& path, std::string_view expected, std::string_view got,
               const CompareRules& rules, const std::function<bool(ValueDifference)>& on_difference,
               size_t* pairs_left) {
  return Comparer(expected, got, rules, on_difference, path, pairs_left).Run();
}

}  // namespace midwire::replay
