#include "tools/terminal.h"

#include <cstdlib>
#include <cstring>

#include "io/terminal.h"
#include "tools/console/arguments.h"

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
  style.width = io::TerminalWidth(descriptor);
  const bool terminal = style.width > 0;
  style.color = color == "always" || (color == "auto" && terminal && EnvironmentAllowsColor());
  return style;
}

void AddNoPager(ArgumentParser parser, bool* to) {
  parser.AddFlag("--no-pager", to,
                 "print at once; otherwise, what does not fit on a terminal goes through $PAGER "
                 "(default less)");
}

}  // namespace midwire::tools
