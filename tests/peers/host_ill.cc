// host_ill MODE HOW PLUGIN ARGS...: a host that is correct except for one fault. It starts PLUGIN
// (HOW: exec, spawn, shell), sends two requests, reads its notifications, refuses its requests, and
// exits with 0; it stops a plugin that sends invalid messages and exits with 1. `calm` has no
// fault. PLUGIN may follow "--plugin=".
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <optional>
#include <vector>

#include "peer.h"
#include "wire/decoder.h"
#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

extern char** environ;

namespace {

using midwire::wire::Json;

// All modes and starts; a test that names another one fails.
constexpr std::string_view kModes[] = {"batch",
                                       "bursts",
                                       "calm",
                                       "chatters",
                                       "crash",
                                       "daemon",
                                       "exit",
                                       "grandchild",
                                       "hang",
                                       "hopes",
                                       "ignores",
                                       "kills",
                                       "last_words",
                                       "lives",
                                       "memory",
                                       "never",
                                       "never_lives",
                                       "own_session",
                                       "shows_descriptors",
                                       "silence",
                                       "slow",
                                       "throws",
                                       "twice",
                                       "unknown"};
constexpr std::string_view kStarts[] = {"exec", "shell", "spawn"};
std::string_view mode, how;
std::vector<char*> command;  // with a null at its end
std::string shell_line;

[[noreturn]] void GiveUp(std::string_view why) {
  peer::Say(2, "host: " + std::string(why) + "\n");
  _exit(1);
}

[[noreturn]] void Burn() {
  volatile bool on = true;
  while (on) continue;
  _exit(0);
}
[[noreturn]] void Sleep() {
  for (;;) pause();
}
[[noreturn]] void Crash() {
  signal(SIGSEGV, SIG_DFL);  // built with a sanitizer, it still dies by the signal
  raise(SIGSEGV);
  _exit(1);
}
void Grow() {
  constexpr size_t kSize = 256u << 20;
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) _exit(7);
}

// Uses too much memory, and exits before it can be measured.
[[noreturn]] void Burst() {
  mmap(nullptr, 80u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1,
       0);
  _exit(0);
}

// In the background and out of reach: in a session of its own.
void Leave() {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  for (int fd = 0; fd < 100; ++fd) close(fd);
  Sleep();
}

class Plugin : midwire::wire::FrameHandler {
 public:
  void Start() {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) GiveUp("no pipes");
    if (how == "spawn") {
      posix_spawn_file_actions_t actions;
      posix_spawn_file_actions_init(&actions);
      posix_spawn_file_actions_adddup2(&actions, in[0], 0);
      posix_spawn_file_actions_adddup2(&actions, out[1], 1);
      if (posix_spawnp(&pid_, command[0], &actions, nullptr, command.data(), environ) != 0) {
        GiveUp("no plugin");
      }
      posix_spawn_file_actions_destroy(&actions);
    } else if ((pid_ = fork()) == 0) {
      dup2(in[0], 0);
      dup2(out[1], 1);
      if (mode == "own_session") setsid();
      if (how == "shell") execl("/bin/sh", "sh", "-c", shell_line.c_str(), nullptr);
      execvp(command[0], command.data());
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }

  void Say(const std::string& body) { peer::Say(to_, body + "\n"); }
  void CloseStdin() { close(to_); }

  // The answer; at the end of the stream a host gives up, or not.
  std::string Answer() {
    while (answers_.empty()) {
      if (!Receive()) mode == "hopes" ? Sleep() : GiveUp("the plugin has ended");
    }
    std::string answer = std::move(answers_.front());
    answers_.erase(answers_.begin());
    return answer;
  }
  void ReceiveToEnd() {
    while (Receive()) continue;
  }
  bool AnswerWaits() const { return !answers_.empty(); }
  void Await() {
    int status = 0;
    waitpid(pid_, &status, 0);
  }
  void Kill() { kill(pid_, SIGKILL); }

 private:
  bool Receive() {
    char bytes[65536];
    ssize_t size;
    do {
      size = read(from_, bytes, sizeof bytes);
    } while (size < 0 && errno == EINTR);
    if (size <= 0) return false;
    decoder_.Feed({bytes, static_cast<size_t>(size)}, this);
    return true;
  }
  void OnFrame(const midwire::wire::Frame& frame, const midwire::wire::Message& message) override {
    using midwire::wire::Kind;
    const std::string_view body = midwire::wire::Trimmed(frame.body());
    if (!midwire::wire::IsJson(body)) return OnJunk({});
    if (message.kind == Kind::kNotification) return;
    if (message.kind == Kind::kRequest && message.id.present()) {
      using midwire::wire::Id;
      // No token of an object is kept, and only the beginning of a long one.
      const bool has_token =
          message.id.type != Id::Type::kOther && !(message.flags & midwire::wire::kTokenCut);
      return Say(R"({"jsonrpc":"2.0","id":)" + (has_token ? message.id.token : "null") +
                 R"(,"error":{"code":-32601,"message":"no"}})");
    }
    answers_.emplace_back(body);
  }
  void OnJunk(const midwire::wire::Junk&) override { answers_.emplace_back(); }

  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::vector<std::string> answers_;
  midwire::wire::Decoder decoder_{midwire::wire::Framing::kLine};
};

// The member `member` of the result; each fault is in here.
std::string Result(Plugin* plugin, int id, const char* member) {
  const auto answer = midwire::wire::ParseJson(plugin->Answer());
  if (!answer || !answer->is(Json::Type::kObject)) GiveUp("no message");
  const Json* its_id = answer->Find("id");
  if (its_id == nullptr || its_id->Integer() != id) {
    if (mode == "hang") Burn();
    if (mode == "silence") Sleep();
    if (mode == "hopes") return Result(plugin, id, member);
    GiveUp("an answer to something else");
  }
  if (answer->Find("error") != nullptr) {
    if (mode == "crash") Crash();
    if (mode == "throws") {
      peer::Say(2,
                "Traceback (most recent call last):\n  File \"host.py\", line 7, in <module>\n"
                "KeyError: 'result'\n");
      _exit(1);
    }
    GiveUp("refused");
  }
  const Json* result = answer->Find("result");
  const Json* value = result != nullptr ? result->Find(member) : nullptr;
  if (value == nullptr) {
    if (mode == "exit") _exit(3);
    GiveUp("nothing in the result");
  }
  if (value->text.size() > 5 && mode == "memory") Grow();
  if (value->text.size() > 5 && mode == "bursts") Burst();
  return value->text;
}

void Converse(Plugin* plugin) {
  plugin->Say(R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":"/a"}})");
  if (mode == "unknown") plugin->Say(R"({"jsonrpc":"2.0","id":99,"result":{}})");
  if (mode == "batch") {  // all its messages, and the end
    plugin->Say(R"({"jsonrpc":"2.0","id":2,"method":"get","params":{"handle":"h-1"}})");
    plugin->CloseStdin();
    Result(plugin, 1, "handle");
    Result(plugin, 2, "text");
    return plugin->ReceiveToEnd();
  }
  const std::string handle = Result(plugin, 1, "handle");
  std::string get = R"({"jsonrpc":"2.0","id":2,"method":"get","params":{"handle":)";
  midwire::wire::AppendJsonString(handle, &get);
  plugin->Say(get + "}}");
  Result(plugin, 2, "text");
  if (mode == "kills") return plugin->Kill();
  // One last message, which is not waited for.
  if (mode == "last_words")
    return (void)plugin->Say("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":1}");
  plugin->Say(R"({"jsonrpc":"2.0","method":"bye"})");
  plugin->CloseStdin();
  plugin->ReceiveToEnd();
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  mode = peer::OneOf(kModes, peer::Word(argc, argv, 1));
  how = peer::OneOf(kStarts, peer::Word(argc, argv, 2));
  if (argc < 4) peer::Misused("no plugin");
  for (int i = 3; i < argc; ++i) {
    std::string_view word = argv[i];
    constexpr std::string_view kOption = "--plugin=";
    if (word.starts_with(kOption)) argv[i] += kOption.size();
    command.push_back(argv[i]);
    shell_line += (i > 3 ? " '" : "'") + std::string(argv[i]) + "'";
  }
  command.push_back(nullptr);

  if (mode == "never") GiveUp("no licence");
  if (mode == "never_lives") Sleep();
  if (mode == "shows_descriptors") {
    for (int fd = 3; fd < 1024; ++fd) {
      if (fcntl(fd, F_GETFD) >= 0) Crash();
    }
  }
  if (mode == "daemon") {  // the process that was started exits before the plugin runs
    if (fork() != 0) _exit(0);
    setsid();
  }
  if (mode == "grandchild") Leave();
  if (mode == "chatters" && fork() == 0) {
    for (;;) peer::Say("working...\n"), usleep(1000);
  }
  Plugin plugin;
  if (mode == "twice") {  // what is its version?
    Plugin first;
    first.Start();
    first.ReceiveToEnd();
    first.Await();
  }
  plugin.Start();
  if (mode == "slow") usleep(120'000);  // it has much to load
  if (mode == "ignores") return 0;
  Converse(&plugin);
  if (mode != "last_words") plugin.Await();
  if (mode == "lives") Sleep();
  return 0;
}
