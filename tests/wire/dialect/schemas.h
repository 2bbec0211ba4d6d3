// The test language of schemas: a schema and a value as text, the violation out as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "wire/dialect/schema.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::wire {

inline Schema Compiled(std::string_view schema, std::string_view definitions = "") {
  const Json parsed = *ParseJson(schema);
  Result<Schema> compiled = Error{};
  if (definitions.empty()) {
    compiled = Schema::Compile(parsed, nullptr);
  } else {
    const Json beside = *ParseJson(definitions);
    compiled = Schema::Compile(parsed, &beside);
  }
  EXPECT_TRUE(compiled.ok()) << compiled.error().Text();
  return std::move(*compiled);
}

// "where: remedy" of a schema that is refused.
inline std::string Refused(std::string_view schema, std::string_view definitions = "{}") {
  const Json parsed = *ParseJson(schema), beside = *ParseJson(definitions);
  const auto compiled = Schema::Compile(parsed, &beside);
  return compiled ? "compiles" : compiled.error().where + ": " + compiled.error().remedy;
}

// "fine", "gave up", or "POINTER KEYWORD RULE" with " MEMBER" when there is one.
inline std::string Check(Schema& schema, std::string_view value) {
  EXPECT_TRUE(IsLooseJson(value)) << value.substr(0, 200);
  const auto found = schema.Validate(value);
  if (!found) return schema.gave_up() ? "gave up" : "fine";
  std::string text = found->pointer + " " + found->keyword + " " + found->rule;
  return found->member.empty() ? text : text + " " + found->member;
}
inline std::string Check(std::string_view schema, std::string_view value) {
  Schema compiled = Compiled(schema);
  return Check(compiled, value);
}

// What was expected of a value, "fine" if the value is as expected.
inline std::string Expected(std::string_view schema, std::string_view value) {
  Schema compiled = Compiled(schema);
  const auto found = compiled.Validate(value);
  return found ? compiled.Expectation(*found) : "fine";
}

}  // namespace midwire::wire
