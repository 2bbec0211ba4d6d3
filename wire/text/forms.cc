#include "wire/text/forms.h"

#include <algorithm>

#include "wire/json/ascii.h"

namespace midwire::wire {

bool HasForm(std::string_view text, std::string_view form) {
  return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                    [](char c, char wanted) { return wanted == '#' ? IsDigit(c) : c == wanted; });
}

bool IsDate(std::string_view text) { return HasForm(text, "####-##-##"); }

bool IsTimeOffset(std::string_view text) {
  return text == "Z" || HasForm(text, "+##:##") || HasForm(text, "-##:##");
}

bool IsDateTime(std::string_view text) {
  constexpr std::string_view kForm = "####-##-##T##:##:##";
  if (!HasForm(text.substr(0, kForm.size()), kForm)) return false;
  text.remove_prefix(kForm.size());
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  }
  return IsTimeOffset(text);
}

bool BeginsWithDrive(std::string_view text) {
  return text.size() > 2 && IsLetter(text[0]) && text[1] == ':' &&
         (text[2] == '\\' || text[2] == '/');
}

bool IsAbsolutePath(std::string_view text) {
  return (text.starts_with('/') || BeginsWithDrive(text)) &&
         text.find_first_of("\r\n") == text.npos;
}

}  // namespace midwire::wire
