// JSON Schema draft 4, as a dialect uses it: compiled once, held against the params or the result
// of many messages. RapidJSON does the work (json_schema.cc is one of the files that see it).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wire/json.h"
#include "wire/result.h"

namespace midwire::wire {

// The first thing that a value breaks.
struct SchemaViolation {
  std::string pointer;  // within the value; "" is the value itself
  std::string keyword;  // "required", "type", "enum", ...
  std::string rule;     // JSON pointer into the schema, of the part that was broken
};

class Schema {
 public:
  // `schema` may use "$ref":"#/definitions/NAME" with the members of `definitions` (an object, or
  // null). Errors: not an object, a reference to nothing, a keyword with a value of a wrong type.
  static Result<Schema> Compile(const Json& schema, const Json* definitions);
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;
  ~Schema();

  // `value` is loose JSON (IsLooseJson). Not thread-safe: its memory is used again by the next
  // call.
  std::optional<SchemaViolation> Validate(std::string_view value);
  // "an integer from 0 to 255", "one of \"a\", \"b\"", "an object with x and y": what the part at a
  // violation's `rule` asks for, for people.
  std::string Expectation(const SchemaViolation& violation) const;

 private:
  struct Compiled;
  explicit Schema(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace midwire::wire
