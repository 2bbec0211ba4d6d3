// Whether messages fulfil the schemas of their dialect: asked before and after secrets are
// replaced, so that a token which the schema refuses is exchanged for another. Called by
// TraceRedactor. Reads texts in place, keeps none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"

namespace midwire::trace::redact {

class SchemaGuard {
 public:
  explicit SchemaGuard(const wire::Dialect* dialect) : dialect_(dialect) {}  // outlives it

  // Whether the params or, of an answer, the result do. True if the dialect has no schema for it.
  bool Fulfils(std::string_view json, std::string_view method, bool answer) const;
  // The strings that its enums list: public, and words of the protocol.
  std::vector<std::string> Words() const;

 private:
  const wire::Dialect* dialect_;
};

}  // namespace midwire::trace::redact
