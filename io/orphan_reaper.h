// Ends what a child leaves running: grandchildren, a daemon, a plugin in a session of its own. This
// process becomes the one that gets the orphans among its descendants, so that they can be found
// and killed. Used by the runners of fuzz/live/, and by the campaign for what a killed job leaves;
// not for a process whose other threads start children.
#pragma once

#include <sys/types.h>

#include <optional>
#include <set>

namespace midwire::io {

class OrphanReaper {
 public:
  // From here on, until Kill, each new child except `own` is an orphan.
  void Watch();
  // Reaps orphans that have ended, as init would: a peer may look whether one is still there. Costs
  // one system call where there is none. `own`: a child that its owner reaps.
  void Reap(pid_t own);
  // Kills them all, and those that become orphans by that.
  void Kill();

 private:
  std::optional<std::set<pid_t>> before_;
};

}  // namespace midwire::io
