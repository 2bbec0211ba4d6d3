#include "io/process/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

// Boost has use_vfork only where this is defined, and does not define it on Linux.
#define BOOST_POSIX_HAS_VFORK 1
#include <boost/process/child.hpp>
#include <boost/process/error.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/posix.hpp>
#include <string_view>

#include "io/pipe.h"
#include "io/process/reap.h"

namespace midwire::io {
namespace {

namespace process = boost::process;

// Dispositions that midwire itself may have changed.
constexpr int kChanged[] = {SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGALRM, SIGXFSZ};

// A handler of ours would run in memory that the child shares with us. exec(2) resets them anyway.
void ResetHandlers() {
  struct sigaction now, usual = {};
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) {
    if (sigaction(number, nullptr, &now) != 0) continue;
    if (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN) sigaction(number, &usual, nullptr);
  }
}

void SetSignals(const LaunchOptions& options, const sigset_t& ours) {
  ResetHandlers();
  if (options.signals == LaunchOptions::Signals::kHosts)
    return options.host_signals->RestoreInChild();
  if (options.signals == LaunchOptions::Signals::kOurs) {
    sigprocmask(SIG_SETMASK, &ours, nullptr);
    return;
  }
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  for (const int number : kChanged) sigaction(number, &usual, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// False: errno says why.
bool SetEnds(const std::array<int, 3>& ends) {
  for (int fd = 0; fd < 3; ++fd) {
    if (ends[fd] < 0) {
      close(fd);
    } else if (ends[fd] == fd ? fcntl(fd, F_SETFD, 0) < 0 : dup2(ends[fd], fd) < 0) {
      return false;
    }
  }
  return true;
}

// What a child does between vfork(2) and exec(2): system calls only, as its memory is ours. vfork,
// because that may be gigabytes of corpus.
struct BetweenForkAndExec : process::extend::handler {
  const LaunchOptions* options;
  char* const* argv;
  char* const* environment;
  sigset_t our_mask;
  // Gets errno when exec fails; closes when it succeeds. Boost reports it through shared memory,
  // which there is none of where a tool makes vfork a fork (valgrind, ThreadSanitizer).
  int errors;
  int* fork_error;
  pid_t parent = getpid();

  // We name the program and its argv[0] apart, which Boost's own arguments cannot.
  template <class Executor>
  void on_setup(Executor& executor) const {
    executor.exe = options->path.c_str();
    executor.cmd_line = argv;
    executor.env = const_cast<char**>(environment);
  }

  template <class Executor>
  void on_fork_error(Executor&, const std::error_code& error) const {
    *fork_error = error.value();
  }

  template <class Executor>
  void on_exec_setup(Executor&) const {
    if (options->dies_with_us) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(127);  // we were killed before that took hold
    }
    if (options->own_group) setpgid(0, 0);
    if (!SetEnds(options->ends)) Fail(errno);
    SetSignals(*options, our_mask);
  }

  template <class Executor>
  void on_exec_error(Executor&, const std::error_code& error) const {
    Fail(error.value());
  }

  [[noreturn]] void Fail(int error) const {
    [[maybe_unused]] const ssize_t written = write(errors, &error, sizeof error);
    _exit(127);
  }
};

bool IsExecutableFile(const std::string& path, int* error) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno == EACCES) *error = EACCES;
    return false;
  }
  if (S_ISREG(info.st_mode) && faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0)
    return true;
  *error = EACCES;
  return false;
}

}  // namespace

int Launch(const LaunchOptions& options, pid_t* pid) {
  std::vector<char*> argv;
  for (const std::string& word : options.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  Pipe errors;
  if (!errors.Open()) return errno;
  int error = 0;
  BetweenForkAndExec steps;
  steps.options = &options;
  steps.argv = argv.data();
  steps.environment =
      options.environment != nullptr ? const_cast<char* const*>(options.environment) : environ;
  steps.errors = errors.writer;
  steps.fork_error = &error;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &steps.our_mask);
  process::child child(process::posix::use_vfork, process::ignore_error, steps);
  pthread_sigmask(SIG_SETMASK, &steps.our_mask, nullptr);
  if (error != 0) return error;
  const pid_t started = child.id();
  child.detach();  // reaping is the caller's
  CloseDescriptor(&errors.writer);
  ssize_t count;
  while ((count = read(errors.reader, &error, sizeof error)) < 0 && errno == EINTR) continue;
  if (count > 0) {
    WaitForEnd(started);
    return error;
  }
  *pid = started;
  return 0;
}

std::string FindExecutable(const std::string& name, int* error) {
  int unused;
  if (error == nullptr) error = &unused;
  *error = ENOENT;
  if (name.empty()) return "";
  if (name.find('/') != std::string::npos) return name;
  const char* variable = getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/bin:/usr/bin";  // as in execvp(3)
  for (;;) {
    const size_t end = path.find(':');
    const std::string_view folder = path.substr(0, end);
    std::string candidate = folder.empty() ? name : std::string(folder) + "/" + name;
    if (IsExecutableFile(candidate, error)) return candidate;
    if (end == std::string_view::npos) return "";
    path.remove_prefix(end + 1);
  }
}

}  // namespace midwire::io
