#include "replay/match/alignment.h"

#include <algorithm>
#include <map>
#include <string>

#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::replay {
namespace {

using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;

using ArrayItems = std::vector<AlignedArray::Item>;

// The first that both arrays have in all items.
constexpr std::string_view kNaming[] = {R"("name")", R"("id")", R"("uri")"};

bool ObjectsOf(std::string_view array, ArrayItems* items) {
  if (wire::TypeOf(array) != JsonType::kArray) return false;
  JsonParts parts(array);
  for (JsonPart part; parts.Next(&part);) {
    if (items->size() == kMaxAligned || wire::TypeOf(part.value) != JsonType::kObject) return false;
    items->push_back({.value = part.value});
  }
  return true;
}

bool MayName(std::string_view value) {
  const JsonType type = wire::TypeOf(value);
  return type == JsonType::kString ||
         (type == JsonType::kNumber && value.find_first_of(".eE") == value.npos);
}

using ByName = std::map<std::string, size_t>;

// False: an item has no such member, or two have the same.
bool NameItems(std::string_view member, ArrayItems* items, ByName* by_name) {
  for (size_t i = 0; i < items->size(); ++i) {
    AlignedArray::Item& item = (*items)[i];
    item.name = {};
    JsonParts parts(item.value);
    for (JsonPart part; parts.Next(&part);) {
      if (wire::SameString(part.name, member)) item.name = part.value;
    }
    if (item.name.empty() || !MayName(item.name)) return false;
    const bool text = item.name.starts_with('"');
    const std::string meaning = text ? '"' + wire::StringValue(item.name) : std::string(item.name);
    if (!by_name->emplace(meaning, i).second) return false;
  }
  return true;
}

// Whether any item has a partner.
bool JoinByName(const ByName& expected, const ByName& got, AlignedArray* aligned) {
  bool any = false;
  for (auto& item : aligned->expected) item.partner = kUnaligned;
  for (auto& item : aligned->got) item.partner = kUnaligned;
  for (const auto& [name, index] : expected) {
    const auto found = got.find(name);
    if (found == got.end()) continue;
    aligned->expected[index].partner = found->second;
    aligned->got[found->second].partner = index;
    any = true;
  }
  return any;
}

// All but a longest list of items that kept their order have moved: one item before all others
// moves none of these.
void MarkMoved(ArrayItems* expected) {
  std::vector<size_t> ends;  // by length: the item with which the best list of that length ends
  std::vector<size_t> before(expected->size(), kUnaligned);
  const auto place = [&](size_t item) { return (*expected)[item].partner; };
  for (size_t i = 0; i < expected->size(); ++i) {
    if (place(i) == kUnaligned) continue;
    (*expected)[i].moved = true;
    const auto at = std::lower_bound(ends.begin(), ends.end(), i,
                                     [&](size_t a, size_t b) { return place(a) < place(b); });
    if (at != ends.begin()) before[i] = *(at - 1);
    at == ends.end() ? ends.push_back(i) : void(*at = i);
  }
  for (size_t i = ends.empty() ? kUnaligned : ends.back(); i != kUnaligned; i = before[i]) {
    (*expected)[i].moved = false;
  }
}

// Whether a list by position says the same.
bool IsInPlace(const AlignedArray& aligned) {
  if (aligned.expected.size() != aligned.got.size()) return false;
  for (size_t i = 0; i < aligned.got.size(); ++i) {
    const size_t left = aligned.expected[i].partner, right = aligned.got[i].partner;
    if (left != right || (left != kUnaligned && left != i)) return false;
  }
  return true;
}

}  // namespace

std::optional<AlignedArray> Align(std::string_view expected, std::string_view got) {
  AlignedArray aligned;
  if (!ObjectsOf(expected, &aligned.expected) || !ObjectsOf(got, &aligned.got)) return std::nullopt;
  for (const std::string_view member : kNaming) {
    ByName left, right;
    if (!NameItems(member, &aligned.expected, &left) || !NameItems(member, &aligned.got, &right) ||
        !JoinByName(left, right, &aligned)) {
      continue;
    }
    if (IsInPlace(aligned)) return std::nullopt;
    aligned.member = member;
    MarkMoved(&aligned.expected);
    return aligned;
  }
  return std::nullopt;
}

}  // namespace midwire::replay
