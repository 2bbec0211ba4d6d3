// Resolves "$ref" within one schema and its definitions. Called by SchemaCompiler. Never follows a
// reference to anything else.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// `pointer` with one more step, escaped (RFC 6901).
std::string WithStep(std::string_view pointer, std::string_view step);

class SchemaReferences {
 public:
  // `definitions` is an object or null, see Schema::Compile. Both outlive this.
  SchemaReferences(const Json& root, const Json* definitions)
      : root_(root), definitions_(definitions) {}

  struct Target {
    const Json* schema = nullptr;  // an object without "$ref"
    std::string place;             // pointer
  };
  // Follows the references of `schema`, which is at `place`.
  Result<Target> Follow(const Json& schema, std::string_view place);

 private:
  // Null: nothing is there.
  const Json* Find(std::string_view fragment);
  const Json* FindMember(const Json& object, const std::string& name);

  const Json& root_;
  const Json* definitions_;
  std::map<const Json*, std::unordered_map<std::string_view, const Json*>> indices_;
};

}  // namespace midwire::wire
