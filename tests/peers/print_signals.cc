// print_signals: prints "ready", then the number of each signal it receives (and the value of one
// sent by sigqueue), one per line. Exits with 0 when stdin ends.
#include <poll.h>
#include <sys/signalfd.h>

#include "peer.h"

int main() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  const int signals = signalfd(-1, &all, SFD_CLOEXEC);
  peer::Say("ready\n");
  for (;;) {
    struct pollfd slots[] = {{signals, POLLIN, 0}, {0, POLLIN, 0}};
    poll(slots, 2, -1);
    if (slots[0].revents != 0) {
      signalfd_siginfo info;
      if (read(signals, &info, sizeof info) != sizeof info) return 1;
      std::string line = std::to_string(info.ssi_signo);
      if (info.ssi_code == SI_QUEUE) line += " value " + std::to_string(info.ssi_int);
      peer::Say(line + "\n");
    }
    if (slots[1].revents != 0 && peer::Receive().empty()) return 0;
  }
}
