#include "io/process/detached.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "io/process/launcher.h"

namespace midwire::io {

int StartDetached(const std::string& path, const std::vector<std::string>& argv) {
  const pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) {
    setsid();
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
    LaunchOptions options;
    options.path = path;
    options.argv = argv;
    options.ends = {null, null, null};
    options.signals = LaunchOptions::Signals::kDefault;
    pid_t ignored = -1;
    _exit(null < 0 ? errno : Launch(options, &ignored));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return errno;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
}

}  // namespace midwire::io
