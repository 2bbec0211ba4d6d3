#include "trace/redact/schema_state.h"

#include "trace/redact/word_list.h"
#include "wire/json/parts.h"

namespace midwire::trace::redact {
namespace {

struct Keywords {
  SchemaState state;
  std::string_view names;
};

// Of JSON Schema drafts 4 to 2020-12. Not here: default, example and examples.
constexpr std::string_view kMaps =
    " properties patternProperties definitions $defs dependentSchemas ";
constexpr Keywords kKeywords[] = {
    {SchemaState::kStay,
     " type title description format enum enumNames const pattern required minLength maxLength "
     "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems "
     "minProperties maxProperties contentEncoding contentMediaType deprecated readOnly writeOnly "
     "nullable $ref $id $schema $anchor $comment "},
    {SchemaState::kSchema,
     " items additionalItems additionalProperties propertyNames contains not if then else "},
    {SchemaState::kList, " anyOf oneOf allOf prefixItems "},
    {SchemaState::kMap, kMaps},
};

constexpr std::string_view kTypes = " string number integer boolean object array null ";
constexpr std::string_view kNamesOfSchemas =
    " inputSchema input_schema outputSchema requestedSchema parameters schema json_schema ";

constexpr std::string_view kOtherWords =
    " default example examples date-time duration hostname uri-reference uri-template "
    "json-pointer binary single-select multi-select ";

bool IsTypeName(std::string_view value) {
  return value.size() > 2 && value.front() == '"' &&
         HasWord(kTypes, value.substr(1, value.size() - 2));
}

bool IsObject(std::string_view text) { return text.starts_with('{'); }

}  // namespace

bool HoldsSchemas(std::string_view name) { return name.ends_with('s') && HasWord(kMaps, name); }

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
      for (const Keywords& keywords : kKeywords) {
        if (HasWord(keywords.names, name)) return keywords.state;
      }
      return SchemaState::kNone;
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
  if (HasWord(kNamesOfSchemas, name)) return true;
  wire::JsonParts members(text);
  for (wire::JsonPart member; members.Next(&member);) {
    if (member.name == "\"$schema\"") return true;
    if (member.name == "\"type\"") return member.value == "\"object\"";
  }
  return false;
}

std::vector<std::string> WordsOfSchemas() {
  std::vector<std::string> words;
  for (const Keywords& keywords : kKeywords) AppendWords(keywords.names, &words);
  for (const std::string_view list : {kTypes, kNamesOfSchemas, kOtherWords}) {
    AppendWords(list, &words);
  }
  return words;
}

}  // namespace midwire::trace::redact
