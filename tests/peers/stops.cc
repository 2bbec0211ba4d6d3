// stops: prints "ready", stops itself by SIGTSTP as at Ctrl-Z; when it is continued, prints "back"
// and exits with 0.
#include "peer.h"

int main() {
  peer::Say("ready\n");
  raise(SIGTSTP);
  return peer::Say("back\n") ? 0 : 1;
}
