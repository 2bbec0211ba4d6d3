#include "wire/framing.h"

#include <iterator>

namespace midwire::wire {

std::string_view Name(Framing framing) {
  static constexpr std::string_view kNames[] = {"auto", "line", "content-length"};
  return kNames[static_cast<int>(framing)];
}

bool ParseFraming(std::string_view text, Framing* to) {
  for (Framing framing : {Framing::kAuto, Framing::kLine, Framing::kContentLength}) {
    if (text == Name(framing)) {
      *to = framing;
      return true;
    }
  }
  return false;
}

std::string OdditiesText(Oddities oddities) {
  static constexpr std::string_view kNames[] = {
      "lf-only",        "extra-header",    "leading-zeros", "signed-length", "header-case",
      "header-spacing", "repeated-length", "empty-body",    "crlf",          "shared-line",
      "unterminated",   "byte-order-mark", "blanks-around", "invalid-utf8",  "nul-byte",
      "trailing-bytes", "resynchronised",  "doubled-cr",    "long-length",   "other-framing",
      "indented-header"};
  std::string text;
  for (size_t bit = 0; bit < std::size(kNames); ++bit) {
    if (!(oddities & (1u << bit))) continue;
    if (!text.empty()) text += ',';
    text += kNames[bit];
  }
  return text;
}

std::string_view Name(JunkReason reason) {
  static constexpr std::string_view kNames[] = {"text", "blank", "stray-blank", "bad-header",
                                                "truncated"};
  static_assert(std::size(kNames) == static_cast<size_t>(JunkReason::kTruncated) + 1);
  return kNames[static_cast<int>(reason)];
}

}  // namespace midwire::wire
