// JSON Schema draft 4, or the draft up to 2020-12 that its "$schema" names (schema_reference.h):
// compiled once, then many messages are validated against it. Called by check, fuzz and dialects.
// Reads the text in place: builds no document, and its memory does not grow with the calls. Never
// follows a reference out of the schema, and does not evaluate "format".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

class PatternCache;

// The first violation in a value.
struct SchemaViolation {
  std::string pointer;  // within the value; "" is the value itself
  std::string keyword;  // "required", "type", "enum", ...
  std::string rule;     // pointer to the object of the schema that has the keyword; what came by
                        // a reference begins with "/definitions/NAME"
  std::string member;   // the one that is missing ("required", "dependencies"), else ""
  // Of a value that matches none of several alternatives: those that differ at the same pointer.
  struct Other {
    std::string keyword, rule;
  };
  std::vector<Other> others;
};

// What a schema names, each in order, duplicates kept: for programs that generate values.
struct SchemaWords {
  std::vector<std::string> members;  // names, without JSON escapes
  std::vector<std::string> values;   // of enums, as JSON
  std::vector<std::string> limits;   // minimum, maximum and multipleOf, as JSON
};

class Schema {
 public:
  // `schema` may use "$ref":"#" and "#/definitions/NAME" (and pointers into it) with the members of
  // `definitions` (an object, or null: then the schema may have "definitions" of its own). A schema
  // may refer to itself for a value inside of the value. `patterns` shares the regular expressions
  // of several schemas; null: not shared. No argument is kept.
  //
  // Errors, with the place: not an object; a reference to nothing or in a circle; a regular
  // expression that is not supported (see pattern.h). Also a keyword that is unknown (except
  // x-...), occurs twice or has a value of a wrong type.
  static Result<Schema> Compile(const Json& schema, const Json* definitions,
                                PatternCache* patterns = nullptr);
  // The same, compiled when it is first used, because a session uses few of a protocol's methods.
  // For a schema that is known to compile, such as one of a built-in dialect. If it does not
  // compile after all, every value is valid. `document` holds both other values; `patterns` may not
  // be null.
  static Schema Deferred(std::shared_ptr<const Json> document, const Json* schema,
                         const Json* definitions, std::shared_ptr<PatternCache> patterns);
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;
  ~Schema();

  // `value` is loose JSON (IsLooseJson); blanks around it are allowed. Numbers of any size are
  // compared exactly as they are spelled; "integer" is one without a point or an exponent (draft 4:
  // 1.0 is not an integer). A length counts characters; a byte that is not UTF-8 counts as one. If
  // a name occurs twice, both values are validated. uniqueItems compares the first 65,536 elements.
  // Not thread-safe: the next call reuses its memory.
  std::optional<SchemaViolation> Validate(std::string_view value);
  // The same. If it finds nothing, it appends the parts of the text that the outcome depends on. Of
  // the rest, only the names and order of members, the types of values, and whether a number has a
  // point or an exponent matter.
  std::optional<SchemaViolation> Validate(std::string_view value,
                                          std::vector<std::string_view>* read);
  // The last Validate found nothing, but did not check all. It was too much work or too deep a
  // recursion, or a large pattern met a long string, or uniqueItems more elements than it compares.
  bool gave_up() const;
  // Schemas within it, including those that it refers to: about 500 bytes each.
  size_t size() const;

  // What the part at a violation's `rule` requires, or one of its `others`, for people: "an integer
  // from 0 to 255", "one of \"a\", \"b\"", "an object with x and y". One line, safe on a terminal.
  std::string Expectation(const SchemaViolation& violation) const;

  SchemaWords Words() const;

 private:
  struct Compiled;
  explicit Schema(std::unique_ptr<Compiled> compiled);
  std::string Expectation(const std::string& keyword, const std::string& rule) const;
  Compiled& Ready() const;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace midwire::wire
