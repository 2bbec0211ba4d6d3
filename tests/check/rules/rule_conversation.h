// The test language of rule types: a rule's JSON without its id, a conversation, and what is found,
// a line each: "#3 p2h /params/url: EXPECTED | GOT".
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/documents/rule_types.h"
#include "check/rules/types.h"
#include "tests/trace/script.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace {

// A conversation: "> {...}" a message of the host, "< {...}" of the plugin, "+50" so many
// milliseconds later, "spawn NAME", "exit 1", "killed 9", "signal 15", "part 2", "gap", "eof" the
// end of stdin, "---" the next session.
class RuleConversation : public SessionHandler {
 public:
  // With one rule, as a rule.
  template <typename Rules = std::initializer_list<std::string>>
  explicit RuleConversation(const Rules& rules) {
    for (const std::string& rule : rules) {
      const Result<wire::Json> json = wire::ParseJson(rule);
      EXPECT_TRUE(json.ok()) << rule;
      wire::RuleSpec& spec = *specs_.emplace_back(std::make_unique<wire::RuleSpec>());
      spec.id = "r";
      spec.type = json->String("type");
      spec.clause = "7";
      if (json->String("severity") == "off") spec.severity = wire::Severity::kOff;
      spec.json = *json;
      Result<std::unique_ptr<check::CheckRule>> made =
          check::MakeRule(spec, nullptr, check::DocumentRuleTypes());
      if (!made) error = made.error().Text();
      if (made) rules_.push_back(std::move(*made));
    }
  }

  void Add(const std::string& line) {
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    const std::string word = line.substr(line.find(' ') + 1);
    if (line[0] == '>') session_.OnRecord(Host(rest + "\n", now_).record());
    if (line[0] == '<') session_.OnRecord(Plugin(rest + "\n", now_).record());
    if (line[0] == '+') now_ += std::stoll(line.substr(1)) * 1'000'000;
    if (line == "untimed") now_ = 0;
    if (line == "---") session_.OnSection();
    if (line.starts_with("spawn")) Event(SpawnEvent{.argv = {word}});
    if (line.starts_with("part")) Event(SpawnEvent{.argv = {"p"}, .part = std::stoi(word)});
    if (line.starts_with("exit")) Event(ExitEvent{.code = std::stoi(word)});
    if (line.starts_with("killed")) Event(ExitEvent{.code = -1, .signal = std::stoi(word)});
    if (line.starts_with("signal")) Event(SignalEvent{std::stoi(word)});
    if (line == "eof") Event(EofEvent{"host-to-plugin"});
    if (line == "gap") Event(GapEvent{1, "lost"});
  }

  std::string error, found;
  std::string texts;  // of the findings, a line each
  uint64_t findings = 0;

 private:
  void Event(const Event& event) { session_.OnRecord(Happened(event, now_).record()); }

  // As check::Checker shows a message.
  void Show(const RecordedMessage& recorded, std::string_view body) {
    check::Observed seen;
    seen.recorded = &recorded;
    seen.message = recorded.message;
    seen.body = body;
    seen.json = wire::IsLooseJson(body);
    seen.request = recorded.request ? &*recorded.request : nullptr;
    seen.method = seen.request ? std::string_view(seen.request->method) : recorded.message->method;
    if (seen.json && body.front() == '{') {
      wire::JsonParts parts(body);
      for (wire::JsonPart part; parts.Next(&part);) {
        if (part.name == "\"params\"") seen.params = part.value;
        if (part.name == "\"result\"") seen.result = part.value;
        if (part.name == "\"error\"") seen.error = part.value;
      }
    }
    for (const auto& rule : rules_) rule->OnMessage(seen, &report_);
  }
  void OnMessage(const RecordedMessage& recorded) override {
    report_.Hear(recorded.direction);
    const std::string_view body = wire::Trimmed(recorded.frame->body());
    elements_.reset();
    if (recorded.message->kind == wire::Kind::kBatch) elements_.emplace(body);
    Show(recorded, body);
  }
  void OnElement(const RecordedMessage& element) override {
    wire::JsonPart part;
    if (elements_ && elements_->Next(&part)) Show(element, part.value);
  }
  void OnEvent(int64_t time_ns, const trace::Event& event) override {
    const auto* spawn = std::get_if<SpawnEvent>(&event);
    if (std::holds_alternative<GapEvent>(event) || (spawn != nullptr && spawn->part > 1)) {
      for (const auto& rule : rules_) rule->OnGap();
    }
    for (const auto& rule : rules_) rule->OnEvent(time_ns, event, &report_);
  }
  void OnSectionEnd(const wire::Exchanges&) override {
    for (const auto& rule : rules_) rule->OnSessionEnd(true, &report_);
  }

  wire::Dialect dialect_;
  std::vector<std::unique_ptr<wire::RuleSpec>> specs_;  // rules point to theirs
  std::vector<std::unique_ptr<check::CheckRule>> rules_;
  check::CheckReport report_{&dialect_, [this](const check::Violation& finding) {
                               ++findings;
                               if (texts.size() < 10'000) texts += finding.text + "\n";
                               EXPECT_EQ(finding.rule + " " + finding.clause, "r 7");
                               if (found.size() > 10'000) return;
                               found += "#" + std::to_string(finding.frame) + " ";
                               found += wire::ShortName(finding.direction);
                               found += " " + finding.pointer + ": " + finding.expected + " | " +
                                        finding.got;
                               if (finding.severity != wire::Severity::kMust) {
                                 found += " (" + std::string(wire::Name(finding.severity)) + ")";
                               }
                               found += "\n";
                             }};
  Session session_{this};
  int64_t now_ = 1'763'722'800'000'000'000;
  std::optional<wire::JsonParts> elements_;
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
