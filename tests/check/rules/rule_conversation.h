// The test language of rule types: a rule's JSON without its id, a conversation, and what is found,
// a line each: "#3 p2h /params/url: EXPECTED | GOT".
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check/checker.h"
#include "tests/trace/script.h"
#include "trace/session.h"
#include "wire/dialect/dialect.h"

namespace midwire::trace {

// A conversation: "> {...}" a message of the host, "< {...}" of the plugin, "+50" so many
// milliseconds later, "untimed" without times from here on, "spawn NAME", "exit 1", "killed 9",
// "signal 15", "part 2", "gap", "note TEXT",
// "eof" the end of stdin, "---" the next session. The checker judges
// it, as in `midwire check`; what its generic rules find is kept apart.
class RuleConversation {
 public:
  // With one rule, as a rule.
  template <typename Rules = std::initializer_list<std::string>>
  explicit RuleConversation(const Rules& rules) {
    for (const std::string& rule : rules) {
      const Result<wire::Json> json = wire::ParseJson(rule);
      EXPECT_TRUE(json.ok()) << rule;
      wire::RuleSpec& spec = dialect_.rules.emplace_back();
      spec.id = "r";
      spec.type = json->String("type");
      spec.clause = "7";
      if (json->String("severity") == "off") spec.severity = wire::Severity::kOff;
      spec.json = *json;
    }
    auto made = check::Checker::Create(
        &dialect_, [this](const check::Violation& finding) { OnFinding(finding); });
    if (!made) {
      error = made.error().Text();
      return;
    }
    checker_ = std::move(*made);
    session_ = std::make_unique<Session>(checker_.get());
  }

  void Add(const std::string& line) {
    if (!session_) return;
    const std::string word = line.substr(line.find(' ') + 1);
    if (line.starts_with("> ")) return session_->OnRecord(Host(word + "\n", now_).record());
    if (line.starts_with("< ")) return session_->OnRecord(Plugin(word + "\n", now_).record());
    if (line.starts_with("+")) return void(now_ += std::stoll(line.substr(1)) * 1'000'000);
    if (line.starts_with("spawn ")) return Event(SpawnEvent{.argv = {word}});
    if (line.starts_with("part ")) return Event(SpawnEvent{.argv = {"p"}, .part = std::stoi(word)});
    if (line.starts_with("exit ")) return Event(ExitStatus{.code = std::stoi(word)});
    if (line.starts_with("killed "))
      return Event(ExitStatus{.code = -1, .signal = std::stoi(word)});
    if (line.starts_with("signal ")) return Event(SignalEvent{std::stoi(word)});
    if (line == "untimed") return void(now_ = 0);
    if (line.starts_with("note ")) return Event(NoteEvent{word});
    if (line == "eof") return Event(EofEvent{"host-to-plugin"});
    if (line == "gap") return Event(GapEvent{1, "lost"});
    if (line != "---") FAIL() << "no such line: " << line;
    Event(EndEvent());  // without one, the recording was cut off, and silence means nothing
    session_->OnSection();
  }

  std::string error, found;
  std::string texts;   // of the findings, a line each
  std::string others;  // what generic rules find: "#3 jsonrpc: EXPECTED", a line each
  uint64_t findings = 0;

 private:
  void Event(const Event& event) { session_->OnRecord(Happened(event, now_).record()); }

  void OnFinding(const check::Violation& finding) {
    if (finding.rule != "r") {
      if (others.size() > 1'000'000) return;
      others += "#" + std::to_string(finding.frame) + " " + finding.rule + ": " + finding.expected;
      others += "\n";
      return;
    }
    ++findings;
    if (texts.size() < 10'000) texts += finding.text + "\n";
    EXPECT_EQ(finding.clause, "7");
    if (found.size() > 10'000) return;
    found += "#" + std::to_string(finding.frame) + " ";
    found += wire::ShortName(finding.direction);
    found += " " + finding.pointer + ": " + finding.expected + " | " + finding.got;
    if (finding.severity != wire::Severity::kMust) {
      found += " (" + std::string(wire::Name(finding.severity)) + ")";
    }
    found += "\n";
  }

  wire::Dialect dialect_;
  std::unique_ptr<check::Checker> checker_;  // null: see error
  std::unique_ptr<Session> session_;
  int64_t now_ = 1'763'722'800'000'000'000;
};

inline std::string FoundBy(const std::string& rule, const std::vector<std::string>& lines) {
  RuleConversation conversation({rule});
  for (const std::string& line : lines) conversation.Add(line);
  return conversation.error + conversation.found;
}
inline std::string ErrorOf(const std::string& rule) { return RuleConversation({rule}).error; }

// Short forms of messages, with ids of their sender.
inline std::string Ask(char sender, int id, const std::string& method,
                       const std::string& params = "{}") {
  return std::string(1, sender) + " {\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
         ",\"method\":\"" + method + "\",\"params\":" + params + "}";
}
inline std::string Notify(char sender, const std::string& method,
                          const std::string& params = "{}") {
  return std::string(1, sender) + " {\"jsonrpc\":\"2.0\",\"method\":\"" + method +
         "\",\"params\":" + params + "}";
}
inline std::string Answer(char sender, int id, const std::string& result = "null") {
  return std::string(1, sender) + " {\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
         ",\"result\":" + result + "}";
}
inline std::string Refuse(char sender, int id, int code) {
  return std::string(1, sender) + " {\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
         ",\"error\":{\"code\":" + std::to_string(code) + ",\"message\":\"no\"}}";
}

}  // namespace midwire::trace
