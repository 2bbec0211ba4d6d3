// Dialects that those of tests extend, and the mistakes of a dialect as text.
#pragma once

#include <string>
#include <string_view>

#include "wire/dialect/dialect.h"

namespace midwire::wire {

// "timed" has two revisions: 2 has the method b in place of a, and another definition of a name.
inline constexpr std::string_view kTimed = R"({"dialect": "timed",
    "negotiation": {"agreed": ["hello:/result/version"], "default": "1"},
    "definitions": {"name": {"type": "string"}},
    "methods": {"hello": {"from": "host", "kind": "request"},
                "a": {"from": "host", "kind": "request", "params": {"$ref": "#/definitions/name"}}},
    "rules": [{"id": "r", "type": "size"}],
    "revisions": {
      "1": {"batch": "note"},
      "2": {"since": "1", "remove": ["/rules/r"],
            "definitions": {"name": {"type": "integer"}},
            "methods": {"b": {"from": "plugin", "kind": "notification"}}}}})";

// Dialects to extend: "base", "timed", "broken", and "a" and "b", which extend each other.
inline std::string_view Bases(std::string_view name) {
  if (name == "a") return R"({"dialect":"a","extends":"b"})";
  if (name == "b") return R"({"dialect":"b","extends":"a"})";
  if (name == "broken") return R"({"dialect":"broken","methods":7})";
  if (name == "timed") return kTimed;
  if (name != "base") return "";
  return R"({"dialect": "base", "jsonrpc": "should", "detect": ["hello"], "volatile": ["tick"],
             "definitions": {"name": {"type": "string"}},
             "methods": {"a": {"from": "host", "kind": "request", "since": "1"},
                         "b": {"from": "plugin", "kind": "notification"}},
             "errors": {"codes": {"-1": "ONE"}, "other": "must"},
             "lifecycle": {"first": ["a"], "grace_ms": 9},
             "severities": {"utf8": "note"}, "clauses": {"utf8": "1.1"},
             "rules": [{"id": "r1", "type": "size"}, {"id": "r2", "type": "size"}]})";
}

// The error of a dialect with these members, or "none".
inline std::string Mistake(const std::string& members) {
  const Result<Dialect> dialect =
      LoadDialect("{\"dialect\":\"test\"," + members + "}", "test.json", false, Bases);
  return dialect ? "none" : dialect.error().Text();
}

// A mistake, and what its error must contain.
struct MistakeCase {
  const char* members;
  const char* where;  // the pointer
  const char* what;
};

}  // namespace midwire::wire
