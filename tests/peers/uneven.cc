// uneven VARIANT: a plugin of one small session (tests/bench/uneven.jsonl) that departs from it as
// the variant says: late, lost, doubled or swapped messages, crashes, silence, values that change
// with every run. `uneven --list` prints the variants. tests/bench/same-report replays each many
// times and compares the reports.
#include <poll.h>
#include <time.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "peer.h"
#include "uneven_variants.h"

namespace {

using uneven::Edit;
using uneven::kCall;
using uneven::kMessages;
using uneven::kNews;
using uneven::Variant;

int64_t Now() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void Sleep(int64_t ms) {
  const timespec time = {ms / 1000, ms % 1000 * 1'000'000};
  nanosleep(&time, nullptr);
}

void Compute(int64_t ms) {
  const int64_t end = Now() + ms * 1'000'000;
  while (Now() < end) {
  }
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
        const std::string bytes = peer::Receive();
        if (bytes.empty()) break;
        pending += bytes;
        for (size_t end; (end = pending.find('\n')) != pending.npos;) {
          Receive(pending.substr(0, end));
          pending.erase(0, end + 1);
        }
      }
      while (!later_.empty() && later_.begin()->first <= Now()) {
        peer::Say(later_.begin()->second);
        if (beat_ms_ > 0) later_.emplace(Now() + beat_ms_ * 1'000'000, later_.begin()->second);
        later_.erase(later_.begin());
      }
    }
    for (const char* verb : {"orphan-says", "orphan-holds"}) {
      const Edit* edit = Find(verb, "");
      if (!edit || fork() != 0) continue;
      Sleep(atoi(edit->argument.c_str()));
      if (verb == std::string_view("orphan-says")) peer::Say(std::string(kNews) + "\n");
      _exit(0);
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
    if (const Edit* edit = Find("compute", label)) Compute(atoi(edit->argument.c_str()));
    if (const Edit* edit = Find("die", label)) {
      const int number = atoi(edit->argument.c_str());
      signal(number, SIG_DFL);
      raise(number);
    }
    if (const Edit* edit = Find("exit", label)) _exit(atoi(edit->argument.c_str()));
    if (Find("mute", label)) muted_ = true;
    if (const Edit* edit = Find("beat", label)) {
      muted_ = true;
      beat_ms_ = atoi(edit->argument.c_str());
      later_.emplace(Now(), kMessages.at("log") + "\n");
    }
    for (const char* verb : {"flood", "flood-calls"}) {
      const Edit* edit = Find(verb, label);
      for (int i = 0; edit && i < atoi(edit->argument.c_str()); ++i) {
        peer::Say(Filled(verb == std::string_view("flood") ? kNews : kCall) + "\n");
      }
    }
    if (const Edit* edit = Find("stderr", label)) peer::Say(2, Filled(edit->argument) + "\n");
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
  int64_t beat_ms_ = 0;
  std::multimap<int64_t, std::string> later_;  // by time
  std::map<std::string, bool> sent_;
  std::map<std::string, std::pair<std::string, std::string>>
      held_;  // label and id, by what it waits for
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = peer::Word(argc, argv, 1);
  for (const Variant& variant : uneven::kVariants) {
    if (name == "--list") peer::Say(std::string(variant.name) + "\n");
    if (name == variant.name) return Plugin(variant).Run();
  }
  if (name != "--list") peer::Misused(name);
  return 0;
}
