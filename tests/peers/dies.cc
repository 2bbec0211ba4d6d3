// dies SIGNAL: says a word and ends by the signal, leaving a core file where the host allows one.
#include "peer.h"

int main(int, char** argv) {
  peer::Say("last words\n");
  const int number = peer::Number(argv[1]);
  signal(number, SIG_DFL);
  raise(number);
  return 1;
}
