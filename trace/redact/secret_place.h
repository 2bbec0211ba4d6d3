// Where secrets are in messages: places ([METHOD:]pointer) and names of members, from a dialect or
// a user. Called by the recorder, which hides them while they stream, and by the redaction of whole
// traces. Pure; holds no values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/redact/schema_state.h"
#include "wire/dialect/dialect.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"

namespace midwire::trace::redact {

struct SecretPlaces {
  std::vector<wire::MethodPlace> places;
  std::vector<std::string> names;  // of members, anywhere; see SameLetters
  bool telling = false;            // also what is beside a telling name (telling_names.h)
  bool empty() const { return places.empty() && names.empty() && !telling; }
};

SecretPlaces SecretsOf(const wire::Dialect& dialect);

// The path to a value, followed step by step: whether a secret place or name leads there. Knows no
// text, so that a whole text and one that arrives in pieces use it alike. The matches of the path
// so far are kept, because a text may hold millions of values hundreds of steps deep.
class SecretPath {
 public:
  // What these point to outlives it.
  SecretPath(std::vector<const wire::Pointer*> pointers, const std::vector<std::string>* names);
  bool empty() const { return pointers_.empty() && names_->empty(); }

  // The path now has `length` steps, at least 1. The last one is a member's name, unescaped, or the
  // index of an element.
  void Step(size_t length, std::string_view step, bool member);
  // Whether a string or number there is secret. What describes one in a JSON Schema is not.
  bool IsSecret(size_t length) const {
    return levels_[length].secret && !IsOfSchema(levels_[length].schema);
  }
  // A secret name stands where a schema has its properties. A caller that sees a schema there says
  // so.
  bool MayBeProperty(size_t length) const { return levels_[length].property; }
  void SetProperty(size_t length) { levels_[length].schema = SchemaState::kSchema; }

 private:
  struct Level {
    bool secret = false, property = false;
    bool holds_schemas = false;  // by its name
    SchemaState schema = SchemaState::kNone;
    std::vector<uint64_t> positions;  // by pointer: one bit per step that may come next
  };
  static_assert(wire::kMaxPointerSteps <= 64);

  void Arrive(size_t pointer, size_t step, Level* level) const;

  std::vector<const wire::Pointer*> pointers_;
  const std::vector<std::string>* names_;
  std::vector<Level> levels_;  // by length of the path
};

struct PlacedSecret {
  std::string_view value;  // beside a telling name: may be a part of a string, without its quotes
  bool telling = false;    // found by its telling name only
  bool sure = true;
};
// Reads `json` (loose JSON, one message) once: calls name(path) for each member, before its value,
// and visit(path, value, secret) for each string and number, with views into `json`. `secret` is
// null, or what is secret of it, because it is at or below a secret place, or beside a telling
// name. No method: unknown, so places of any method apply.
void WalkSecrets(std::string_view json, std::optional<std::string_view> method,
                 const SecretPlaces& secrets, const std::function<void(const wire::Path&)>& name,
                 const std::function<void(const wire::Path&, std::string_view value,
                                          const PlacedSecret* secret)>& visit);
// The place or name that made it secret.
struct SecretReason {
  std::string_view kind;  // "place" or "name"
  std::string_view text;  // as the dialect or the user wrote it
};
// Why a value of this message is at a secret place. Slower: only for reports.
SecretReason ReasonOf(std::string_view json, const wire::Path& path, const SecretPlaces& secrets);

// For a Redactor, which does not know the method yet, and may read a message without its beginning:
// pointers for any method. A place with a step `**` that ends in a name becomes that name, which
// hides more than requested.
struct StreamedPlaces {
  std::vector<wire::Pointer> pointers;
  std::vector<std::string> names;
};
StreamedPlaces ForAnyMethod(const SecretPlaces& secrets);

}  // namespace midwire::trace::redact
