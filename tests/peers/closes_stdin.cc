// closes_stdin: never reads, closes stdin and lives until it is told to end by SIGTERM.
#include "peer.h"

int main() {
  close(0);
  peer::Say("closed\n");
  pause();
  return 1;
}
