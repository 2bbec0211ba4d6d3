// floods MEGABYTES [NEWLINES]: writes one line without an end, or with NEWLINES 100-byte lines, as
// fast as possible. Exits with 0 when all is written, 7 when the reader has closed; SIGPIPE has its
// default.
#include "peer.h"

int main(int argc, char** argv) {
  std::string block(65536, 'z');
  for (size_t i = 99; argc > 2 && i < block.size(); i += 100) block[i] = '\n';
  for (long left = peer::Number(argv[1]) * 16L; left > 0; --left) {
    if (!peer::Say(block)) return 7;
  }
  return 0;
}
