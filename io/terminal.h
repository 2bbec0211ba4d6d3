// How wide a terminal is.
#pragma once

#include <cstddef>

namespace midwire::io {

// Columns. A terminal that does not say (a serial line) is taken for a classic one of 80. 0: `fd`
// is no terminal.
size_t TerminalWidth(int fd);

}  // namespace midwire::io
