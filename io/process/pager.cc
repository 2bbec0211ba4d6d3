#include "io/process/pager.h"

#include <utility>

#include "io/pipe.h"
#include "io/process/launcher.h"
#include "io/process/reap.h"
#include "io/signals.h"

namespace midwire::io {

bool Pager::Start(const std::string& command) {
  Pipe pipe;
  if (!pipe.Open()) return false;
  const LaunchOptions options = {.path = "/bin/sh",
                                 .argv = {"sh", "-c", command},
                                 .ends = {pipe.reader, 1, 2},
                                 .signals = LaunchOptions::Signals::kDefault};
  if (Launch(options, &pid_) != 0) return false;
  fd_ = std::exchange(pipe.writer, -1);
  // Ctrl-C is for the pager. If it ends early, writing to it fails with EPIPE.
  IgnoreSignals({SIGINT, SIGPIPE});
  return true;
}

void Pager::Finish() {
  if (fd_ < 0) return;
  CloseDescriptor(&fd_);
  WaitForEnd(pid_);
}

}  // namespace midwire::io
