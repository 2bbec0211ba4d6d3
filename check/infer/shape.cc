#include "check/infer/shape.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "check/infer/json.h"
#include "trace/looks.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"
#include "wire/text/forms.h"
#include "wire/text/unique_id.h"

namespace midwire::check {
namespace {

using wire::Json;
using wire::JsonType;

// Deeper values may be anything. Real messages nest below 20, syntax trees below 40.
constexpr int kMaxShapeDepth = 48;
// More members, or longer names: the names are data (files, ids), not the protocol's. The widest
// object of LSP has 40.
constexpr size_t kMaxMembers = 200, kMaxName = 64;
// An enum has few words, and each was seen several times: otherwise they are names or prose.
constexpr size_t kMaxWords = 8, kMaxWord = 32;
constexpr uint64_t kMinWordSamples = 8, kMinSamplesPerWord = 4;
// A longer string has no format that we know.
constexpr size_t kMaxFormatted = 512;

enum TypeBit : uint8_t {
  kNull = 1,
  kBool = 2,
  kInteger = 4,
  kNumber = 8,
  kString = 16,
  kArray = 32,
  kObject = 64,
};
constexpr std::pair<TypeBit, std::string_view> kTypeNames[] = {
    {kNull, "null"},     {kBool, "boolean"}, {kInteger, "integer"}, {kNumber, "number"},
    {kString, "string"}, {kArray, "array"},  {kObject, "object"}};

bool IsUri(std::string_view text) {
  const size_t colon = text.find("://");
  if (colon == text.npos || colon == 0 || text.find_first_of(" \n\t<>\"") != text.npos)
    return false;
  return std::all_of(text.begin(), text.begin() + colon, [](char c) {
    return wire::IsAlphanumeric(c) || c == '+' || c == '-' || c == '.';
  });
}
// Absolute: a relative one looks like any word. Not a root or a drive alone, nor "//", which begins
// comments.
bool IsAbsoluteName(std::string_view text) {
  const size_t root = wire::BeginsWithDrive(text) ? 3 : 1;
  return wire::IsAbsolutePath(text) && text.size() > root && !text.starts_with("//") &&
         text.find('\t') == text.npos;
}

struct Format {
  std::string_view name;
  bool (*fits)(std::string_view text);
};
constexpr Format kFormats[] = {{"date-time", wire::IsDateTime},
                               {"date", wire::IsDate},
                               {"uuid", wire::IsUuid},
                               {"uri", IsUri},
                               {"path", IsAbsoluteName}};

// What a program would compare with: "info", "plugin/init", "text-plain".
bool IsWord(std::string_view text) {
  if (text.empty() || text.size() > kMaxWord || trace::LooksMade(text)) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return wire::IsAlphanumeric(c) || std::string_view("_-.:/+$#").find(c) != std::string::npos;
  });
}

// A file, an id, a sentence: data, not the name of a member.
bool IsDataName(std::string_view name) {
  return name.empty() || name.size() > kMaxName || name.find_first_of("/\\ ") != name.npos ||
         wire::IsDigit(name[0]) || !wire::IsUtf8(name);
}

std::unique_ptr<Shape> NewShape(ShapeBudget* budget) {
  if (budget->left == 0 || *budget->left_in_all == 0) return nullptr;
  --budget->left;
  --*budget->left_in_all;
  return std::make_unique<Shape>();
}

}  // namespace

void Shape::Learn(std::string_view value, int depth, ShapeBudget* budget) {
  ++samples_;
  if (depth > kMaxShapeDepth) anything_ = true;
  if (anything_) return;
  switch (wire::TypeOf(value)) {
    case JsonType::kNull:
      types_ |= kNull;
      return;
    case JsonType::kBool:
      types_ |= kBool;
      return;
    case JsonType::kNumber:
      types_ |= value.find_first_of(".eE") == value.npos ? kInteger : kNumber;
      return;
    case JsonType::kString:
      return LearnString(value);
    case JsonType::kArray:
      return LearnArray(value, depth, budget);
    case JsonType::kObject:
      return LearnObject(value, depth, budget);
  }
}

void Shape::LearnString(std::string_view quoted) {
  types_ |= kString;
  ++strings_;
  if (formats_ == 0 && many_words_) return;
  if (quoted.size() > kMaxFormatted) {
    formats_ = 0;
    many_words_ = true;
    words_.clear();
    return;
  }
  const std::string text = wire::StringValue(quoted);
  uint8_t fits = 0;
  for (size_t i = 0; i < std::size(kFormats); ++i) {
    if (kFormats[i].fits(text)) fits |= 1u << i;
  }
  formats_ &= fits;
  if (many_words_) return;
  many_words_ = !IsWord(text);
  if (!many_words_) words_.insert(text);
  if (words_.size() > kMaxWords) many_words_ = true;
  if (many_words_) words_.clear();
}

void Shape::LearnArray(std::string_view value, int depth, ShapeBudget* budget) {
  types_ |= kArray;
  wire::JsonParts parts(value);
  for (wire::JsonPart part; parts.Next(&part);) {
    if (items_unknown_) return;
    // An array and an object at one place: their contents are not distinguished further.
    if (map_) {
      items_unknown_ = true;
    } else if (items_ == nullptr && (items_ = NewShape(budget)) == nullptr) {
      items_unknown_ = true;
    } else {
      items_->Learn(part.value, depth + 1, budget);
    }
  }
}

void Shape::LearnObject(std::string_view value, int depth, ShapeBudget* budget) {
  types_ |= kObject;
  ++objects_;
  wire::JsonParts parts(value);
  for (wire::JsonPart part; parts.Next(&part);) {
    LearnMember(part.name, part.value, depth, budget);
  }
}

void Shape::LearnMember(std::string_view quoted, std::string_view value, int depth,
                        ShapeBudget* budget) {
  const std::string name = quoted.size() > 6 * kMaxName ? "" : wire::StringValue(quoted);
  if (!map_ && (IsDataName(name) ||
                (members_.size() >= kMaxMembers && members_.find(name) == members_.end()))) {
    BecomeMap();
  }
  if (map_) {
    if (items_unknown_) return;
    if (items_ == nullptr && (items_ = NewShape(budget)) == nullptr) {
      items_unknown_ = true;
      return;
    }
    return items_->Learn(value, depth + 1, budget);
  }
  auto [found, is_new] = members_.try_emplace(name);
  Member& member = found->second;
  if (is_new) member.shape = NewShape(budget);
  if (member.latest != objects_) ++member.count;
  member.latest = objects_;
  if (member.shape) member.shape->Learn(value, depth + 1, budget);
}

void Shape::BecomeMap() {
  map_ = true;
  if (types_ & kArray) items_unknown_ = true;
  std::map<std::string, Member> members = std::exchange(members_, {});
  for (auto& [name, member] : members) MergeMember(std::move(member.shape));
}

// Into items_, the shape of all members.
void Shape::MergeMember(std::unique_ptr<Shape> other) {
  if (other == nullptr) items_unknown_ = true;
  if (items_unknown_) return;
  if (items_ == nullptr) {
    items_ = std::move(other);
  } else {
    items_->Merge(std::move(*other));
  }
}

void Shape::Merge(Shape other) {
  samples_ += other.samples_;
  strings_ += other.strings_;
  types_ |= other.types_;
  formats_ &= other.formats_;
  anything_ = anything_ || other.anything_;
  words_.merge(other.words_);
  many_words_ = many_words_ || other.many_words_ || words_.size() > kMaxWords;
  if (many_words_) words_.clear();
  if (map_ != other.map_ && objects_ + other.objects_ > 0) {
    if (!map_) BecomeMap();
    if (!other.map_) other.BecomeMap();
  }
  for (auto& [name, member] : other.members_) {
    auto [mine, is_new] = members_.try_emplace(name);
    mine->second.count += member.count;
    if (is_new) {
      mine->second.shape = std::move(member.shape);
    } else if (mine->second.shape && member.shape) {
      mine->second.shape->Merge(std::move(*member.shape));
    } else {
      mine->second.shape = nullptr;
    }
  }
  // Object numbers start again, so that no earlier object is taken for a later one.
  objects_ += other.objects_;
  for (auto& [name, member] : members_) member.latest = 0;
  items_unknown_ = items_unknown_ || other.items_unknown_;
  if (other.items_) MergeMember(std::move(other.items_));
  if (!map_ && members_.size() > kMaxMembers) BecomeMap();
}

bool Shape::HasEnum() const {
  return (types_ & ~kNull) == kString && !many_words_ && formats_ == 0 &&
         strings_ >= kMinWordSamples && strings_ >= kMinSamplesPerWord * words_.size();
}

void Shape::PutTypes(Json* schema) const {
  std::vector<Json> names;
  for (const auto& [type, name] : kTypeNames) {
    // A number may be an integer, too.
    if (!(types_ & type) || (type == kInteger && (types_ & kNumber))) continue;
    names.push_back(JsonText(name));
  }
  if (names.size() == 1) {
    Put(schema, "type", std::move(names[0]));
  } else if (!names.empty()) {
    Put(schema, "type", JsonList(std::move(names)));
  }
}

void Shape::PutMembers(bool closed, Json* schema) const {
  std::vector<Json> required;
  Json properties = JsonObject();
  for (const auto& [name, member] : members_) {
    if (member.count == objects_) required.push_back(JsonText(name));
    Put(&properties, name, member.shape ? member.shape->Schema(closed) : JsonObject());
  }
  if (!required.empty()) Put(schema, "required", JsonList(std::move(required)));
  if (!properties.members.empty()) Put(schema, "properties", std::move(properties));
  if (map_) {
    if (items_ && !items_unknown_) Put(schema, "additionalProperties", items_->Schema(closed));
  } else if (closed && objects_ > 0) {
    Put(schema, "additionalProperties", JsonFlag(false));
  }
}

Json Shape::Schema(bool closed) const {
  Json schema = JsonObject();
  if (anything_) return schema;
  PutTypes(&schema);
  if (HasEnum()) {
    std::vector<Json> words;
    for (const std::string& word : words_) words.push_back(JsonText(word));
    if (types_ & kNull) words.push_back(Json());
    Put(&schema, "enum", JsonList(std::move(words)));
  }
  for (size_t i = 0; (types_ & kString) && i < std::size(kFormats); ++i) {
    if (!(formats_ & 1u << i)) continue;
    Put(&schema, "format", JsonText(kFormats[i].name));
    break;
  }
  if ((types_ & kArray) && !map_ && items_ && !items_unknown_) {
    Put(&schema, "items", items_->Schema(closed));
  }
  PutMembers(closed, &schema);
  return schema;
}

}  // namespace midwire::check
