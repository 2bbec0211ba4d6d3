// JSON Schema draft 4 (draft-fge-json-schema-validation-00), as a dialect uses it: compiled once,
// held against the params or the result of many messages. Reads the text where it stands: builds no
// document, and its memory does not grow with the calls. Never follows a reference out of the
// schema.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// The first thing that a value breaks.
struct SchemaViolation {
  std::string pointer;  // within the value; "" is the value itself
  std::string keyword;  // "required", "type", "enum", ...
  std::string rule;     // pointer to the object of the schema that has the keyword; what came by
                        // a reference begins with "/definitions/NAME"
  std::string member;   // the one that is missing ("required", "dependencies"), else ""
};

// What a schema names, each in order and perhaps twice: for whoever makes values up.
struct SchemaWords {
  std::vector<std::string> members;  // names, not spelt as JSON
  std::vector<std::string> values;   // of enums, as JSON
  std::vector<std::string> limits;   // minimum, maximum and multipleOf, as JSON
};

class Schema {
 public:
  // `schema` may use "$ref":"#" and "#/definitions/NAME" (and what lies in there) with the members
  // of `definitions` (an object, or null: then the schema may have "definitions" of its own).
  // Schemas may refer to themselves where a value inside of the value is meant. Neither argument is
  // kept. Errors, with the place: not an object, a reference to nothing or in a circle, a keyword
  // that is unknown (but x-...), twice, or has a value of a wrong type; what is refused on purpose:
  // "pattern" and "patternProperties".
  static Result<Schema> Compile(const Json& schema, const Json* definitions);
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;
  ~Schema();

  // `value` is loose JSON (IsLooseJson), blanks around it are fine. Numbers of any size are
  // compared as they are spelt; "integer" is one without a point or an exponent (draft 4: 1.0 is
  // none). A length counts characters; a byte that is not UTF-8 counts as one. Of a name that
  // stands twice, each value is held against the schema. uniqueItems looks at the first 65,536
  // elements. Not thread-safe: its memory is used again by the next call.
  std::optional<SchemaViolation> Validate(std::string_view value);
  // The last Validate stopped before its end and tells nothing: schema and value were made so that
  // all alternatives together are work without end, or more calls than a stack holds.
  bool gave_up() const;
  // Schemas within it, those that it refers to counted: some 500 bytes each.
  size_t size() const;

  // "an integer from 0 to 255", "one of \"a\", \"b\"", "an object with x and y": what the part at a
  // violation's `rule` asks for, for people. One line, safe on a terminal.
  std::string Expectation(const SchemaViolation& violation) const;

  SchemaWords Words() const;

 private:
  struct Compiled;
  explicit Schema(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace midwire::wire
