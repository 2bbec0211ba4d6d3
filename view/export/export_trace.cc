#include "view/export/export_trace.h"

#include <algorithm>

#include "wire/json/ascii.h"

namespace midwire::view {
namespace {

bool IsZero(std::string_view text) { return text.find_first_not_of('0') == text.npos; }

}  // namespace

std::string NameOf(const ExportRow& row) {
  if (row.method.empty()) {
    constexpr const char* kNames[] = {"request",      "response", "error",
                                      "notification", "batch",    "invalid"};
    return kNames[std::min(static_cast<int>(row.kind), 5)];
  }
  return row.label.empty() ? row.method : row.method + " " + row.label;
}

bool IsTraceparent(std::string_view text) {
  return text.size() == 55 && text.starts_with("00-") && text[35] == '-' && text[52] == '-' &&
         wire::IsHexDigits(text.substr(3, 32)) && wire::IsHexDigits(text.substr(36, 16)) &&
         wire::IsHexDigits(text.substr(53)) &&
         std::none_of(text.begin(), text.end(), wire::IsUpper) && !IsZero(text.substr(3, 32)) &&
         !IsZero(text.substr(36, 16));
}

}  // namespace midwire::view
