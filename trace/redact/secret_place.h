// Where secrets are in messages: places ([METHOD:]pointer) and names of members, from a dialect or
// a user. Called by the recorder, which hides them while they stream, and by the redaction of whole
// traces. Pure; holds no values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"
#include "wire/outcome/result.h"

namespace midwire::trace::redact {

struct SecretPlaces {
  std::vector<wire::MethodPlace> places;
  std::vector<std::string> names;  // of members, anywhere; see SameLetters
  bool telling = false;            // also what is beside a telling name (telling_names.h)
  bool empty() const { return places.empty() && names.empty() && !telling; }
};

SecretPlaces SecretsOf(const wire::Dialect& dialect);

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

// For a caller that does not know the method yet, for a Redactor: pointers for any method.
// A place with a step `**` becomes the name of its last step, which hides more than requested.
// Fails for one that does not end in a name.
struct StreamedPlaces {
  std::vector<wire::Pointer> pointers;
  std::vector<std::string> names;
};
Result<StreamedPlaces> ForAnyMethod(const SecretPlaces& secrets);

}  // namespace midwire::trace::redact
