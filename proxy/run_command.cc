#include "proxy/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace midwire::proxy {
namespace {

constexpr int kLookMs = 20;  // between two looks at whether it is to stop

struct Pipe {
  int ends[2] = {-1, -1};
  ~Pipe() {
    CloseEnd(0);
    CloseEnd(1);
  }
  bool Open() { return pipe2(ends, O_CLOEXEC) == 0; }
  void CloseEnd(int i) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
};

int Spawn(const std::vector<std::string>& argv, const Pipe& out, const Pipe& err, bool group,
          pid_t* pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // its own: 0
  const int error = posix_spawnp(pid, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Reads once; false at the end.
bool ReadSome(int descriptor, std::string* to) {
  char chunk[16384];
  const ssize_t count = read(descriptor, chunk, sizeof chunk);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  to->append(chunk, std::min<size_t>(count, kMaxKept - to->size()));
  return true;
}

// Whether it has ended; it stays a zombie.
bool HasEnded(pid_t pid) {
  siginfo_t ended = {};
  return waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == pid;
}

void ReadBoth(Pipe* out, Pipe* err, pid_t pid, const std::function<bool()>& stop,
              CommandOutcome* outcome) {
  while (out->ends[0] >= 0 || err->ends[0] >= 0) {
    // poll(2) skips a descriptor of -1.
    pollfd ready[] = {{out->ends[0], POLLIN, 0}, {err->ends[0], POLLIN, 0}};
    const int count = poll(ready, 2, stop ? kLookMs : -1);
    if (count < 0 && errno != EINTR) return;
    if (stop && (stop() || (count == 0 && HasEnded(pid)))) return;
    if (count <= 0) continue;
    if (ready[0].revents != 0 && !ReadSome(out->ends[0], &outcome->out)) out->CloseEnd(0);
    if (ready[1].revents != 0 && !ReadSome(err->ends[0], &outcome->err)) err->CloseEnd(0);
  }
}

}  // namespace

Result<CommandOutcome> RunCommand(const std::vector<std::string>& argv,
                                  const std::function<bool()>& stop) {
  if (argv.empty() || argv[0].empty()) return Error{"no command to run", "", ""};
  Pipe out, err;
  if (!out.Open() || !err.Open()) return Error{"cannot make a pipe", "", strerror(errno)};
  pid_t pid = -1;
  const int error = Spawn(argv, out, err, static_cast<bool>(stop), &pid);
  if (error != 0) return Error{"cannot be started", argv[0], strerror(error)};
  out.CloseEnd(1);
  err.CloseEnd(1);
  CommandOutcome outcome;
  ReadBoth(&out, &err, pid, stop, &outcome);
  // One that has closed its pipes may run on.
  while (stop && !stop() && !HasEnded(pid)) usleep(kLookMs * 1000);
  if (stop) kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

}  // namespace midwire::proxy
