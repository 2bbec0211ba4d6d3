// Where a JSON Schema stands within data: a property named `password` of a tool's input is
// described, not given, so its `type` and `description` are no secrets. Called for each member by
// SecretWalk (secret_place.cc) and by Redactor. Pure; holds no values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::trace::redact {

enum class SchemaState : uint8_t {
  kNone,    // data
  kNames,   // "properties" and the like: its members may be schemas
  kSchema,  // the schema of a property with a secret name
  kMap,     // within such a schema: members are schemas
  kList,    // the same for elements
  kStay,    // the value of a keyword
};

// Whether values here belong to the schema of a secret property, and are not secret.
constexpr bool IsOfSchema(SchemaState state) { return state >= SchemaState::kSchema; }

// Of the member `name` (empty: an element) of a container of a schema. kNone: not a keyword, or one
// with a value of the property itself ("default", "examples"), which is secret.
SchemaState WithinSchema(SchemaState container, std::string_view name);

// "properties", "$defs" and others whose members are schemas.
bool HoldsSchemas(std::string_view name);

// The value that begins at `text`: an object with a JSON Schema type.
bool LooksLikeSchema(std::string_view text);
// The value of the member `name` that begins at `text`: an object that holds objects, or that is
// known to be a schema by its name ("inputSchema").
bool LooksLikeObjectSchema(std::string_view name, std::string_view text);

// The keywords, types and formats of schemas: a secret that is spelt like one, such as "string",
// must not change the schemas of a trace.
std::vector<std::string> WordsOfSchemas();

}  // namespace midwire::trace::redact
