// floods MEGABYTES [NEWLINES]: one line without an end, or 100-byte lines with NEWLINES, as fast as
// it is taken. Exits with 0 when all was taken, 7 when the reader went; SIGPIPE has its default.
#include "peer.h"

int main(int argc, char** argv) {
  std::string block(65536, 'z');
  for (size_t i = 99; argc > 2 && i < block.size(); i += 100) block[i] = '\n';
  for (long left = peer::Number(argv[1]) * 16L; left > 0; --left) {
    if (!peer::Say(block)) return 7;
  }
  return 0;
}
