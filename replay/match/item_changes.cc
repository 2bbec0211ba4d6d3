#include "replay/match/item_changes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "replay/match/alignment.h"
#include "replay/match/shown.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::replay {
namespace {

using trace::ItemChange;
using trace::ItemChanges;
using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;
using wire::Path;
using wire::TypeOf;

// The part of a container that a step of a pointer names; of a repeated name the last.
std::optional<JsonPart> PartAt(std::string_view container, const std::string& step) {
  const bool is_array = TypeOf(container) == JsonType::kArray;
  std::optional<JsonPart> found;
  JsonParts parts(container);
  size_t index = 0;
  for (JsonPart part; parts.Next(&part); ++index) {
    if (!is_array && wire::StringValue(part.name) == step) found = part;
    if (is_array && std::to_string(index) == step) return part;
  }
  return found;
}

bool IsPlace(const std::vector<const wire::Pointer*>& places, const Path& path) {
  return std::any_of(places.begin(), places.end(), [&](const wire::Pointer* place) {
    return place->steps.size() == path.size() && wire::Matches(*place, path);
  });
}

// Whether the rules know what names the items as another value in each run. It says then nothing
// about which items are the same ones.
bool IsGenerated(const AlignedArray& aligned, const CompareRules& rules, Path path) {
  if (!rules.judge) return false;
  path.resize(path.size() + 2);
  path.back().name = aligned.member;
  for (size_t i = 0; i < std::min(aligned.expected.size(), aligned.got.size()); ++i) {
    const std::string_view left = aligned.expected[i].name, right = aligned.got[i].name;
    if (left == right) continue;
    path[path.size() - 2].index = i;
    return rules.judge(path, left, right) == Judgement::kSame;
  }
  return false;
}

class ItemDescriber {
 public:
  ItemDescriber(const CompareRules& rules, const std::function<bool()>& counts,
                ItemChanges* changes)
      : rules_(rules), counts_(counts), changes_(changes) {}

  void Describe(const AlignedArray& aligned, Path path) {
    changes_->pointer = wire::PointerText(path);
    changes_->recorded = aligned.expected.size();
    changes_->came = aligned.got.size();
    for (size_t i = 0; i < aligned.got.size(); ++i) {
      const AlignedArray::Item& item = aligned.got[i];
      if (item.partner == kUnaligned) Add(ItemChange::What::kNew, item, 0, i);
    }
    for (size_t i = 0; i < aligned.expected.size(); ++i) {
      const AlignedArray::Item& item = aligned.expected[i];
      if (item.partner == kUnaligned) Add(ItemChange::What::kGone, item, i, 0);
    }
    for (size_t i = 0; i < aligned.expected.size(); ++i) {
      const AlignedArray::Item& item = aligned.expected[i];
      if (item.moved) Add(ItemChange::What::kMoved, item, i, item.partner);
    }
    path.emplace_back();
    for (size_t i = 0; i < aligned.expected.size(); ++i) {
      const AlignedArray::Item& item = aligned.expected[i];
      if (item.partner == kUnaligned) continue;
      path.back().index = i;
      const auto add = [&](ValueDifference difference) {
        if (counts_()) AddValue(item, i, std::move(difference));
        return true;
      };
      CompareAt(path, item.value, aligned.got[item.partner].value, rules_, add, &pairs_left_);
    }
  }

 private:
  ItemChange* Add(ItemChange::What what, const AlignedArray::Item& item, size_t from, size_t at) {
    ++changes_->count;
    if (changes_->first.size() == trace::kMaxItemChanges) return nullptr;
    changes_->first.push_back(
        {.what = what, .item = Shown(item.name), .from = from, .at = at, .pointer = {}});
    return &changes_->first.back();
  }

  void AddValue(const AlignedArray::Item& item, size_t from, ValueDifference difference) {
    ItemChange* const change = Add(ItemChange::What::kDiffers, item, from, item.partner);
    if (change == nullptr) return;
    change->pointer = std::move(difference.pointer);
    change->expected = std::move(difference.expected);
    change->got = std::move(difference.got);
    change->line = difference.line;
  }

  const CompareRules& rules_;
  const std::function<bool()>& counts_;
  ItemChanges* const changes_;
  size_t pairs_left_ = kMaxPairs;
};

}  // namespace

void DescribeItems(std::string_view expected, std::string_view got, std::string_view pointer,
                   const CompareRules& rules, const std::function<bool()>& counts,
                   ItemChanges* changes) {
  const auto way = wire::ParsePointer(pointer);
  if (!way) return;
  expected = wire::Trimmed(expected);
  got = wire::Trimmed(got);
  Path path;
  for (const std::string& step : way->steps) {
    const JsonType type = TypeOf(expected);
    const bool is_array = type == JsonType::kArray;
    if (type != TypeOf(got) || (!is_array && type != JsonType::kObject)) return;
    if (is_array) {
      // Its items are paired by their values already.
      if (rules.places != nullptr && IsPlace(rules.places->unordered, path)) return;
      const auto aligned = Align(expected, got);
      if (aligned && !IsGenerated(*aligned, rules, path)) {
        return ItemDescriber(rules, counts, changes).Describe(*aligned, std::move(path));
      }
    }
    const auto left = PartAt(expected, step), right = PartAt(got, step);
    if (!left || !right) return;
    path.emplace_back();
    if (is_array) {
      path.back().index = std::stoul(step);
    } else {
      path.back().name = left->name;
    }
    expected = left->value;
    got = right->value;
  }
}

}  // namespace midwire::replay
