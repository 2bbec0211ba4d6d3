#include "io/process/reap.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace midwire::io {
namespace {

ExitStatus StatusOf(int status) {
  return WIFSIGNALED(status) ? ExitStatus{.signal = WTERMSIG(status)}
                             : ExitStatus{.code = WEXITSTATUS(status)};
}

// False: none of the events of `options` has happened.
bool Ask(pid_t pid, int options, siginfo_t* info) {
  *info = {};
  return pid > 0 && waitid(P_PID, static_cast<id_t>(pid), info, options | WNOHANG) == 0 &&
         info->si_pid == pid;
}

}  // namespace

bool HasEnded(pid_t pid) {
  siginfo_t info;
  return Ask(pid, WEXITED | WNOWAIT, &info);
}

std::optional<ExitStatus> ReapIfEnded(pid_t pid, uint64_t* peak_memory) {
  int status = 0;
  rusage used = {};
  if (pid <= 0 || wait4(pid, &status, WNOHANG, &used) != pid) return std::nullopt;
  if (peak_memory != nullptr) {
    rusage own = {};
    getrusage(RUSAGE_SELF, &own);
    *peak_memory = used.ru_maxrss > own.ru_maxrss ? uint64_t(used.ru_maxrss) * 1024 : 0;
  }
  return StatusOf(status);
}

ExitStatus WaitForEnd(pid_t pid) {
  int status = 0;
  pid_t reaped;
  while ((reaped = waitpid(pid, &status, 0)) < 0 && errno == EINTR) continue;
  return reaped == pid ? StatusOf(status) : ExitStatus{};
}

ChildChange NextChange(pid_t pid) {
  siginfo_t info;
  if (!Ask(pid, WEXITED | WSTOPPED | WCONTINUED, &info)) return {};
  switch (info.si_code) {
    case CLD_STOPPED:
      return {.type = ChildChange::Type::kStopped, .stop_signal = info.si_status};
    case CLD_CONTINUED:
      return {.type = ChildChange::Type::kContinued};
    case CLD_EXITED:
      return {.type = ChildChange::Type::kEnded, .status = {.code = info.si_status}};
    default:
      return {.type = ChildChange::Type::kEnded, .status = {.signal = info.si_status}};
  }
}

void WakeIfStopped(pid_t pid) {
  siginfo_t info;
  if (Ask(pid, WSTOPPED, &info)) kill(pid, SIGCONT);
}

}  // namespace midwire::io
