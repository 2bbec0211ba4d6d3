// write_and_exit BYTES: writes BYTES of 'y' and exits with 3, whether or not they were read.
#include "peer.h"

int main(int, char** argv) {
  return peer::Say(std::string(static_cast<size_t>(peer::Number(argv[1])), 'y')) ? 3 : 4;
}
