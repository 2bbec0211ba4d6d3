// How a process ended. The only type for this: used by events of a trace, replay, fuzz findings and
// io/. Plain data.
#pragma once

namespace midwire {

struct ExitStatus {
  int code = -1;   // -1: ended by a signal, or not known to have ended
  int signal = 0;  // that ended it; 0: none

  bool ended() const { return code >= 0 || signal != 0; }
  bool operator==(const ExitStatus&) const = default;
};

}  // namespace midwire
