#include "view/text/style.h"

namespace midwire::view {

std::string_view PaintOn(const Style& style, Paint paint) {
  static constexpr std::string_view kCodes[] = {"",         "\x1b[2m",  "\x1b[1m",  "\x1b[31m",
                                                "\x1b[32m", "\x1b[33m", "\x1b[35m", "\x1b[36m"};
  return style.color ? kCodes[static_cast<int>(paint)] : "";
}

std::string_view PaintOff(const Style& style, Paint paint) {
  return style.color && paint != Paint::kNone ? "\x1b[0m" : "";
}

}  // namespace midwire::view
