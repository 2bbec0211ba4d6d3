// The keywords of draft 4, one row each. Those of later drafts: schema_later_keywords.cc.
#include <algorithm>

#include "wire/dialect/schema_compiler.h"
#include "wire/json/decimal.h"
#include "wire/json/format.h"
#include "wire/json/hash.h"
#include "wire/json/quote.h"

namespace midwire::wire {
namespace {

using Type = Json::Type;

// In an error.
constexpr size_t kMaxShownPattern = 100;

// Annotations: any value, no effect.
constexpr std::string_view kForPeople[] = {"title",    "description", "default",
                                           "format",   "comment",     "$comment",
                                           "examples", "id",          "$schema"};

// Places of schemas, and names: they require nothing of a value.
constexpr std::string_view kRequireNothing[] = {"definitions", "$defs", "$id"};

uint8_t TypeBits(std::string_view name) {
  static constexpr std::pair<std::string_view, uint8_t> kTypes[] = {
      {"null", kNullBit},       {"boolean", kBoolBit},
      {"integer", kIntegerBit}, {"number", kIntegerBit | kFractionBit},
      {"string", kStringBit},   {"array", kArrayBit},
      {"object", kObjectBit}};
  for (const auto& [type, bits] : kTypes) {
    if (type == name) return bits;
  }
  return 0;
}

bool IsAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool SchemaCompiler::TakeFrom(std::span<const Keyword> keywords, std::string_view name,
                              const Json& value, const std::string& where) {
  const auto found = std::find_if(keywords.begin(), keywords.end(),
                                  [&](const Keyword& keyword) { return keyword.name == name; });
  if (found == keywords.end()) return false;
  if (!IsAmong(kRequireNothing, name)) node().anything = false;
  (this->*found->take)(value, where);
  return true;
}

void SchemaCompiler::TakeKeyword(std::string_view name, const Json& value,
                                 const std::string& where) {
  using Self = SchemaCompiler;
  static constexpr Keyword kKeywords[] = {
      {"type", &Self::TakeType},
      {"enum", &Self::TakeEnum},
      {"minimum", &Self::TakeNumber<&SchemaNode::minimum>},
      {"maximum", &Self::TakeNumber<&SchemaNode::maximum>},
      {"exclusiveMinimum", &Self::TakeFlag<&SchemaNode::exclusive_minimum>},
      {"exclusiveMaximum", &Self::TakeFlag<&SchemaNode::exclusive_maximum>},
      {"multipleOf", &Self::TakeMultipleOf},
      {"minLength", &Self::TakeCount<&SchemaNode::min_length>},
      {"maxLength", &Self::TakeCount<&SchemaNode::max_length>},
      {"pattern", &Self::TakePattern},
      {"items", &Self::TakeItems},
      {"additionalItems", &Self::TakeAdditionalItems},
      {"minItems", &Self::TakeCount<&SchemaNode::min_items>},
      {"maxItems", &Self::TakeCount<&SchemaNode::max_items>},
      {"uniqueItems", &Self::TakeFlag<&SchemaNode::unique>},
      {"properties", &Self::TakeProperties},
      {"patternProperties", &Self::TakePatternProperties},
      {"additionalProperties", &Self::TakeAdditionalProperties},
      {"required", &Self::TakeRequired},
      {"minProperties", &Self::TakeCount<&SchemaNode::min_properties>},
      {"maxProperties", &Self::TakeCount<&SchemaNode::max_properties>},
      {"dependencies", &Self::TakeDependencies},
      {"allOf", &Self::TakeAll<&SchemaNode::all_of>},
      {"anyOf", &Self::TakeAll<&SchemaNode::any_of>},
      {"oneOf", &Self::TakeAll<&SchemaNode::one_of>},
      {"not", &Self::TakeNot},
      {"definitions", &Self::TakeDefinitions},
  };
  if (sent() && TakeLaterKeyword(name, value, where)) return;
  if (TakeFrom(kKeywords, name, value, where) || sent() || name.starts_with("x-")) return;
  if (!IsAmong(kForPeople, name)) Wrong(where, "no keyword of JSON Schema draft 4");
}

void SchemaCompiler::TakeType(const Json& value, const std::string& where) {
  uint8_t types = 0;
  const auto add = [&](const Json& type) {
    const uint8_t bits = type.is(Type::kString) ? TypeBits(type.text) : 0;
    if (bits == 0) {
      Wrong(where, "a type is one of null, boolean, integer, number, string, array, object");
    }
    types |= bits;
  };
  if (!value.is(Type::kArray)) {
    add(value);
  } else if (value.items.empty()) {
    Wrong(where, "name a type");
  }
  for (const Json& type : value.items) add(type);
  node().types = types;
  node().whole = draft_ >= SchemaDraft::k6;
}

void SchemaCompiler::TakeEnum(const Json& value, const std::string& where) {
  if (!value.is(Type::kArray) || value.items.empty()) {
    return Wrong(where, "an array of at least one value");
  }
  if (node().has_enum) return;  // a const came first
  node().has_enum = true;
  for (const Json& item : value.items) {
    std::string& spelt = node().spelt.emplace_back();
    AppendJson(item, &spelt);
    if (item.is(Type::kString)) {
      node().strings.push_back(item.text);
    } else {
      node().others.push_back(HashValue(spelt));
    }
  }
}

template <std::string SchemaNode::*number>
void SchemaCompiler::TakeNumber(const Json& value, const std::string& where) {
  if (!value.is(Type::kNumber)) return Wrong(where, "a number");
  node().*number = value.text;
}

void SchemaCompiler::TakeMultipleOf(const Json& value, const std::string& where) {
  TakeNumber<&SchemaNode::multiple_of>(value, where);
  if (!error_ && CompareNumbers(value.text, "0") <= 0) Wrong(where, "a number above 0");
}

template <bool SchemaNode::*flag>
void SchemaCompiler::TakeFlag(const Json& value, const std::string& where) {
  if (!value.is(Type::kBool)) return Wrong(where, "true or false");
  node().*flag = value.boolean;
}

template <uint64_t SchemaNode::*count>
void SchemaCompiler::TakeCount(const Json& value, const std::string& where) {
  if (const auto number = CountIn(value, where)) node().*count = *number;
}

std::optional<uint64_t> SchemaCompiler::CountIn(const Json& value, const std::string& where) {
  const auto number = value.Integer();
  if (number && *number >= 0) return static_cast<uint64_t>(*number);
  // From draft 6 on, 2.0 is one too.
  if (sent() && value.is(Type::kNumber) && !value.text.starts_with('-')) {
    Unread(where, "a count is read in at most 18 digits, without a point or an exponent");
  } else {
    Wrong(where, "an integer, 0 or more");
  }
  return std::nullopt;
}

std::shared_ptr<const Pattern> SchemaCompiler::CompilePattern(const std::string& text,
                                                              const std::string& where) {
  Result<std::shared_ptr<const Pattern>> pattern = patterns_.Get(text);
  if (pattern) return *pattern;
  std::string shown;
  AppendJsonString(text.size() > kMaxShownPattern ? text.substr(0, kMaxShownPattern) + "..." : text,
                   &shown);
  // A dialect has to be corrected, whatever is wrong. Of a schema that was sent, its author may be
  // right.
  const std::string what = pattern.error().what + ": " + shown;
  sent() ? Unread(where, what) : Wrong(where, what);
  return nullptr;
}

void SchemaCompiler::TakePattern(const Json& value, const std::string& where) {
  if (!value.is(Type::kString)) return Wrong(where, "a regular expression");
  node().pattern = CompilePattern(value.text, where);
}

int SchemaCompiler::AddOrBool(const Json& value, const std::string& where) {
  if (value.is(Type::kBool)) return value.boolean ? kAnything : kForbidden;
  return Add(value, where);
}

std::vector<int> SchemaCompiler::AddAll(const Json& value, const std::string& where) {
  std::vector<int> all;
  for (const Json& item : value.items) {
    all.push_back(Add(item, WithStep(where, std::to_string(all.size()))));
  }
  return all;
}

template <std::vector<int> SchemaNode::*schemas>
void SchemaCompiler::TakeAll(const Json& value, const std::string& where) {
  if (value.items.empty()) return Wrong(where, "an array of schemas");
  std::vector<int> all = AddAll(value, where);
  node().*schemas = std::move(all);
}

void SchemaCompiler::TakeItems(const Json& value, const std::string& where) {
  if (value.is(Type::kArray)) {
    std::vector<int> all = AddAll(value, where);
    node().tuple = std::move(all);
    return;
  }
  const int items = sent() ? AddOrBool(value, where) : Add(value, where);
  node().items = items;
}

// Has an effect beside a tuple only, see Finish.
void SchemaCompiler::TakeAdditionalItems(const Json& value, const std::string& where) {
  additional_items_ = AddOrBool(value, where);
}

void SchemaCompiler::TakeAdditionalProperties(const Json& value, const std::string& where) {
  const int additional = AddOrBool(value, where);
  node().additional = additional;
}

void SchemaCompiler::TakeNot(const Json& value, const std::string& where) {
  const int schema = Add(value, where);
  node().not_this = schema;
}

uint32_t SchemaCompiler::Property(const std::string& name) {
  auto [at, is_new] = property_.try_emplace(name, static_cast<uint32_t>(node().properties.size()));
  if (is_new) node().properties.push_back({name});
  return at->second;
}

void SchemaCompiler::TakeProperties(const Json& value, const std::string& where) {
  if (!value.is(Type::kObject)) return Wrong(where, "an object of schemas");
  for (const Json::Member& member : value.members) {
    const std::string place = WithStep(where, member.first);
    const int schema = Add(member.second, place);
    SchemaProperty& property = node().properties[Property(member.first)];
    if (property.described) return Wrong(place, "duplicate name");
    property.described = true;
    property.schema = schema;
  }
}

void SchemaCompiler::TakePatternProperties(const Json& value, const std::string& where) {
  if (!value.is(Type::kObject)) return Wrong(where, "an object of schemas");
  for (const Json::Member& member : value.members) {
    const std::string place = WithStep(where, member.first);
    SchemaPatternProperty property{CompilePattern(member.first, place), Add(member.second, place)};
    if (error_) return;
    node().pattern_properties.push_back(std::move(property));
  }
}

void SchemaCompiler::TakeRequired(const Json& value, const std::string& where) {
  if (!value.is(Type::kArray)) return Wrong(where, "an array of names");
  for (const Json& name : value.items) {
    if (!name.is(Type::kString)) return Wrong(where, "an array of names");
    node().properties[Property(name.text)].required = true;
    node().any_required = true;
  }
}

void SchemaCompiler::TakeDependencies(const Json& value, const std::string& where) {
  if (!value.is(Type::kObject)) return Wrong(where, "an object");
  for (const Json::Member& member : value.members) {
    const std::string place = WithStep(where, member.first);
    SchemaDependency dependency{.property = Property(member.first), .others = {}};
    if (!member.second.is(Type::kArray)) dependency.schema = Add(member.second, place);
    for (const Json& name : member.second.items) {
      if (!name.is(Type::kString)) return Wrong(place, "an array of names, or a schema");
      dependency.others.push_back(Property(name.text));
    }
    node().dependencies.push_back(std::move(dependency));
  }
}

void SchemaCompiler::TakeDefinitions(const Json& value, const std::string& where) {
  if (!sent() && (index_ != 0 || definitions_))
    return Wrong(where, "definitions stand beside the schema");
  if (!value.is(Type::kObject)) Wrong(where, "an object of schemas");
}

}  // namespace midwire::wire
