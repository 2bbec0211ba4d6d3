// patch_relay DONE OP POINTER WHAT KEY NTH PLUGIN ARGS...: runs the plugin and passes everything
// on, but changes one of its messages. Run by tests/bench/replay-score, which explains OP. The
// message is the NTH (from 0) of
//   answer ID           answers to the host's request with this id, as spelled
//   call METHOD         requests and notifications of this method
// Once it has changed the message, it creates the file DONE. After `moved` it has the body of the
// message that went before.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/decoder.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"

namespace {

using midwire::wire::JsonPart;
using midwire::wire::JsonParts;
using midwire::wire::JsonType;

// A message that is moved waits for the next one, but not longer: the host may be waiting for it.
constexpr int kMovedMs = 300;

pid_t plugin = 0;

void Pass(int signal_number) { kill(plugin, signal_number); }

bool Write(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(to, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

std::string OtherValue(std::string_view value) {
  std::string text(value);
  switch (midwire::wire::TypeOf(value)) {
    case JsonType::kBool:
      return value == "true" ? "false" : "true";
    case JsonType::kNumber: {
      // The first digit of the fraction and of an exponent may be a 0 that must stay one digit; the
      // last one never matters for the spelling.
      char& last = text.back();
      last = last == '9' ? '8' : static_cast<char>(last + 1);
      return text;
    }
    case JsonType::kString:
      return text.insert(text.size() - 1, "q");
    default:
      return "";
  }
}

std::string OtherType(std::string_view value) {
  switch (midwire::wire::TypeOf(value)) {
    case JsonType::kNull:
      return "false";
    case JsonType::kBool:
      return "null";
    case JsonType::kNumber:
      return '"' + std::string(value) + '"';
    case JsonType::kString:
      return "7";
    case JsonType::kArray:
      return "{}";
    case JsonType::kObject:
      return "[]";
  }
  return "";
}

std::vector<JsonPart> PartsOf(std::string_view container) {
  std::vector<JsonPart> all;
  JsonParts parts(container);
  JsonPart part;
  while (parts.Next(&part)) all.push_back(part);
  return all;
}

// The container again, without `without`, or with the first two elements that differ exchanged, or
// with one more member.
std::string Rebuilt(std::string_view container, std::vector<JsonPart> parts,
                    std::string_view more) {
  std::string text(1, container.front());
  for (const JsonPart& part : parts) {
    if (text.size() > 1) text += ',';
    if (!part.name.empty()) text += std::string(part.name) + ':';
    text += part.value;
  }
  if (!more.empty()) text += (text.size() > 1 ? "," : "") + std::string(more);
  return text + container.back();
}

// The body with one edit; nullopt if the place is not in this message.
std::optional<std::string> Edited(std::string_view body, std::string_view op,
                                  midwire::wire::Pointer pointer) {
  const auto replaced = [&](std::string_view value,
                            const std::string& by) -> std::optional<std::string> {
    if (by.empty() || by == value) return std::nullopt;
    std::string text(body);
    return text.replace(static_cast<size_t>(value.data() - body.data()), value.size(), by);
  };
  const auto value = midwire::wire::ValueAt(body, pointer);
  if (!value) return std::nullopt;
  const bool container = value->front() == '{' || value->front() == '[';
  if (op == "value") return replaced(*value, OtherValue(*value));
  if (op == "type") return replaced(*value, OtherType(*value));
  if (op == "added") {
    if (!container) return std::nullopt;
    return replaced(*value,
                    Rebuilt(*value, PartsOf(*value), value->front() == '{' ? "\"added\":1" : "1"));
  }
  if (op == "order") {
    if (value->front() != '[') return std::nullopt;
    std::vector<JsonPart> parts = PartsOf(*value);
    for (size_t i = 1; i < parts.size(); ++i) {
      if (parts[i].value == parts[0].value) continue;
      std::swap(parts[0], parts[i]);
      return replaced(*value, Rebuilt(*value, parts, ""));
    }
    return std::nullopt;
  }
  if (op == "gone") {
    pointer.steps.pop_back();
    const auto parent = midwire::wire::ValueAt(body, pointer);
    if (!parent) return std::nullopt;
    std::vector<JsonPart> kept;
    for (const JsonPart& part : PartsOf(*parent)) {
      if (part.value.data() != value->data()) kept.push_back(part);
    }
    return replaced(*parent, Rebuilt(*parent, kept, ""));
  }
  return std::nullopt;
}

class Relay : public midwire::wire::FrameHandler {
 public:
  Relay(char** argv)
      : done_(argv[1]),
        op_(argv[2]),
        answer_(std::string_view(argv[4]) == "answer"),
        key_(argv[5]),
        nth_(atoi(argv[6])) {
    if (*argv[3] != 0) pointer_ = *midwire::wire::ParsePointer(argv[3]);
  }

  void OnFrame(const midwire::wire::Frame& frame, const midwire::wire::Message& message) override {
    const bool ours = op_ != "none" && message.IsAnswer() == answer_ &&
                      (answer_ ? message.id.token : message.method) == key_ && nth_-- == 0;
    const std::string bytes(frame.bytes);
    if (!ours) {
      Write(1, bytes);
      if (!moved_.empty()) Done(frame.body()), Flush();
      return;
    }
    if (op_ == "lost") return Done();
    if (op_ == "doubled") {
      Done();
      Write(1, bytes + bytes);
      return;
    }
    if (op_ == "moved") {
      moved_ = bytes;
      return;
    }
    const std::string_view body = frame.body(), text = midwire::wire::Trimmed(body);
    const auto edited = Edited(text, op_, pointer_);
    if (!edited) {
      Write(1, bytes);
      return;
    }
    Done();
    if (frame.framing == midwire::wire::Framing::kContentLength) {
      Write(1, "Content-Length: " + std::to_string(edited->size()) + "\r\n\r\n" + *edited);
    } else {
      Write(1, *edited + "\n");
    }
  }

  void OnJunk(const midwire::wire::Junk& junk) override { Write(1, junk.bytes); }

  // The moved message, at last.
  void Flush() {
    Write(1, moved_);
    moved_.clear();
  }
  bool waits() const { return !moved_.empty(); }

 private:
  void Done(std::string_view content = "") {
    const int file = creat(done_, 0600);
    Write(file, content);
    close(file);
  }

  const char* done_;
  const std::string_view op_;
  const bool answer_;
  const std::string_view key_;
  int nth_;
  midwire::wire::Pointer pointer_;
  std::string moved_;
};

}  // namespace

int main(int argc, char** argv) {
  int in[2], out[2];
  if (argc < 8 || pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return 2;
  plugin = fork();
  if (plugin == 0) {
    // midwire kills a plugin that hangs; it only knows the relay.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(in[0], 0);
    dup2(out[1], 1);
    execvp(argv[7], argv + 7);
    _exit(127);
  }
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) signal(number, Pass);
  signal(SIGPIPE, SIG_IGN);
  close(in[0]);
  close(out[1]);

  static char buffer[64 * 1024];
  Relay relay(argv);
  midwire::wire::Decoder decoder;
  pollfd ends[2] = {{0, POLLIN, 0}, {out[0], POLLIN, 0}};
  while (ends[1].fd >= 0) {
    const int ready = poll(ends, 2, relay.waits() ? kMovedMs : -1);
    if (ready == 0) relay.Flush();
    if (ready <= 0) continue;
    if (ends[0].revents) {
      const ssize_t size = read(0, buffer, sizeof buffer);
      if (size <= 0 || !Write(in[1], {buffer, static_cast<size_t>(size)})) {
        close(in[1]);
        ends[0].fd = -1;
      }
    }
    if (ends[1].revents) {
      const ssize_t size = read(out[0], buffer, sizeof buffer);
      if (size < 0) continue;
      if (size == 0) {
        decoder.Finish(&relay);
        relay.Flush();
        ends[1].fd = -1;
        close(1);
      } else {
        decoder.Feed({buffer, static_cast<size_t>(size)}, &relay);
      }
    }
  }
  int status = 0;
  while (waitpid(plugin, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 1;
}
