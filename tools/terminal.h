// What printers may use of the terminal: colours and its width. Called once by a command, which
// passes the result to view/. No other file reads the environment or a terminal for this.
#pragma once

#include <string_view>

#include "view/text/style.h"

namespace midwire::tools {

// `color` is auto, always or never (--color). auto: on a terminal, unless NO_COLOR is set
// (no-color.org) or TERM is "dumb".
view::Style StyleOf(int descriptor, std::string_view color);

class ArgumentParser;
// Declares --no-pager (Output::Page).
void AddNoPager(ArgumentParser parser, bool* to);

}  // namespace midwire::tools
