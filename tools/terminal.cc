#include "tools/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace midwire::tools {
namespace {

bool EnvironmentAllowsColor() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') &&
         (term == nullptr || std::strcmp(term, "dumb") != 0);
}

}  // namespace

Look LookOf(int descriptor, std::string_view color) {
  Look look;
  const bool terminal = isatty(descriptor);
  look.color = color == "always" || (color == "auto" && terminal && EnvironmentAllowsColor());
  winsize size = {};
  if (terminal) {
    // A terminal that does not tell (a serial line) is taken for the classic one.
    look.width = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  }
  return look;
}

std::string_view PaintOn(const Look& look, Paint paint) {
  static constexpr std::string_view kCodes[] = {"",         "\x1b[2m",  "\x1b[1m",
                                                "\x1b[31m", "\x1b[32m", "\x1b[33m",
                                                "\x1b[34m", "\x1b[35m", "\x1b[36m"};
  return look.color ? kCodes[static_cast<int>(paint)] : "";
}

std::string_view PaintOff(const Look& look, Paint paint) {
  return look.color && paint != Paint::kNone ? "\x1b[0m" : "";
}

}  // namespace midwire::tools
