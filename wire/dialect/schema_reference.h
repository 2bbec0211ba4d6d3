// Resolves "$ref" within one schema and its definitions. Called by SchemaCompiler. Never follows a
// reference to anything else.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// What an error is about: a mistake, or what midwire does not read of a schema that may be right.
inline constexpr char kWrongSchema[] = "wrong schema", kUnreadSchema[] = "unsupported schema";

// How a schema is read. Without "$schema" it is one of a dialect: draft 4, where what is unknown is
// a mistake. Otherwise it is of the draft that it names: unknown keywords are ignored, and true and
// false are schemas. Keywords of later drafts count in each, because programs name drafts
// carelessly. From 6 on, 1.0 is an integer; from 2019-09 on, keywords beside "$ref" count.
enum class SchemaDraft : uint8_t { kDialect, k4, k6, k2019 };

// `pointer` with one more step, escaped (RFC 6901).
std::string WithStep(std::string_view pointer, std::string_view step);

class SchemaReferences {
 public:
  // `definitions` is an object or null, see Schema::Compile. Both outlive this.
  SchemaReferences(const Json& root, const Json* definitions, SchemaDraft draft)
      : root_(root), definitions_(definitions), draft_(draft) {}

  struct Target {
    const Json* schema = nullptr;  // without a "$ref" that stands for the whole of it
    std::string place;             // pointer
  };
  // Follows the references of `schema`, which is at `place`.
  Result<Target> Follow(const Json& schema, std::string_view place);
  // The same for the value of a "$ref", which is at `place`.
  Result<Target> FollowReference(const Json& reference, std::string_view place);

 private:
  Result<Target> FollowFrom(Target target, std::string_view place);
  Result<Target> Step(const Json& reference, std::string from);
  bool IsSchema(const Json& schema) const;
  // Null: nothing is there.
  const Json* Find(std::string_view fragment);
  const Json* FindMember(const Json& object, const std::string& name);

  const Json& root_;
  const Json* definitions_;
  const SchemaDraft draft_;
  std::map<const Json*, std::unordered_map<std::string_view, const Json*>> indices_;
};

}  // namespace midwire::wire
