// Holds what was said against a dialect. The checker is a handler of a session: it prepares each
// message once (spans of params and result, the method's spec, the request of an answer) and shows
// it to a list of rules, each of which knows one clause. Pure; `midwire check` prints what they
// find, the fuzzer counts it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/session.h"
#include "wire/dialect.h"
#include "wire/json_parts.h"

namespace midwire::trace {

struct CheckFinding {
  std::string rule;    // "answer.once", or the id of a rule of the dialect
  std::string clause;  // of the protocol's text; may be empty
  wire::Severity severity = wire::Severity::kMust;
  uint64_t session = 1;  // which of the trace
  uint64_t frame = 0;    // number of the message; 0: none
  wire::Direction direction = wire::Direction::kPluginToHost;
  wire::Kind kind = wire::Kind::kInvalid;
  std::string method;   // an answer has its request's
  std::string pointer;  // into the message; "" is the whole
  std::string expected, got;
  std::string text;  // one sentence
};

// A message as rules see it. Views are valid during the call.
struct Observed {
  const SaidMessage* said = nullptr;  // number, times, frame; of an element: its batch's
  const wire::Message* message = nullptr;
  std::string_view body;                   // trimmed; of an element its own text
  bool json = false;                       // the body is held whole, and is loose JSON
  std::string_view params, result, error;  // spans; empty: not there
  std::string_view method;                 // an answer has its request's
  const wire::MethodSpec* spec = nullptr;  // of that; null: not in the dialect
  // Of an answer: what it answers, if that was seen.
  const wire::OpenRequest* request = nullptr;

  wire::Direction direction() const { return said->direction; }
  wire::Kind kind() const { return message->kind; }
  uint64_t number() const { return said->number; }
  // DAP has other names for the same parts.
  bool dap() const { return (message->flags & wire::kDap) != 0; }
  const char* params_pointer() const {
    if (!dap()) return "/params";
    return kind() == wire::Kind::kNotification ? "/body" : "/arguments";
  }
  const char* result_pointer() const { return dap() ? "/body" : "/result"; }
  const char* method_pointer() const {
    if (!dap()) return "/method";
    return kind() == wire::Kind::kNotification ? "/event" : "/command";
  }
  const char* id_pointer() const {
    if (!dap()) return "/id";
    return message->IsAnswer() ? "/request_seq" : "/seq";
  }
};

// Takes findings; fills in clause and severity where a rule left that to the dialect.
class CheckReport {
 public:
  using Sink = std::function<void(const CheckFinding&)>;
  CheckReport(const wire::Dialect* dialect, Sink sink)
      : dialect_(dialect), sink_(std::move(sink)) {}

  // A generic rule's finding. `otherwise`: its severity where the dialect does not say.
  void Add(CheckFinding finding, wire::Severity otherwise = wire::Severity::kMust);
  // A rule of the dialect.
  void Add(CheckFinding finding, const wire::RuleSpec& rule);
  // With number, direction, kind and method filled in.
  static CheckFinding Of(std::string_view rule, const Observed& seen);

  uint64_t session = 1;

 private:
  const wire::Dialect* dialect_;
  Sink sink_;
};

class CheckRule {
 public:
  virtual ~CheckRule() = default;
  virtual void OnMessage(const Observed& seen, CheckReport* report) { (void)seen, (void)report; }
  virtual void OnJunk(const SaidJunk& junk, CheckReport* report) { (void)junk, (void)report; }
  virtual void OnEvent(int64_t time_ns, const Event& event, CheckReport* report) {
    (void)time_ns, (void)event, (void)report;
  }
  // Here bytes of the trace are missing: what follows may answer, name or end what was not seen.
  virtual void OnGap() {}
  // A session is over: what was kept of it is to be forgotten. `whole`: it was recorded from its
  // start to its end, without a gap.
  virtual void OnSessionEnd(bool whole, CheckReport* report) { (void)whole, (void)report; }
};

// The rules that hold in every dialect (check_generic.cc, check_lifecycle.cc, ...).
std::vector<std::unique_ptr<CheckRule>> GenericRules(const wire::Dialect* dialect);
// One of the dialect's own, by its type (check_types.cc). An error: no such type, a member that is
// missing or wrong.
Result<std::unique_ptr<CheckRule>> MakeRule(const wire::RuleSpec& rule,
                                            const wire::Dialect* dialect);

class Checker : public SessionHandler {
 public:
  // An error: a rule of the dialect cannot be made. `dialect` must outlive it.
  static Result<std::unique_ptr<Checker>> Create(const wire::Dialect* dialect,
                                                 CheckReport::Sink sink);

  // Another one that looks on, after those of the dialect (infer.h).
  void Add(std::unique_ptr<CheckRule> rule) { rules_.push_back(std::move(rule)); }

  void OnMessage(const SaidMessage& said) override;
  void OnElement(const SaidMessage& element) override;
  void OnJunk(const SaidJunk& junk) override;
  void OnEvent(int64_t time_ns, const Event& event) override;
  void OnSectionEnd(const wire::Exchanges& exchanges) override;
  // Damage in the trace: call before the session's OnGap.
  void OnGap();
  // The trace is over. Call once.
  void Finish();

 private:
  Checker(const wire::Dialect* dialect, CheckReport::Sink sink)
      : dialect_(dialect), report_(dialect, std::move(sink)) {}
  void Show(const SaidMessage& said, std::string_view body);
  void Tell(const SaidJunk& junk);
  void TellCutOff(wire::Direction direction);

  const wire::Dialect* dialect_;
  CheckReport report_;
  std::vector<std::unique_ptr<CheckRule>> rules_;
  std::optional<wire::JsonParts> elements_;  // of the batch at hand, from its next element on
  // A message that its stream's end cut off, by direction. What follows tells whether the peer did
  // that or the recording.
  struct CutOff {
    int64_t time_ns;
    std::string bytes;
    uint64_t size;
  };
  std::optional<CutOff> cut_off_[2];
  bool spawned_ = false, ended_ = false, gap_ = false;
};

}  // namespace midwire::trace
