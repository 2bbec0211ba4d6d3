#include "proxy/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace midwire::proxy {
namespace {

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

int Spawn(const std::vector<std::string>& argv, const Pipe& out, const Pipe& err, pid_t* pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int error = posix_spawnp(pid, words[0], &actions, nullptr, words.data(), environ);
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

void ReadBoth(Pipe* out, Pipe* err, CommandOutcome* outcome) {
  while (out->ends[0] >= 0 || err->ends[0] >= 0) {
    // poll(2) skips a descriptor of -1.
    pollfd ready[] = {{out->ends[0], POLLIN, 0}, {err->ends[0], POLLIN, 0}};
    if (poll(ready, 2, -1) < 0 && errno != EINTR) return;
    if (ready[0].revents != 0 && !ReadSome(out->ends[0], &outcome->out)) out->CloseEnd(0);
    if (ready[1].revents != 0 && !ReadSome(err->ends[0], &outcome->err)) err->CloseEnd(0);
  }
}

}  // namespace

Result<CommandOutcome> RunCommand(const std::vector<std::string>& argv) {
  if (argv.empty() || argv[0].empty()) return Error{"no command to run", "", ""};
  Pipe out, err;
  if (!out.Open() || !err.Open()) return Error{"cannot make a pipe", "", strerror(errno)};
  pid_t pid = -1;
  const int error = Spawn(argv, out, err, &pid);
  if (error != 0) return Error{"cannot be started", argv[0], strerror(error)};
  out.CloseEnd(1);
  err.CloseEnd(1);
  CommandOutcome outcome;
  ReadBoth(&out, &err, &outcome);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

}  // namespace midwire::proxy
