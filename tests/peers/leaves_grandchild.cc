// leaves_grandchild [chatty]: exits with 9 at once and leaves a process running that holds stdin,
// stdout and stderr open for a minute; with chatty it writes a line every 10 ms. Prints the
// process's pid first.
#include "peer.h"

int main(int argc, char** argv) {
  constexpr std::string_view kWords[] = {"", "chatty"};
  const bool chatty = !peer::OneOf(kWords, peer::Word(argc, argv, 1)).empty();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    for (;;) {
      usleep(10'000);
      if (chatty && !peer::Say("and another thing\n")) return 0;
    }
  }
  peer::Say(std::to_string(child) + "\n");
  return 9;
}
