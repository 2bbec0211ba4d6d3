// The plugin of the benchmarks. `echo` returns what it reads, `answer` answers each line under its
// id with a line of equal length, `sink` only reads, `quit` exits.
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace {

bool WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(1, bytes.data(), bytes.size());
    if (wrote <= 0) return false;
    bytes.remove_prefix(wrote);
  }
  return true;
}

void AppendAnswer(std::string_view request, std::string* out) {
  constexpr std::string_view kId = "\"id\":", kEnd = "\"}}\n";
  const size_t at = std::min(request.find(kId), request.size() - kId.size()) + kId.size();
  const std::string_view id = request.substr(at, request.find_first_of(",}", at) - at);
  const size_t start = out->size();
  out->append(R"({"jsonrpc":"2.0","id":)").append(id).append(R"(,"result":{"text":")");
  const size_t size = out->size() - start + kEnd.size();
  if (size < request.size()) out->append(request.size() - size, 'y');
  out->append(kEnd);
}

// The answers to the whole lines in `read`; the incomplete last line stays there.
std::string TakeAnswers(std::string* read) {
  std::string answers;
  size_t at = 0;
  for (size_t end; (end = read->find('\n', at)) != std::string::npos; at = end + 1) {
    AppendAnswer(std::string_view(*read).substr(at, end + 1 - at), &answers);
  }
  read->erase(0, at);
  return answers;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "echo";
  if (mode == "quit") return 0;
  static char buffer[64 * 1024];
  std::string lines;
  ssize_t size;
  while ((size = read(0, buffer, sizeof buffer)) > 0) {
    const std::string_view bytes(buffer, size);
    if (mode == "echo" && !WriteAll(bytes)) return 1;
    if (mode != "answer") continue;
    lines += bytes;
    if (!WriteAll(TakeAnswers(&lines))) return 1;
  }
  return 0;
}
