// The size of a terminal. Called by tools/. Never writes to it.
#pragma once

#include <cstddef>

namespace midwire::io {

// Columns; 80 for a terminal that does not report its width (a serial line). 0: `fd` is no
// terminal.
size_t TerminalWidth(int fd);
// Rows; 24 for a terminal that does not report them. 0: `fd` is no terminal.
size_t TerminalHeight(int fd);

}  // namespace midwire::io
