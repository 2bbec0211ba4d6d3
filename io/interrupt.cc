#include "io/interrupt.h"

#include <signal.h>
#include <unistd.h>

namespace midwire::io {
namespace {

volatile sig_atomic_t latest = 0, count = 0;

void OnSignal(int number) {
  latest = number;
  count = count + 1;
}

}  // namespace

void CatchInterrupts(std::initializer_list<int> signals, Ignored ignored) {
  for (const int number : signals) {
    struct sigaction before, action = {};
    if (ignored == Ignored::kStaysIgnored && sigaction(number, nullptr, &before) == 0 &&
        before.sa_handler == SIG_IGN) {
      continue;
    }
    action.sa_handler = OnSignal;  // without SA_RESTART: ppoll(2) must return
    sigaction(number, &action, nullptr);
  }
}

int Interrupted() { return latest; }

int InterruptCount() { return count; }

void EndByInterrupt() {
  signal(latest, SIG_DFL);
  raise(latest);
  _exit(128 + latest);
}

}  // namespace midwire::io
