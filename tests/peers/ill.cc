// ill MODE [content-length]: a plugin that is correct except for one fault. It knows `ping`, `open`
// (params.path) and `note` (a notification); it refuses everything else as JSON-RPC 2.0 requires,
// and continues. The fault shows where `open` lacks its path, unless noted otherwise below. `calm`
// has no fault, and is the fixed plugin of each test.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "peer.h"
#include "wire/decoder.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace {

using midwire::wire::Frame;
using midwire::wire::Junk;
using midwire::wire::Kind;
using midwire::wire::Message;

// All modes; a test that names another one fails.
constexpr std::string_view kModes[] = {"asks",
                                       "asks_first",
                                       "assert",
                                       "calm",
                                       "closes_stdout",
                                       "crash",
                                       "crash_behind_exit",
                                       "crash_on_header",
                                       "crash_on_note",
                                       "crash_when_hurried",
                                       "crash_when_made",
                                       "crash_with_child",
                                       "deaf",
                                       "deaf_unopened",
                                       "dies_late",
                                       "double",
                                       "echoes_junk",
                                       "ends_its_parent",
                                       "exit",
                                       "fails_at_eof",
                                       "flood",
                                       "gives_up_late",
                                       "gives_up_on_junk",
                                       "hang",
                                       "id_type",
                                       "interrupts",
                                       "leaks_at_eof",
                                       "logs",
                                       "long_length",
                                       "lost_at_eof",
                                       "memory",
                                       "missing",
                                       "mute",
                                       "nan",
                                       "needs_opening",
                                       "notification",
                                       "panic",
                                       "pollution",
                                       "quits",
                                       "recursive",
                                       "reserves",
                                       "sanitizer",
                                       "shape",
                                       "silence",
                                       "sleeps_at_eof",
                                       "skips_junk",
                                       "slow",
                                       "slow_report",
                                       "spin",
                                       "stops_its_parent",
                                       "stops_within",
                                       "strict",
                                       "undefined",
                                       "unknown",
                                       "utf8",
                                       "waits_for_child"};
std::string_view mode;
bool opened = false;    // a request was received before
bool made = false;      // what was to be opened exists
std::string asked_for;  // what is answered after the host's answer
bool headers = false;

void Send(const std::string& body) {
  const size_t size = body.size() + (mode == "long_length" ? 5 : 0);
  peer::Say(headers ? "Content-Length: " + std::to_string(size) + "\r\n\r\n" + body : body + "\n");
}

std::string Answer(std::string_view id, std::string_view what) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + "," + std::string(what) + "}";
}
std::string Refusal(std::string_view id, int code) {
  return Answer(id, R"("error":{"code":)" + std::to_string(code) + R"(,"message":"no"})");
}

void Grow() {
  static char* end = nullptr;
  const size_t size = 64u << 20;
  end = static_cast<char*>(malloc(size));
  for (size_t i = 0; i < size; i += 4096) end[i] = 1;
}

// Reads nested arrays as a recursive parser does, whose stack holds 100,000 levels of them.
size_t DepthOf(std::string_view body) {
  size_t depth = 0, deepest = 0;
  for (const char c : body) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return deepest;
}

[[noreturn]] void Crash() {
  signal(SIGSEGV, SIG_DFL);  // built with a sanitizer, it still dies by the signal
  raise(SIGSEGV);
  _exit(1);
}

// With a path in ILL_ONCE, only one process has the fault, once: the one that creates the file.
bool Due() {
  const char* path = getenv("ILL_ONCE");
  return path == nullptr || open(path, O_CREAT | O_EXCL, 0600) >= 0;
}

// What the fault does before the answer; false: there is no answer.
bool Fault(const Message& message) {
  if (!Due()) return true;
  const std::string& id = message.id.token;
  const auto result = [&](std::string_view token) { Send(Answer(token, R"("result":{})")); };
  if (mode == "crash") Crash();
  if (mode == "crash_with_child") {  // which has its stdout and keeps running
    if (fork() == 0) {
      for (;;) pause();
    }
    Crash();
  }
  if (mode == "assert") {
    peer::Say(2, "ill: ill.cc:7: void Open(): Assertion `path' failed.\n");
    abort();
  }
  if (mode == "exit") _exit(3);
  if (mode == "panic") {
    peer::Say(2, "thread 'main' panicked at src/main.rs:7:3:\nno path\n");
    _exit(101);
  }
  if (mode == "sanitizer") {
    peer::Say(2,
              "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200001\n"
              "    #0 0x4f12 in Open(char*) ill.cc:3:5\n");
    _exit(1);
  }
  // Longer than the time limit for an answer.
  if (mode == "slow_report") {
    peer::Say(2, "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200001\n");
    usleep(400'000);
    peer::Say(2,
              "    #0 0x4f12 in Open(char*) ill.cc:3:5\n"
              "SUMMARY: AddressSanitizer: heap-use-after-free ill.cc:3:5 in Open(char*)\n");
    _exit(1);
  }
  if (mode == "undefined") {
    peer::Say(2, "ill.cc:3:5: runtime error: index 9 out of bounds for type 'char [8]'\n");
  }
  if (mode == "gives_up_late") peer::Say(2, "ill: invalid params of open\n");
  if (mode == "hang") {
    for (volatile unsigned i = 0;;) i = i + 1;
  }
  if (mode == "silence") {
    for (;;) pause();
  }
  if (mode == "missing") return false;
  if (mode == "dies_late") {  // as node does after a rejected promise
    peer::Say(2, "TypeError: no path\n    at open (/srv/ill.js:7:3)\n");
    result(id);
    usleep(30'000);
    _exit(1);
  }
  if (mode == "double") result(id);
  if (mode == "unknown") result("777777");
  if (mode == "id_type") {
    const bool text = id[0] == '"';
    result(text ? "1" : '"' + id + '"');
    return false;
  }
  if (mode == "shape") {
    Send(Answer(id, R"("result":{},"error":{"code":1,"message":"both"})"));
    return false;
  }
  if (mode == "pollution") peer::Say("opening nothing at all\n");
  if (mode == "nan") {
    Send(Answer(id, "\"result\":NaN"));
    return false;
  }
  if (mode == "utf8") {
    Send(Answer(id, "\"result\":\"\xff\""));
    return false;
  }
  if (mode == "closes_stdout") {
    close(1);
    for (;;) pause();
  }
  if (mode == "waits_for_child") {  // which gets no processor as long as another program wants it
    const pid_t child = fork();
    if (child == 0) {
      peer::PinToFirst();
      const sched_param none = {};
      sched_setscheduler(0, SCHED_IDLE, &none);
      peer::Compute(5);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  if (mode == "memory") Grow();
  if (mode == "ends_its_parent") kill(getppid(), SIGTERM);
  if (mode == "stops_its_parent") kill(getppid(), SIGSTOP);
  if (mode == "flood") {
    for (;;) peer::Say(std::string(60'000, 'x') + "\n");
  }
  // Correct: its answer waits for the answer to a request of its own.
  if (mode == "asks_first") {
    asked_for = Answer(id, "\"result\":{}");
    Send(R"({"jsonrpc":"2.0","id":"ask","method":"ask"})");
    return false;
  }
  // Writes endlessly and reads nothing.
  if (mode == "asks") {
    for (;;) Send(R"({"jsonrpc":"2.0","id":5,"method":"ask"})");
  }
  return true;
}

class Plugin : public midwire::wire::FrameHandler {
 public:
  void OnFrame(const Frame& frame, const Message& message) override {
    const std::string_view body = midwire::wire::Trimmed(frame.body());
    if (mode == "logs") peer::Say("got a message\n");
    if (mode == "recursive" && DepthOf(body) >= 100'000) Crash();
    if (!midwire::wire::IsJson(body)) return Send(Refusal("null", -32700));
    if (message.kind != Kind::kBatch) {
      const std::string answer = Take(message, body);
      if (!answer.empty()) Send(answer);
      return;
    }
    std::string answers;
    for (const Message& element : message.elements) {
      const std::string answer = Take(element, "");
      if (!answer.empty()) answers += (answers.empty() ? "[" : ",") + answer;
    }
    if (message.elements.empty()) return Send(Refusal("null", -32600));
    if (!answers.empty()) Send(answers + "]");
  }
  void OnJunk(const Junk& junk) override {
    if (junk.reason == midwire::wire::JunkReason::kBlank) return;
    if (headers && mode == "crash_on_header") Crash();
    if (mode == "deaf") {
      for (;;) pause();
    }
    if (mode == "skips_junk") return;  // correct: the next header is found
    if (headers) _exit(0);             // the start of the next message is unknown
    if (mode == "echoes_junk") peer::Say(std::string(junk.bytes));
    if (mode == "gives_up_on_junk") {
      peer::Say(2, "ill: not a message\n");
      _exit(1);
    }
    Send(Refusal("null", -32700));
  }

 private:
  static std::string Take(const Message& message, std::string_view body) {
    if (message.IsAnswer()) return std::exchange(asked_for, "");
    // Correct: for it, what has a result is an answer, to nothing.
    if (mode == "strict" && body.find("\"result\"") != body.npos) return "";
    if ((message.flags & (midwire::wire::kDap | midwire::wire::kTokenCut)) != 0) {
      return Refusal("null", -32600);
    }
    if (message.kind == Kind::kNotification) {
      if (mode == "crash_behind_exit" && message.method == "exit") {
        usleep(100'000);
        Crash();
      }
      if (mode == "crash_when_made" && message.method == "note" && made) Crash();
      if (mode == "crash_on_note" && message.method == "note") Crash();
      return mode == "notification" && message.method == "note"
                 ? Answer("null", R"("error":{"code":1,"message":"heard"})")
                 : "";
    }
    if (mode == "gives_up_late" && message.kind == Kind::kInvalid) {  // as clangd does
      peer::Say(2, "ill: not a message: " + std::string(body) + "\n");
      usleep(50'000);
      _exit(1);
    }
    if (message.kind != Kind::kRequest) return Refusal("null", -32600);
    using Type = midwire::wire::Id::Type;
    if (message.id.type == Type::kOther) return Refusal("null", -32600);
    const std::string& id = message.id.token;
    if (mode == "lost_at_eof") {
      // A moment of work; a host that closes stdin meanwhile waits in vain.
      pollfd in = {0, 0, 0};
      if (poll(&in, 1, 2) > 0) _exit(0);
    }
    if (mode == "slow") usleep(40'000);
    if (mode == "crash_when_made" && message.method == "open") {
      // A host that continues meanwhile ends the wait.
      pollfd in = {0, POLLIN, 0};
      made = poll(&in, 1, 10) == 0;
    }
    if (mode == "needs_opening" && message.method == "open" && !opened) Crash();
    if (mode == "deaf_unopened" && message.method != "ping" && !opened) return "";
    opened = true;
    if (mode == "quits" && message.method == "quit") {
      Send(Answer(id, "\"result\":null"));
      _exit(0);
    }
    if (message.method == "ping") return Answer(id, R"("result":{})");
    if (message.method == "shutdown") {
      return Answer(id, "\"result\":null");
    }
    if (message.method != "open") return Refusal(id, -32601);
    if (!body.empty() && body.find("\"path\"") == body.npos && !Fault(message)) return "";
    if (body.find("\"path\"") == body.npos) return Refusal(id, -32602);
    return Answer(id, R"("result":{"handle":7})");
  }
};

}  // namespace

int main(int argc, char** argv) {
  constexpr std::string_view kFramings[] = {"", "content-length"};
  mode = peer::OneOf(kModes, peer::Word(argc, argv, 1));
  headers = !peer::OneOf(kFramings, peer::Word(argc, argv, 2)).empty();
  if (mode == "mute") {
    peer::ReceiveToEnd();
    return 0;
  }
  // Like a runtime that reserves a heap: 8 GiB of addresses, no memory.
  if (mode == "reserves")
    mmap(nullptr, size_t{8} << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  using midwire::wire::Framing;
  midwire::wire::Decoder decoder(headers ? Framing::kContentLength : Framing::kLine);
  Plugin plugin;
  for (std::string received = peer::Receive(); !received.empty(); received = peer::Receive()) {
    // Correct but impatient: it sends a request before it has read the whole message.
    if (mode == "interrupts" && !received.ends_with('\n')) {
      mode = "calm";
      Send(R"({"jsonrpc":"2.0","id":"ask","method":"ask"})");
    }
    if (mode == "stops_within" && !received.ends_with('\n')) {
      for (;;) pause();
    }
    if (mode == "crash_when_hurried" && received.find("open") != received.rfind("open")) Crash();
    decoder.Feed(received, &plugin);
  }
  if (mode == "leaks_at_eof") {
    peer::Say(2, "==7==ERROR: LeakSanitizer: detected memory leaks\n");
    return 23;
  }
  if (mode == "fails_at_eof") return 3;
  if (mode == "sleeps_at_eof") {
    for (;;) pause();
  }
  if (mode == "spin") {
    for (volatile unsigned i = 0;;) i = i + 1;
  }
  return 0;
}
