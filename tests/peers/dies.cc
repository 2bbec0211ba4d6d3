// dies SIGNAL: prints a word and ends by the signal, leaving a core file where the system allows
// one. Its memory, and nothing else, holds the mark that identifies the file.
#include "peer.h"

int main(int, char** argv) {
  volatile char mark[] = "uihr!bnsd!hr!ng!uid!qmtfho";  // each character off by one bit
  for (size_t i = 0; i + 1 < sizeof mark; ++i) mark[i] = static_cast<char>(mark[i] ^ 1);
  peer::Say("last words\n");
  const int number = peer::Number(argv[1]);
  signal(number, SIG_DFL);
  raise(number);
  return 1;
}
