// One answer per request, under its id. JSON-RPC 2.0, clauses 4 and 5.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <unordered_map>

#include "check/rules/generic.h"

namespace midwire::check {
namespace {

using wire::Direction;
using wire::Id;

// Answered ids that are remembered, to distinguish a second answer from one to no request.
constexpr size_t kMaxAnswered = 4096;
// Bytes that ids and methods of open requests may take; ids may have 4 KiB, real ones have about
// ten bytes. Beyond it requests are not kept, and unknown answers are not reported.
constexpr size_t kMaxBytes = wire::kMaxOpenBytes;
// A parse error and an invalid request may be answered with a null id (JSON-RPC 2.0, clause 5).
constexpr int64_t kParseError = -32700, kInvalidRequest = -32600;

class AnswerRule : public CheckRule {
 public:
  void OnMessage(const Observed& seen, CheckReport* report) override {
    Side& own = side(seen.direction());
    const std::string& id = seen.message->id.token;
    if (seen.kind() == wire::Kind::kNotification) own.notified = true;
    if (seen.kind() == wire::Kind::kRequest) {
      const size_t size = id.size() + seen.method.size();
      if (own.open.size() < wire::kMaxOpenRequests && own.bytes + size <= kMaxBytes) {
        own.bytes += size;
        own.open.emplace(id, Open{seen.number(), std::string(seen.method)});
      } else {
        own.lost = true;
      }
    } else if (seen.message->IsAnswer()) {
      OnAnswer(seen, id, report);
    }
  }

  void OnGap() override {
    for (Side& side : sides_) side.lost = true;
  }

  void OnSessionEnd(bool whole, CheckReport* report) override {
    for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
      // In order of number: a map of ids would put "10" before "2".
      std::multimap<uint64_t, std::string> unanswered;
      for (const auto& [id, open] : side(direction).open) {
        unanswered.emplace(open.number, open.method);
      }
      for (const auto& [number, method] : unanswered) {
        if (!whole) break;
        Violation finding = {.rule = "answer.missing", .frame = number, .direction = direction};
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
  // The requests of one party, open and answered.
  struct Side {
    std::multimap<std::string, Open> open;  // by id token
    size_t bytes = 0;                       // of their ids and methods
    using Counts = std::unordered_map<std::string, int>;
    Counts answered_count;
    std::deque<Counts::iterator> answered;  // stay valid: there is room for all
    bool notified = false;
    bool lost = false;  // a request was not kept

    void Close(std::multimap<std::string, Open>::iterator at) {
      bytes -= std::min(bytes, at->first.size() + at->second.method.size());
      if (answered.empty()) answered_count.reserve(kMaxAnswered + 1);
      const auto count = answered_count.try_emplace(at->first, 0).first;
      ++count->second;
      answered.push_back(count);
      open.erase(at);
      if (answered.size() <= kMaxAnswered) return;
      const auto oldest = answered.front();
      if (--oldest->second == 0) answered_count.erase(oldest);
      answered.pop_front();
    }
  };

  void OnAnswer(const Observed& seen, const std::string& id, CheckReport* report) {
    Side& asked = side(Opposite(seen.direction()));
    if (const auto open = asked.open.find(id); open != asked.open.end()) {
      return asked.Close(open);
    }
    std::string method;  // of the request that was meant
    const auto tell = [&](const char* rule, const std::string& text, std::string expected = "") {
      Violation finding = CheckReport::Of(rule, seen);
      finding.pointer = seen.id_pointer();
      finding.expected = std::move(expected);
      finding.got = id;
      finding.text = text;
      if (finding.method.empty()) finding.method = method;
      report->Add(std::move(finding));
    };
    // 1 for "1", or 1.0 for 1: a receiver may accept it, the protocol does not.
    for (const std::string& other : Respelt(id)) {
      const auto open = asked.open.find(other);
      if (open == asked.open.end()) continue;
      method = open->second.method;
      asked.Close(open);
      return tell("id.kept", "the answer's id differs in spelling or type from its request's",
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
    if (asked.answered_count.contains(id)) {
      return tell("answer.once", "a second answer to one request");
    }
    if (!asked.lost) tell("answer.known", "an answer to no request");
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

}  // namespace midwire::check
