// deaf: prints "ready" and never reads a byte; exits with 6 on SIGUSR1.
#include "peer.h"

int main() {
  signal(SIGUSR1, [](int) { _exit(6); });
  peer::Say("ready\n");
  for (;;) pause();
}
