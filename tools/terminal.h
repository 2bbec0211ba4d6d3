// What the output may use: colours, and how wide it is. Asked once by a command; nothing else in
// tools/ looks at the environment or at a terminal for this.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace midwire::tools {

struct Look {
  bool color = false;
  size_t width = 0;  // columns of the terminal; 0: not a terminal, clip nothing
};

// `color` is auto, always or never (--color). auto: on a terminal, unless NO_COLOR is set
// (no-color.org) or TERM is "dumb".
Look LookOf(int descriptor, std::string_view color);

// SGR parameters (ECMA-48, 8.3.117); the terminal's own palette, so that they suit its background.
enum class Paint { kNone, kDim, kBold, kRed, kGreen, kYellow, kBlue, kMagenta, kCyan };
std::string_view PaintOn(const Look& look, Paint paint);
std::string_view PaintOff(const Look& look, Paint paint);

}  // namespace midwire::tools
