// Ends what a child leaves running: grandchildren, a daemon, a plugin in a session of its own.
// Makes this process the subreaper of its descendants (prctl(2)), so that orphans can be found and
// killed. Used by the runners of fuzz/live/, and by the campaign for what a killed job leaves. Not
// for a process whose other threads start children.
#pragma once

#include <sys/types.h>

#include <optional>
#include <set>

namespace midwire::io {

class OrphanReaper {
 public:
  // From here on, until Kill, each new child except `own` is an orphan.
  void Watch();
  // Reaps orphans that have ended, as init would: a peer may check whether one still exists. Costs
  // one system call if there is none. `own`: the child that the caller reaps.
  void Reap(pid_t own);
  // Kills all orphans, and processes that become orphans by this. One that runs as another user, so
  // that we may not kill it, is left running.
  void Kill();

 private:
  std::optional<std::set<pid_t>> before_;
};

}  // namespace midwire::io
