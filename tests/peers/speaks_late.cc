// speaks_late BYTES: writes nothing until the host has closed stdin, then BYTES at once.
#include "peer.h"

int main(int, char** argv) {
  peer::ReceiveToEnd();
  peer::Say(2, "stdin has ended\n");
  return peer::Say(std::string(static_cast<size_t>(peer::Number(argv[1])), 'x')) ? 0 : 1;
}
