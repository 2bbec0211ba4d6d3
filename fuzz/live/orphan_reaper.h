// What a peer leaves running: grandchildren, a daemon, a plugin in a session of its own. This
// process becomes the one that gets the orphans among its descendants, so that they can be found
// and ended. Used by the runners, and by the campaign for what a job leaves that was killed; not
// for a process whose other threads start children.
#pragma once

#include <sys/types.h>

#include <optional>
#include <set>

namespace midwire::fuzz {

class OrphanReaper {
 public:
  // From here on, until Kill, each child that is new is a stray, but for `peer`.
  void Watch();
  // Takes leave of strays that have ended, as init would: a peer may ask whether one is there
  // still. Costs a system call where there is none.
  void Reap(pid_t peer);
  // Kills them all, and what becomes an orphan by that.
  void Kill();

 private:
  std::optional<std::set<pid_t>> before_;
};

}  // namespace midwire::fuzz
