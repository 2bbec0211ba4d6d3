// The floor: a bare poll relay that records nothing, forwards no signal and guarantees nothing.
// midwire's round trip is compared with it. floor_relay PLUGIN ARGS...
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace {

constexpr size_t kBuffer = 64 * 1024;

// False at the end of the stream.
bool Pass(int from, int to, char* buffer) {
  const ssize_t size = read(from, buffer, kBuffer);
  for (ssize_t at = 0; at < size;) {
    const ssize_t wrote = write(to, buffer + at, size - at);
    if (wrote <= 0) return false;
    at += wrote;
  }
  return size > 0;
}

}  // namespace

int main(int argc, char** argv) {
  int in[2], out[2];
  if (argc < 2 || pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return 2;
  const pid_t plugin = fork();
  if (plugin == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  static char buffer[kBuffer];
  pollfd ends[2] = {{0, POLLIN, 0}, {out[0], POLLIN, 0}};
  while (ends[1].fd >= 0 && poll(ends, 2, -1) > 0) {
    if (ends[0].revents && !Pass(0, in[1], buffer)) {
      close(in[1]);
      ends[0].fd = -1;
    }
    if (ends[1].revents && !Pass(out[0], 1, buffer)) ends[1].fd = -1;
  }
  int status = 0;
  waitpid(plugin, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
