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

view::Style StyleOf(int descriptor, std::string_view color) {
  view::Style style;
  const bool terminal = isatty(descriptor);
  style.color = color == "always" || (color == "auto" && terminal && EnvironmentAllowsColor());
  winsize size = {};
  if (terminal) {
    // A terminal without a size (a serial line) gets the classic 80 columns.
    style.width = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  }
  return style;
}

}  // namespace midwire::tools
