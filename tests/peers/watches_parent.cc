// watches_parent: a language server that ends as soon as the process that "processId" names is
// gone, as those of VS Code do. Answers each request with null, and exits 0 after the notification
// exit.
#include <poll.h>

#include "peer.h"

namespace {

constexpr int kLookEveryMs = 20;

long NumberAfter(std::string_view text, std::string_view name) {
  const size_t at = text.find(name);
  return at == text.npos ? 0 : atol(std::string(text.substr(at + name.size(), 20)).c_str());
}

void Answer(std::string_view body) {
  const long id = NumberAfter(body, "\"id\":");
  if (id == 0) return;
  const std::string answer =
      "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"result\":null}";
  peer::Say("Content-Length: " + std::to_string(answer.size()) + "\r\n\r\n" + answer);
}

}  // namespace

int main() {
  std::string bytes;
  long parent = 0;
  while (true) {
    pollfd input = {0, POLLIN, 0};
    if (poll(&input, 1, kLookEveryMs) == 0) {
      if (parent != 0 && kill(static_cast<pid_t>(parent), 0) != 0) return 3;
      continue;
    }
    const std::string more = peer::Receive();
    if (more.empty()) return 1;
    bytes += more;
    while (true) {
      const size_t head = bytes.find("\r\n\r\n");
      if (head == bytes.npos) break;
      const size_t size = static_cast<size_t>(NumberAfter(bytes, "Content-Length: "));
      if (bytes.size() < head + 4 + size) break;
      const std::string body = bytes.substr(head + 4, size);
      bytes.erase(0, head + 4 + size);
      if (body.find("\"exit\"") != body.npos) return 0;
      if (const long named = NumberAfter(body, "\"processId\":")) parent = named;
      Answer(body);
    }
  }
}
