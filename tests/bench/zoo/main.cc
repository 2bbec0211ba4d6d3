// zoo_peer BUG[+BUG...] line|content-length: the peer as a plugin on stdin and stdout.
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "peer.h"

namespace {

void WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count <= 0) _exit(3);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto bugs = zoo::ParseBugs(argc > 2 ? argv[1] : "");
  if (!bugs) {
    fputs("usage: zoo_peer BUG[+BUG...] line|content-length\n", stderr);
    return 2;
  }
  std::string out;
  zoo::Peer peer(*bugs, strcmp(argv[2], "line") == 0,
                 [&](std::string_view bytes) { out += bytes; });
  static char buffer[64 * 1024];
  while (true) {
    if (peer.busy()) {
      pollfd in = {STDIN_FILENO, POLLIN, 0};
      if (poll(&in, 1, 1) == 0) {
        peer.Idle();
        WriteAll(out);
        out.clear();
        continue;
      }
    }
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    if (count <= 0) {
      if (peer.has(zoo::Bug::kSpinAtEof)) continue;
      peer.Idle();
      WriteAll(out);
      return 0;
    }
    peer.Feed({buffer, static_cast<size_t>(count)});
    if (peer.has(zoo::Bug::kLostAtEof)) {
      // Answers are gathered for a moment, to be written together; the end comes before.
      pollfd in = {STDIN_FILENO, POLLIN, 0};
      if (poll(&in, 1, 1) == 1) {
        if ((in.revents & POLLIN) == 0) return 0;
        continue;
      }
    }
    if (peer.ended()) peer.Idle();
    WriteAll(out);
    out.clear();
    if (peer.ended()) return peer.code();
  }
}
