// closes_stdin: never reads, closes stdin and runs until SIGTERM.
#include "peer.h"

int main() {
  close(0);
  peer::Say("closed\n");
  pause();
  return 1;
}
