// alternates COUNT: writes to stdout and stderr alternately, COUNT times each, so that their order
// shows where both are one pipe.
#include "peer.h"

int main(int, char** argv) {
  for (int i = 0; i < peer::Number(argv[1]); ++i) {
    peer::Say(1, "out " + std::to_string(i) + "\n");
    peer::Say(2, "err " + std::to_string(i) + "\n");
  }
  return 0;
}
