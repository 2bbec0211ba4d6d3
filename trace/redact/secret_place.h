// Where secrets stand in messages: places ([METHOD:]pointer) and names of members, as a dialect or
// a user names them. Called by the recorder, which hides them as they stream by, and by the
// redaction of whole traces. Pure; knows no values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/json/pointer.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

struct SecretPlaces {
  std::vector<MethodPlace> places;
  std::vector<std::string> names;  // of members, anywhere; see SameLetters
  bool empty() const { return places.empty() && names.empty(); }
};

SecretPlaces SecretsOf(const Dialect& dialect);

// Equal but for the case of ASCII letters: "Authorization" is "authorization".
bool SameLetters(std::string_view a, std::string_view b);

// Calls visit(value) for each string and number in `json` (loose JSON, one message) that stands at
// a place or below one, in order; views into it. No method: it is not known, any may be meant.
void VisitSecrets(std::string_view json, std::optional<std::string_view> method,
                  const SecretPlaces& secrets, const std::function<void(std::string_view)>& visit);

// The same for whoever cannot know the method yet, for a Redactor: pointers for any method. A place
// with a step `**` becomes the name of its last step, which hides more than asked for; an error is
// one that does not end in a name.
struct StreamedPlaces {
  std::vector<Pointer> pointers;
  std::vector<std::string> names;
};
Result<StreamedPlaces> ForAnyMethod(const SecretPlaces& secrets);

}  // namespace midwire::wire
