// One answer a request, under its id. JSON-RPC 2.0, clauses 4 and 5.
#include <array>
#include <deque>
#include <map>
#include <set>

#include "trace/check_generic.h"

namespace midwire::trace {
namespace {

using wire::Direction;
using wire::Id;
using wire::Severity;

// Answered ids that are remembered, to tell a second answer from one to nothing.
constexpr size_t kMaxAnswered = 4096;
// A parse error and an invalid request may be answered with a null id (JSON-RPC 2.0, clause 5).
constexpr int64_t kParseError = -32700, kInvalidRequest = -32600;

class AnswerRule : public CheckRule {
 public:
  void OnMessage(const Observed& seen, CheckReport* report) override {
    Side& own = side(seen.direction());
    const std::string& id = seen.message->id.token;
    if (seen.kind() == wire::Kind::kNotification) own.notified = true;
    if (seen.kind() == wire::Kind::kRequest) {
      if (own.open.size() < wire::kMaxOpenRequests) {
        own.open.emplace(id, Open{seen.number(), std::string(seen.method)});
      }
    } else if (seen.message->IsAnswer()) {
      OnAnswer(seen, id, report);
    }
  }

  void OnSessionEnd(bool whole, CheckReport* report) override {
    for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
      // In order of number: a map of ids would put "10" before "2".
      std::map<uint64_t, std::string> unanswered;
      for (const auto& [id, open] : side(direction).open) unanswered[open.number] = open.method;
      for (const auto& [number, method] : unanswered) {
        if (!whole) break;
        CheckFinding finding = {.rule = "answer.missing", .frame = number, .direction = direction};
        finding.kind = wire::Kind::kRequest;
        finding.method = method;
        finding.text = "this request was never answered";
        report->Add(std::move(finding));
      }
      side(direction) = Side();
    }
  }

 private:
  struct Open {
    uint64_t number;
    std::string method;
  };
  // What one party asked, and was answered.
  struct Side {
    std::multimap<std::string, Open> open;  // by id token
    std::deque<std::string> answered;
    bool notified = false;
  };

  void OnAnswer(const Observed& seen, const std::string& id, CheckReport* report) {
    Side& asked = side(Opposite(seen.direction()));
    if (const auto open = asked.open.find(id); open != asked.open.end()) {
      asked.open.erase(open);
      asked.answered.push_back(id);
      if (asked.answered.size() > kMaxAnswered) asked.answered.pop_front();
      return;
    }
    const auto tell = [&](const char* rule, const std::string& text, std::string expected = "") {
      CheckFinding finding = CheckReport::Of(rule, seen);
      finding.pointer = "/id";
      finding.expected = std::move(expected);
      finding.got = id;
      finding.text = text;
      report->Add(std::move(finding));
    };
    // 1 for "1", or 1.0 for 1: the receiver may take it, the protocol does not.
    for (const std::string& other : Respelt(id)) {
      const auto open = asked.open.find(other);
      if (open == asked.open.end()) continue;
      asked.open.erase(open);
      return tell("id.kept", "the answer's id is spelt or typed otherwise than its request's",
                  other);
    }
    const Id::Type type = seen.message->id.type;
    if (type == Id::Type::kNull || type == Id::Type::kAbsent) {
      const auto code = seen.message->error_code;
      if (code && (*code == kParseError || *code == kInvalidRequest)) return;
      if (asked.notified) {
        return tell("answer.to-notification", "an answer without an id: notifications get none");
      }
    }
    for (const std::string& answered : asked.answered) {
      if (answered == id) return tell("answer.once", "a second answer to one request");
    }
    tell("answer.known", "an answer to nothing that was asked");
  }

  static std::vector<std::string> Respelt(const std::string& id) {
    if (id.size() > 2 && id.front() == '"') return {id.substr(1, id.size() - 2)};
    std::vector<std::string> others = {'"' + id + '"'};
    if (const size_t point = id.find(".0"); point != id.npos) others.push_back(id.substr(0, point));
    if (id != "null") others.push_back(id + ".0");
    return others;
  }

  Side& side(Direction direction) { return sides_[static_cast<int>(direction)]; }
  std::array<Side, 2> sides_;
};

}  // namespace

std::unique_ptr<CheckRule> MakeAnswerRule() { return std::make_unique<AnswerRule>(); }

}  // namespace midwire::trace
