// dies SIGNAL: says a word and ends by the signal, leaving a core file where the host allows one.
// In its memory, and nowhere else, is what makes the file known as its own.
#include "peer.h"

int main(int, char** argv) {
  volatile char mark[] = "uihr!bnsd!hr!ng!uid!qmtfho";  // a bit off, so that no file holds it
  for (size_t i = 0; i + 1 < sizeof mark; ++i) mark[i] = static_cast<char>(mark[i] ^ 1);
  peer::Say("last words\n");
  const int number = peer::Number(argv[1]);
  signal(number, SIG_DFL);
  raise(number);
  return 1;
}
