#include "trace/redact/schema_state.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "wire/json/parts.h"

namespace midwire::trace::redact {
namespace {

struct Keyword {
  std::string_view name;
  SchemaState state;
};

// Of JSON Schema drafts 4 to 2020-12. Not here: default, example and examples.
constexpr Keyword kKeywords[] = {
    {"type", SchemaState::kStay},
    {"title", SchemaState::kStay},
    {"description", SchemaState::kStay},
    {"format", SchemaState::kStay},
    {"enum", SchemaState::kStay},
    {"enumNames", SchemaState::kStay},
    {"const", SchemaState::kStay},
    {"pattern", SchemaState::kStay},
    {"required", SchemaState::kStay},
    {"minLength", SchemaState::kStay},
    {"maxLength", SchemaState::kStay},
    {"minimum", SchemaState::kStay},
    {"maximum", SchemaState::kStay},
    {"exclusiveMinimum", SchemaState::kStay},
    {"exclusiveMaximum", SchemaState::kStay},
    {"multipleOf", SchemaState::kStay},
    {"minItems", SchemaState::kStay},
    {"maxItems", SchemaState::kStay},
    {"uniqueItems", SchemaState::kStay},
    {"minProperties", SchemaState::kStay},
    {"maxProperties", SchemaState::kStay},
    {"contentEncoding", SchemaState::kStay},
    {"contentMediaType", SchemaState::kStay},
    {"deprecated", SchemaState::kStay},
    {"readOnly", SchemaState::kStay},
    {"writeOnly", SchemaState::kStay},
    {"nullable", SchemaState::kStay},
    {"$ref", SchemaState::kStay},
    {"$id", SchemaState::kStay},
    {"$schema", SchemaState::kStay},
    {"$anchor", SchemaState::kStay},
    {"$comment", SchemaState::kStay},
    {"items", SchemaState::kSchema},
    {"additionalItems", SchemaState::kSchema},
    {"additionalProperties", SchemaState::kSchema},
    {"propertyNames", SchemaState::kSchema},
    {"contains", SchemaState::kSchema},
    {"not", SchemaState::kSchema},
    {"if", SchemaState::kSchema},
    {"then", SchemaState::kSchema},
    {"else", SchemaState::kSchema},
    {"anyOf", SchemaState::kList},
    {"oneOf", SchemaState::kList},
    {"allOf", SchemaState::kList},
    {"prefixItems", SchemaState::kList},
    {"properties", SchemaState::kMap},
    {"patternProperties", SchemaState::kMap},
    {"definitions", SchemaState::kMap},
    {"$defs", SchemaState::kMap},
    {"dependentSchemas", SchemaState::kMap},
};

constexpr std::string_view kTypes[] = {"string", "number", "integer", "boolean",
                                       "object", "array",  "null"};
constexpr std::string_view kNamesOfSchemas[] = {"inputSchema",     "input_schema", "outputSchema",
                                                "requestedSchema", "parameters",   "schema",
                                                "json_schema"};

constexpr std::string_view kOtherWords[] = {
    "default",       "example",      "examples",     "date-time", "duration",      "hostname",
    "uri-reference", "uri-template", "json-pointer", "binary",    "single-select", "multi-select"};

bool Contains(const auto& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool IsTypeName(std::string_view value) {
  return value.size() > 2 && value.front() == '"' &&
         Contains(kTypes, value.substr(1, value.size() - 2));
}

bool IsObject(std::string_view text) { return text.starts_with('{'); }

}  // namespace

bool HoldsSchemas(std::string_view name) {
  return name == "properties" || name == "patternProperties" || name == "definitions" ||
         name == "$defs" || name == "dependentSchemas";
}

SchemaState WithinSchema(SchemaState container, std::string_view name) {
  switch (container) {
    case SchemaState::kNone:
    case SchemaState::kNames:
      return SchemaState::kNone;
    case SchemaState::kMap:
    case SchemaState::kList:
      return SchemaState::kSchema;
    case SchemaState::kStay:
      return SchemaState::kStay;
    case SchemaState::kSchema:
      // "items" may be a list of schemas: its elements have no name.
      if (name.empty()) return SchemaState::kSchema;
      const auto* const known =
          std::find_if(std::begin(kKeywords), std::end(kKeywords),
                       [&](const Keyword& keyword) { return keyword.name == name; });
      return known == std::end(kKeywords) ? SchemaState::kNone : known->state;
  }
  return SchemaState::kNone;
}

bool LooksLikeSchema(std::string_view text) {
  if (!IsObject(text)) return false;
  wire::JsonParts members(text);
  for (wire::JsonPart member; members.Next(&member);) {
    if (member.name != "\"type\"") continue;
    if (!member.value.starts_with('[')) return IsTypeName(member.value);
    wire::JsonParts types(member.value);
    bool all = member.value.size() > 2;
    for (wire::JsonPart type; types.Next(&type);) all = all && IsTypeName(type.value);
    return all;
  }
  return false;
}

bool LooksLikeObjectSchema(std::string_view name, std::string_view text) {
  if (!IsObject(text)) return false;
  if (Contains(kNamesOfSchemas, name)) return true;
  wire::JsonParts members(text);
  for (wire::JsonPart member; members.Next(&member);) {
    if (member.name == "\"$schema\"") return true;
    if (member.name == "\"type\"") return member.value == "\"object\"";
  }
  return false;
}

std::vector<std::string> WordsOfSchemas() {
  std::vector<std::string> words;
  for (const Keyword& keyword : kKeywords) words.emplace_back(keyword.name);
  for (const auto& more :
       {std::span<const std::string_view>(kTypes), {kNamesOfSchemas}, {kOtherWords}}) {
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

}  // namespace midwire::trace::redact
