// leaves_grandchild [chatty]: exits with 9 at once and leaves a process running that holds stdin,
// stdout and stderr open for a minute; with chatty it writes a line every 10 ms. Prints the
// process's pid first.
#include "peer.h"

int main(int argc, char**) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    for (;;) {
      usleep(10'000);
      if (argc > 1 && !peer::Say("and another thing\n")) return 0;
    }
  }
  peer::Say(std::to_string(child) + "\n");
  return 9;
}
