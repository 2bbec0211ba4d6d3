#include "replay/values/value_form.h"

#include <algorithm>
#include <string>

#include "trace/looks.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::replay {
namespace {

// In the alphabets of base64 and base64url: a short random text may have none of them by chance.
constexpr std::string_view kOfBase64 = "+/=-_";
// A recorded text as long as this with letters and digits alone may be base64.
constexpr size_t kLongForm = 16;

// What programs print where a value is missing.
bool IsPlaceholder(std::string_view text) {
  constexpr std::string_view kWords[] = {"undefined", "null",  "none", "nil",
                                         "nan",       "false", "true", "unknown"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return wire::SameLetters(text, word); });
}

// The UUID or ULID that stands for none (RFC 9562, 5.9).
bool IsNilId(std::string_view id) { return id.find_first_not_of("0-") == id.npos; }

bool SameFormOfText(const std::string& recorded, const std::string& live) {
  if (live.empty()) return recorded.empty();
  if (trace::IsUniqueId(recorded)) {
    return trace::IsUniqueId(live) && (!IsNilId(live) || IsNilId(recorded));
  }
  if (IsPlaceholder(live)) return IsPlaceholder(recorded);
  const bool digits = std::all_of(recorded.begin(), recorded.end(), wire::IsDigit);
  // Ten digits may be hexadecimal by chance.
  if (digits) return std::all_of(live.begin(), live.end(), wire::IsHexDigit);
  const bool random =
      recorded.size() >= kLongForm || recorded.find_first_of(kOfBase64) != std::string::npos;
  return std::all_of(live.begin(), live.end(), [&](char c) {
    if (wire::IsAlphanumeric(c) || recorded.find(c) != std::string::npos) return true;
    return random && kOfBase64.find(c) != kOfBase64.npos;
  });
}

}  // namespace

bool SameForm(std::string_view recorded, std::string_view live) {
  const wire::JsonType type = wire::TypeOf(recorded);
  if (type != wire::TypeOf(live)) return false;
  if (type == wire::JsonType::kString) {
    return SameFormOfText(wire::StringValue(recorded), wire::StringValue(live));
  }
  if (type != wire::JsonType::kNumber) return true;
  const auto fraction = [](std::string_view number) {
    return number.find_first_of(".eE") != number.npos;
  };
  return fraction(recorded) == fraction(live) && recorded.starts_with('-') == live.starts_with('-');
}

}  // namespace midwire::replay
