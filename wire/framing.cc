#include "wire/framing.h"

namespace midwire::wire {

std::string_view Name(Framing framing) {
  switch (framing) {
    case Framing::kAuto:
      return "auto";
    case Framing::kLine:
      return "line";
    case Framing::kContentLength:
      return "content-length";
  }
  return "auto";
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
      "trailing-bytes", "resynchronised",  "doubled-cr",    "long-length",   "other-framing"};
  std::string text;
  for (size_t bit = 0; bit < std::size(kNames); ++bit) {
    if (!(oddities & (1u << bit))) continue;
    if (!text.empty()) text += ',';
    text += kNames[bit];
  }
  return text;
}

std::string_view Name(JunkReason reason) {
  switch (reason) {
    case JunkReason::kText:
      return "text";
    case JunkReason::kBlank:
      return "blank";
    case JunkReason::kStrayBlank:
      return "stray-blank";
    case JunkReason::kBadHeader:
      return "bad-header";
    case JunkReason::kTruncated:
      return "truncated";
  }
  return "text";
}

}  // namespace midwire::wire
