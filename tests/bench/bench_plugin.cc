// The plugin under the benchmarks. `echo` gives back what it reads, `sink` only reads, `quit`
// exits.
#include <unistd.h>

#include <string_view>

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "echo";
  if (mode == "quit") return 0;
  static char buffer[64 * 1024];
  ssize_t size;
  while ((size = read(0, buffer, sizeof buffer)) > 0) {
    if (mode == "sink") continue;
    for (ssize_t at = 0; at < size;) {
      const ssize_t wrote = write(1, buffer + at, size - at);
      if (wrote <= 0) return 1;
      at += wrote;
    }
  }
  return 0;
}
