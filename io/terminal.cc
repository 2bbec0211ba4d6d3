#include "io/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace midwire::io {

size_t TerminalWidth(int fd) {
  if (isatty(fd) == 0) return 0;
  winsize size = {};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

size_t TerminalHeight(int fd) {
  if (isatty(fd) == 0) return 0;
  winsize size = {};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

}  // namespace midwire::io
