#include "io/process/orphan_reaper.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <fstream>
#include <string>

#include "io/clock.h"

namespace midwire::io {
namespace {

// Nanoseconds. What was killed ends at once, except a process that waits for a disk or a network
// file system.
constexpr int64_t kKillTime = 20'000'000'000;
constexpr int64_t kShortlyNs = 200'000;  // until those that were killed can be reaped

// The children of all threads; none without CONFIG_PROC_CHILDREN, and then no orphan is ended.
std::set<pid_t> Children() {
  std::set<pid_t> children;
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return children;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] == '.') continue;
    std::ifstream list("/proc/self/task/" + std::string(task->d_name) + "/children");
    for (pid_t child; list >> child;) children.insert(child);
  }
  closedir(tasks);
  return children;
}

}  // namespace

void OrphanReaper::Watch() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  before_ = Children();
}

void OrphanReaper::Reap(pid_t own) {
  if (!before_) return;
  while (true) {
    siginfo_t ended = {};
    const int found = waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
    const pid_t child = ended.si_pid;
    if (found != 0 || child == 0 || child == own || before_->contains(child)) return;
    waitpid(child, nullptr, WNOHANG);
  }
}

void OrphanReaper::Kill() {
  if (!before_) return;
  const int64_t end = MonotonicNow() + kKillTime;
  for (bool any = true; any && MonotonicNow() < end;) {
    any = false;
    for (const pid_t child : Children()) {
      if (before_->contains(child)) continue;
      const bool foreign = kill(child, SIGKILL) != 0 && errno == EPERM;
      const bool reaped = waitpid(child, nullptr, WNOHANG) == child;
      if (foreign && !reaped) {
        before_->insert(child);
        continue;
      }
      any = true;
    }
    if (any) SleepFor(kShortlyNs);
  }
  before_.reset();
}

}  // namespace midwire::io
