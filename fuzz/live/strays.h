// What a host leaves running: grandchildren, a daemon, a plugin in a session of its own. This
// process becomes the one that gets the orphans among its descendants, so that they can be found
// and ended. Used by HostRunner; not for a process whose other threads start children.
#pragma once

#include <sys/types.h>

#include <set>

namespace midwire::fuzz {

class Strays {
 public:
  // From here on each child that is new is a stray, but for `host`.
  void Watch();
  // Takes leave of strays that have ended, as init would: a host may ask whether one is there
  // still.
  void Reap(pid_t host);
  // Kills them all, and what becomes an orphan by that.
  void Kill();

 private:
  std::set<pid_t> before_;
};

}  // namespace midwire::fuzz
