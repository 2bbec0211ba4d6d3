// echoes [LOG]: returns every byte at once. With LOG, first writes there what it received.
#include <fcntl.h>

#include "peer.h"

int main(int argc, char** argv) {
  const int log = argc > 1 ? open(argv[1], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  for (;;) {
    const std::string bytes = peer::Receive();
    if (bytes.empty()) return 0;
    if (log >= 0) peer::Say(log, bytes);
    if (!peer::Say(bytes)) return 1;
  }
}
