// floods MEGABYTES [newlines]: writes one line without an end, or with newlines 100-byte lines, as
// fast as possible. Exits with 0 when all is written, 7 when the reader has closed; SIGPIPE has its
// default.
#include "peer.h"

int main(int argc, char** argv) {
  constexpr std::string_view kWords[] = {"", "newlines"};
  const bool newlines = !peer::OneOf(kWords, peer::Word(argc, argv, 2)).empty();
  std::string block(65536, 'z');
  for (size_t i = 99; newlines && i < block.size(); i += 100) block[i] = '\n';
  for (long left = peer::Number(argv[1]) * 16L; left > 0; --left) {
    if (!peer::Say(block)) return 7;
  }
  return 0;
}
