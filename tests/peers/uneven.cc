// uneven VARIANT: a plugin of one small session (tests/bench/uneven.jsonl) that departs from it as
// the variant says: late, lost, doubled or swapped messages, crashes, silence, values that change
// with every run. `uneven --list` prints the variants. tests/bench/same-report holds that a replay
// of each gives the same report every time.
#include <fcntl.h>
#include <poll.h>
#include <time.h>

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "peer.h"

namespace {

// An edit of what the plugin sends: a verb, the label of a message (see kMessages), an argument.
//   drop L           L is never sent
//   slow L MS        the plugin sleeps before L
//   late L MS        L is sent later, and the rest goes on
//   fork L           L is sent by a child process, at any time within 3 ms
//   swap L M         L waits until M was sent
//   times L MAX      L is sent 0 to MAX times
//   double L         L is sent twice
//   change L A=>B    the first A in L becomes B
//   before L TEXT    TEXT is a line before L
//   raw L TEXT       TEXT comes before L, without a line end
//   bytes L MS       L is sent byte by byte, MS milliseconds for all of it
//   die L SIGNAL, exit L CODE, mute L, hang L, close L: instead of L, and for good
//   early L          the answer L (run, items) does not wait for the host's answer
//   ending CODE      exit status; linger - MS: exits that long after the end of stdin; stay: never
// In texts, %p is the pid, %t the time in ns, %r 12 hex digits, %u a UUID: new in every run.
struct Edit {
  std::string verb, label, argument;
};
struct Variant {
  const char* name;
  std::vector<Edit> edits;
};

const char kNote[] = R"({"jsonrpc":"2.0","method":"changed","params":{"item":"z","n":3}})";
const char kNews[] = R"({"jsonrpc":"2.0","method":"news","params":{"text":"new"}})";
const char kCall[] = R"({"jsonrpc":"2.0","id":"x-%p","method":"host/other","params":{"pid":1}})";
const char kPidNote[] = R"({"jsonrpc":"2.0","method":"news","params":{"pid":%p}})";
const char kStray[] = R"({"jsonrpc":"2.0","id":77,"result":"stray"})";

const std::vector<Variant> kVariants = {
    // What a correct plugin may do: each of these is green.
    {"same", {}},
    {"volatile-count", {{"times", "log", "5"}}},
    {"volatile-lost", {{"drop", "log", ""}}},
    {"volatile-late", {{"late", "log", "40"}}},
    {"volatile-forked", {{"fork", "log", ""}}},
    {"volatile-pid", {{"change", "log", "line=>line %p"}}},
    {"volatile-flood", {{"times", "log", "400"}}},
    {"answers-swapped", {{"swap", "a", "b"}}},
    {"answers-forked", {{"fork", "a", ""}, {"fork", "b", ""}}},
    {"notes-forked", {{"fork", "ready", ""}, {"fork", "poked", ""}}},
    {"slow-start", {{"slow", "init", "120"}}},
    {"slow-middle", {{"slow", "open", "120"}, {"slow", "p2", "120"}}},
    {"bytewise", {{"bytes", "items", "60"}, {"bytes", "ask", "60"}}},
    {"note-late-50", {{"late", "poked", "50"}}},
    {"note-late-240", {{"late", "ready", "240"}}},
    {"note-late-300", {{"late", "changed2", "300"}}},
    {"progress-slow", {{"slow", "p1", "80"}, {"slow", "p3", "80"}}},
    {"calls-in-sequence", {{"swap", "lookup", "p3"}}},
    {"call-forked", {{"fork", "ask", ""}}},
    {"linger", {{"linger", "", "80"}}},
    // Lost messages.
    {"note-lost", {{"drop", "ready", ""}}},
    {"note-lost-last", {{"drop", "poked", ""}}},
    {"notes-lost", {{"drop", "changed1", ""}, {"drop", "changed2", ""}, {"drop", "p2", ""}}},
    {"note-late-950", {{"late", "ready", "950"}}},
    {"note-late-1050", {{"late", "ready", "1050"}}},
    {"note-after-all", {{"late", "changed1", "1500"}}},
    {"notes-late-apart", {{"late", "ready", "700"}, {"late", "changed2", "490"}}},
    {"call-lost", {{"drop", "ask", ""}, {"early", "run", ""}}},
    {"inner-answer-lost", {{"drop", "lookup", ""}}},
    {"inner-answer-late-240", {{"late", "lookup", "240"}}},
    {"inner-answer-late-260", {{"late", "lookup", "260"}}},
    {"call-late", {{"late", "ask", "260"}, {"early", "run", ""}}},
    {"answer-lost", {{"drop", "b", ""}}},
    {"answer-lost-first", {{"drop", "init", ""}}},
    {"answer-lost-one-log", {{"drop", "items", ""}, {"times", "log", "3"}}},
    // More than recorded.
    {"note-doubled", {{"double", "changed1", ""}}},
    {"note-extra", {{"before", "changed1", kNote}}},
    {"note-extra-late", {{"late", "changed1", "30"}, {"before", "changed2", kNote}}},
    {"note-new", {{"before", "items", kNews}}},
    {"note-new-pid", {{"before", "items", kPidNote}}},
    {"call-extra", {{"before", "items", kCall}}},
    {"call-doubled", {{"double", "ask", ""}}},
    {"answer-doubled", {{"double", "open", ""}}},
    {"answer-stray", {{"before", "items", kStray}}},
    {"extra-at-the-end", {{"before", "bye", kNews}, {"before", "bye", kNote}}},
    // Another order.
    {"answer-early", {{"early", "run", ""}}},
    {"answer-early-racing", {{"early", "items", ""}}},
    {"answer-early-a-little", {{"early", "items", ""}, {"slow", "items", "3"}}},
    {"notes-swapped", {{"swap", "changed1", "changed2"}}},
    {"progress-swapped", {{"swap", "p1", "p2"}}},
    {"note-before-answer", {{"swap", "run", "p3"}, {"swap", "items", "changed2"}}},
    {"progress-late", {{"late", "p1", "30"}}},
    {"answer-slow-swapped", {{"swap", "a", "b"}, {"slow", "b", "300"}}},
    // Other content.
    {"value", {{"change", "items", "\"x\"=>\"q\""}}},
    {"value-types", {{"change", "run", "3=>\"3\""}, {"change", "items", "\"y\"=>null"}}},
    {"value-both-notes",
     {{"change", "changed1", "\"x\"=>\"v\""}, {"change", "changed2", "\"y\"=>\"w\""}}},
    {"value-both-late",
     {{"change", "changed1", "\"x\"=>\"v\""},
      {"change", "changed2", "\"y\"=>\"w\""},
      {"late", "changed1", "30"}}},
    {"value-pid", {{"change", "init", "\"1\"=>%p"}}},
    {"value-time", {{"change", "items", "\"x\"=>\"at %t\""}}},
    {"value-random", {{"change", "run", "3=>\"%r\""}}},
    {"ignored-type", {{"change", "stat", "%t=>null"}}},
    {"handle-changes", {{"change", "a", "%h=>%r"}}},
    {"handle-in-error",
     {{"change", "a", R"("result":{=>"error":{"code":1,"message":"no %r","data":{)"},
      {"change", "a", "}}=>}}}"}}},
    {"error-for-result",
     {{"change", "items",
       "\"result\":[\"x\",\"y\",\"z\"]=>\"error\":{\"code\":5,\"message\":\"no\"}"}}},
    {"other-method", {{"change", "changed1", "changed=>altered"}}},
    {"other-method-call", {{"change", "ask", "host/ask=>host/beg"}}},
    {"id-type", {{"change", "open", "\"id\":2=>\"id\":\"2\""}}},
    {"call-id-number", {{"change", "ask", "\"q-%p-1\"=>%p"}}},
    // What is not a message.
    {"junk", {{"before", "items", "Segmentation fault, or not"}}},
    {"junk-pid", {{"before", "items", "server[%p]: started at %t"}}},
    {"junk-unfinished", {{"raw", "bye", "a line without an end"}}},
    {"junk-forked", {{"before", "a", "junk"}, {"fork", "b", ""}}},
    {"content-length", {{"before", "items", "Content-Length: 30\r\n\r"}}},
    // Silence and ends.
    {"silent", {{"mute", "init", ""}}},
    {"silent-in-call", {{"mute", "p2", ""}}},
    {"silent-with-logs", {{"times", "log", "4"}, {"mute", "stat", ""}}},
    {"hangs", {{"hang", "items", ""}}},
    {"hangs-at-end", {{"stay", "", ""}}},
    {"crash", {{"die", "items", "11"}}},
    {"crash-at-start", {{"die", "init", "6"}}},
    {"crash-in-flight", {{"die", "b", "11"}}},
    {"crash-forked", {{"fork", "a", ""}, {"die", "b", "9"}}},
    {"crash-after-logs", {{"times", "log", "5"}, {"die", "stat", "6"}}},
    {"exit-early", {{"exit", "items", "0"}}},
    {"exit-early-code", {{"exit", "p3", "3"}}},
    {"exit-before-host", {{"exit", "changed2", "0"}}},
    {"closes-stdout", {{"close", "items", ""}}},
    {"exit-code", {{"ending", "", "4"}}},
    {"late-then-crash", {{"late", "ready", "100"}, {"die", "items", "11"}}},
};

// What is sent, by label. <id> is the id of the request.
const std::map<std::string, std::string> kMessages = {
    {"init", R"({"jsonrpc":"2.0","id":<id>,"result":{"name":"uneven","version":"1"}})"},
    {"ready", R"({"jsonrpc":"2.0","method":"ready","params":{"text":"ready"}})"},
    {"open", R"({"jsonrpc":"2.0","id":<id>,"result":{"handle":"%h","kind":"file"}})"},
    {"a", R"({"jsonrpc":"2.0","id":<id>,"result":{"handle":"%h","part":"a"}})"},
    {"b", R"({"jsonrpc":"2.0","id":<id>,"result":{"handle":"%h","part":"b"}})"},
    {"p1", R"({"jsonrpc":"2.0","method":"progress","params":{"done":1}})"},
    {"p2", R"({"jsonrpc":"2.0","method":"progress","params":{"done":2}})"},
    {"ask",
     R"({"jsonrpc":"2.0","id":"q-%p-1","method":"host/ask","params":{"question":"go on?"}})"},
    {"lookup", R"({"jsonrpc":"2.0","id":<id>,"result":{"found":"tea"}})"},
    {"p3", R"({"jsonrpc":"2.0","method":"progress","params":{"done":3}})"},
    {"run", R"({"jsonrpc":"2.0","id":<id>,"result":{"done":3}})"},
    {"log", R"({"jsonrpc":"2.0","method":"log/write","params":{"text":"line"}})"},
    {"stat", R"({"jsonrpc":"2.0","id":<id>,"result":{"uptime":%t,"ok":true}})"},
    {"pick", R"({"jsonrpc":"2.0","id":"q-%p-2","method":"host/pick","params":{"of":3}})"},
    {"items", R"({"jsonrpc":"2.0","id":<id>,"result":["x","y","z"]})"},
    {"changed1", R"({"jsonrpc":"2.0","method":"changed","params":{"item":"x","n":1}})"},
    {"changed2", R"({"jsonrpc":"2.0","method":"changed","params":{"item":"y","n":2}})"},
    {"poked", R"({"jsonrpc":"2.0","method":"poked","params":{}})"},
    {"bye", R"({"jsonrpc":"2.0","id":<id>,"result":null})"},
};

int64_t Now() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void Sleep(int64_t ms) {
  const timespec time = {ms / 1000, ms % 1000 * 1'000'000};
  nanosleep(&time, nullptr);
}

// Another value in every run and at every call.
uint64_t Random() {
  static uint64_t state = static_cast<uint64_t>(Now()) ^ static_cast<uint64_t>(getpid()) << 40;
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

std::string Hex(size_t digits) {
  std::string text;
  for (size_t i = 0; i < digits; ++i) text += "0123456789abcdef"[Random() % 16];
  return text;
}

void Replace(std::string* text, std::string_view from, std::string_view to) {
  if (const size_t at = text->find(from); at != text->npos) text->replace(at, from.size(), to);
}

std::string Filled(std::string text) {
  static const std::string handle = "h-" + Hex(12);
  for (size_t at = 0; (at = text.find('%', at)) != text.npos;) {
    std::string value;
    switch (at + 1 < text.size() ? text[at + 1] : 0) {
      case 'p':
        value = std::to_string(getpid());
        break;
      case 't':
        value = std::to_string(Now());
        break;
      case 'h':
        value = handle;
        break;
      case 'r':
        value = Hex(12);
        break;
      case 'u':
        value = Hex(8) + "-" + Hex(4) + "-4" + Hex(3) + "-a" + Hex(3) + "-" + Hex(12);
        break;
      default:
        peer::Misused(text);
    }
    text.replace(at, 2, value);
    at += value.size();
  }
  return text;
}

class Plugin {
 public:
  explicit Plugin(const Variant& variant) : edits_(variant.edits) {}

  int Run() {
    std::string pending;
    for (;;) {
      const int wait = later_.empty() ? -1
                                      : static_cast<int>(std::max<int64_t>(
                                            0, (later_.begin()->first - Now()) / 1'000'000 + 1));
      pollfd input = {0, POLLIN, 0};
      if (poll(&input, 1, wait) > 0) {
        const std::string bytes = peer::Hear();
        if (bytes.empty()) break;
        pending += bytes;
        for (size_t end; (end = pending.find('\n')) != pending.npos;) {
          Receive(pending.substr(0, end));
          pending.erase(0, end + 1);
        }
      }
      while (!later_.empty() && later_.begin()->first <= Now()) {
        peer::Say(later_.begin()->second);
        later_.erase(later_.begin());
      }
    }
    if (const Edit* edit = Find("linger", "")) Sleep(atoi(edit->argument.c_str()));
    if (Find("stay", ""))
      for (;;) pause();
    const Edit* ending = Find("ending", "");
    return ending ? atoi(ending->argument.c_str()) : 0;
  }

 private:
  const Edit* Find(std::string_view verb, std::string_view label) const {
    for (const Edit& edit : edits_) {
      if (edit.verb == verb && edit.label == label) return &edit;
    }
    return nullptr;
  }

  void Receive(const std::string& line) {
    const auto after = [&](std::string_view key, std::string_view ends) -> std::string {
      const size_t at = line.find(key);
      if (at == line.npos) return "";
      const size_t from = at + key.size();
      return line.substr(from, line.find_first_of(ends, from) - from);
    };
    const std::string method = after("\"method\":\"", "\"");
    id_ = after("\"id\":", ",}");
    if (method == "initialize") Send({"init"});
    if (method == "initialized") Send({"ready"});
    if (method == "open") Send({"open"});
    if (method == "read") Send({line.find("\"part\":\"a\"") != line.npos ? "a" : "b"});
    if (method == "run") {
      run_ = id_;
      Send({"p1", "p2", "ask"});
      if (Find("early", "run")) Send({"run", "p3"});
    }
    if (method.empty() && line.find("\"picked\"") != line.npos && !Find("early", "items")) {
      id_ = items_;
      Send({"items", "changed1", "changed2"});
    }
    if (method.empty() && line.find("\"yes\"") != line.npos && !Find("early", "run")) {
      id_ = run_;
      Send({"p3", "run"});
    }
    if (method == "lookup") Send({"lookup"});
    if (method == "stat") Send({"log", "stat"});
    if (method == "items") {
      items_ = id_;
      Send({"pick"});
      if (Find("early", "items")) Send({"items", "changed1", "changed2"});
    }
    if (method == "poke") Send({"poked"});
    if (method == "shutdown") Send({"bye"});
    if (method == "exit") return;
  }

  void Send(const std::vector<std::string>& labels) {
    for (const std::string& label : labels) SendOne(label);
  }

  void SendOne(const std::string& label) {
    if (muted_) return;
    if (const Edit* edit = Find("slow", label)) Sleep(atoi(edit->argument.c_str()));
    if (const Edit* edit = Find("die", label)) {
      const int number = atoi(edit->argument.c_str());
      signal(number, SIG_DFL);
      raise(number);
    }
    if (const Edit* edit = Find("exit", label)) _exit(atoi(edit->argument.c_str()));
    if (Find("mute", label)) muted_ = true;
    if (Find("hang", label))
      for (;;) pause();
    if (Find("close", label)) close(1), muted_ = true;
    if (muted_ || Find("drop", label)) return;

    std::string text = kMessages.at(label);
    Replace(&text, "<id>", id_);
    for (const Edit& edit : edits_) {
      if (edit.label != label) continue;
      if (edit.verb == "before") peer::Say(Filled(edit.argument) + "\n");
      if (edit.verb == "raw") peer::Say(Filled(edit.argument));
      if (edit.verb != "change") continue;
      const size_t arrow = edit.argument.find("=>");
      Replace(&text, edit.argument.substr(0, arrow), edit.argument.substr(arrow + 2));
    }
    if (const Edit* edit = Find("swap", label); edit && !sent_[edit->argument]) {
      held_[edit->argument] = {label, id_};
      return;
    }
    const Edit* times = Find("times", label);
    int count = Find("double", label) ? 2 : 1;
    if (times)
      count = static_cast<int>(Random() % static_cast<uint64_t>(atoi(times->argument.c_str()) + 1));
    for (int i = 0; i < count; ++i) Write(label, Filled(text) + "\n");
    sent_[label] = true;
    if (const auto held = held_.find(label); held != held_.end()) {
      const auto [next, id] = std::exchange(held->second, {});
      held_.erase(held);
      const std::string own = std::exchange(id_, id);
      SendOne(next);
      id_ = own;
    }
  }

  void Write(const std::string& label, const std::string& text) {
    if (const Edit* edit = Find("late", label)) {
      later_.emplace(Now() + int64_t{atoi(edit->argument.c_str())} * 1'000'000, text);
    } else if (Find("fork", label)) {
      signal(SIGCHLD, SIG_IGN);
      const uint64_t pause_us = Random() % 3000;
      if (fork() != 0) return;
      const timespec time = {0, static_cast<long>(pause_us) * 1000};
      nanosleep(&time, nullptr);
      peer::Say(text);
      _exit(0);
    } else if (const Edit* slowly = Find("bytes", label)) {
      for (const char c : text) {
        peer::Say(std::string(1, c));
        Sleep(atoi(slowly->argument.c_str()) / static_cast<int>(text.size()));
      }
    } else {
      peer::Say(text);
    }
  }

  std::vector<Edit> edits_;
  std::string id_, run_, items_;
  bool muted_ = false;
  std::multimap<int64_t, std::string> later_;  // by time
  std::map<std::string, bool> sent_;
  std::map<std::string, std::pair<std::string, std::string>>
      held_;  // label and id, by what it waits for
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = peer::Word(argc, argv, 1);
  for (const Variant& variant : kVariants) {
    if (name == "--list") peer::Say(std::string(variant.name) + "\n");
    if (name == variant.name) return Plugin(variant).Run();
  }
  if (name != "--list") peer::Misused(name);
  return 0;
}
