// How text for people looks: whether it has colours, and how wide it is. tools/ fills it in from
// the terminal; the printers never query a terminal or the environment.
#pragma once

#include <cstddef>
#include <string_view>

namespace midwire::view {

struct Style {
  bool color = false;
  size_t width = 0;  // columns of the terminal; 0: not a terminal, cut nothing
};

// SGR parameters (ECMA-48, 8.3.117); the terminal's own palette, so that they suit its background.
enum class Paint { kNone, kDim, kBold, kRed, kGreen, kYellow, kMagenta, kCyan };
inline std::string_view PaintOn(const Style& style, Paint paint) {
  static constexpr std::string_view kCodes[] = {"",         "\x1b[2m",  "\x1b[1m",  "\x1b[31m",
                                                "\x1b[32m", "\x1b[33m", "\x1b[35m", "\x1b[36m"};
  return style.color ? kCodes[static_cast<int>(paint)] : "";
}
inline std::string_view PaintOff(const Style& style, Paint paint) {
  return style.color && paint != Paint::kNone ? "\x1b[0m" : "";
}

}  // namespace midwire::view
