// closes_stdout: closes stdout after one word, runs until stdin ends, then exits with 5.
#include "peer.h"

int main() {
  peer::Say("bye\n");
  close(1);
  peer::ReceiveToEnd();
  peer::Say(2, "still there\n");
  return 5;
}
