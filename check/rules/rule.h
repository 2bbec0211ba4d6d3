// The interface of a rule: it gets each message as the checker prepared it, and reports violations
// of one clause. Called by Checker. Rules are pure, keep state of one session, and never read the
// state of another rule.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/rules/places.h"
#include "trace/report/violation.h"
#include "trace/session.h"
#include "wire/dialect/dialect.h"
#include "wire/json/path.h"

namespace midwire::check {

using trace::Event;
using trace::RecordedJunk;
using trace::RecordedMessage;
using trace::Violation;

// A message as rules see it. Views are valid during the call.
struct Observed {
  const RecordedMessage* recorded = nullptr;  // number, times, frame; of an element: its batch's
  const wire::Message* message = nullptr;
  std::string_view body;                   // trimmed; of an element its own text
  bool json = false;                       // the body is complete, and is loose JSON
  std::string_view params, result, error;  // spans; empty: not there
  std::string_view method;                 // an answer has its request's
  const wire::MethodSpec* spec = nullptr;  // of that; null: not in the dialect
  // Of an answer: what it answers, if that was seen.
  const wire::OpenRequest* request = nullptr;
  PlaceValues* values = nullptr;  // what it has at the places of rules; see types.h

  wire::Direction direction() const { return recorded->direction; }
  wire::Kind kind() const { return message->kind; }
  uint64_t number() const { return recorded->number; }
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

// Receives violations; fills in clause and severity where a rule leaves them to the dialect.
class CheckReport {
 public:
  using Sink = std::function<void(const Violation&)>;
  CheckReport(const wire::Dialect* dialect, Sink sink)
      : dialect_(dialect), sink_(std::move(sink)) {}

  // The dialect, or its revision, of the message or event that rules see now.
  const wire::Dialect* dialect() const { return dialect_; }
  void Use(const wire::Dialect* dialect) { dialect_ = dialect; }
  // The text of that message, for the names of items; "": none, or not JSON.
  void Show(uint64_t number, std::string_view body) {
    number_ = number;
    body_ = body;
    named_ = 0;
    order_broken_ = wire::Severity::kOff;
    unknown_handle_ = false;
    refused_value_.clear();
  }
  // Nothing is reported: the rule that sees the message is not of its revision.
  void Mute(bool muted) { muted_ = muted; }

  // A violation of a generic rule. `otherwise`: its severity unless the dialect sets one.
  void Add(Violation violation, wire::Severity otherwise = wire::Severity::kMust);
  // With which severity that reports one; kOff: not at all.
  wire::Severity SeverityOf(std::string_view rule, wire::Severity otherwise) const;
  // A violation of a rule of the dialect.
  void Add(Violation violation, const wire::RuleSpec& rule);
  // The same: the message should have `expected` at the pointer, but has `got`.
  void AddWrong(const Observed& seen, const wire::RuleSpec& rule, std::string pointer,
                std::string expected, std::string got);
  // The same, if the session has bytes of that direction, now or later: without them, nothing is
  // known of what that party sent. Such violations wait; at most kMaxWaiting are kept.
  void AddIfReceived(wire::Direction direction, Violation violation,
                     wire::Severity otherwise = wire::Severity::kMust);
  void AddIfReceived(wire::Direction direction, Violation violation, const wire::RuleSpec& rule);
  // A party has sent something. Reports what has waited for that.
  void OnReceived(wire::Direction direction);
  bool received(wire::Direction direction) const { return received_[static_cast<int>(direction)]; }
  // The session was made from a log: what is missing may be missing from the log alone, and the
  // report says so. `bare`: the log does not have the params or results of some messages.
  // `unordered`: which of two messages of different parties came first is a guess.
  void UseLog(bool bare, bool unordered) {
    of_log_ = true;
    bare_ = bare;
    unordered_ = unordered;
  }
  // How many violations rules have added, reported or not.
  uint64_t added() const { return added_; }
  bool of_log() const { return of_log_; }
  bool bare() const { return bare_; }
  bool unordered() const { return unordered_; }
  // Whether the rule has reported something in this session.
  bool has(std::string_view rule) const { return reported_.contains(rule); }
  // What rules about the order of messages have to know of each other, so that one mistake is one
  // violation.
  // How severe it is that the current message is out of order, as far as was reported.
  void BreakOrder(wire::Severity severity) {
    if (!muted_) order_broken_ = std::max(order_broken_, severity);
  }
  wire::Severity order_broken() const { return order_broken_; }
  // The host began with another message than the dialect's first, which was reported, and has not
  // sent that since: then nothing is in its order.
  void SetUnopened(bool unopened) { unopened_ = unopened; }
  bool unopened() const { return unopened_; }
  // The current message names a handle that was never made: to which call it belongs is not known.
  void SetUnknownHandle() { unknown_handle_ |= !muted_; }
  bool unknown_handle() const { return unknown_handle_; }
  // Whether the method's schema was reported to refuse the value there in the current message: that
  // is one mistake, and not one of each rule that reads the value.
  bool IsRefused(std::string_view pointer) const {
    return !pointer.empty() && refused_value_ == pointer;
  }
  // The plugin has only sent back what it was sent, which was reported: it answers nothing.
  void SetEcho(bool echo) { echo_ = echo; }
  bool echo() const { return echo_; }
  // What AnswerRule leaves for ProcessRule at the end of a session: the host's requests that were
  // never answered, by name; "": there are none, or some of the session is not recorded.
  void SetUnanswered(std::string unanswered) { unanswered_ = std::move(unanswered); }
  const std::string& unanswered() const { return unanswered_; }
  void EndSession();
  // With number, direction, kind and method filled in.
  static Violation Of(std::string_view rule, const Observed& seen);

  uint64_t session = 1;

 private:
  // A capture of one direction violates an order once or twice; a hostile one must not fill memory.
  static constexpr size_t kMaxWaiting = 1000;
  // Each name is searched in the whole message; of more violations in one, a report shows none.
  static constexpr int kMaxNamed = 32;
  void Send(Violation violation);

  const wire::Dialect* dialect_;
  bool muted_ = false;
  bool of_log_ = false, bare_ = false, unordered_ = false;
  uint64_t number_ = 0;
  std::string_view body_;                               // during the call of a rule
  int named_ = 0;                                       // names that were searched in it
  wire::Severity order_broken_ = wire::Severity::kOff;  // by that message
  bool unopened_ = false, unknown_handle_ = false, echo_ = false;
  std::string refused_value_;  // its pointer; "": none
  std::string unanswered_;
  uint64_t added_ = 0;
  std::set<std::string, std::less<>> reported_;  // rules, as many as a dialect has at most
  Sink sink_;
  std::array<bool, 2> received_ = {};
  std::optional<wire::Direction> needs_;  // of the violation that is being added
  std::array<std::vector<Violation>, 2> waiting_;
};

// What else decides whether a rule does something at a message: see CheckRule::ReadsOnly.
struct RuleReads {
  std::vector<std::string_view> parts;  // of the body
  bool state = false;                   // CheckRule::state
};

class CheckRule {
 public:
  virtual ~CheckRule() = default;
  // Whether messages of this method, or answers to it, can matter to the rule. The checker shows it
  // only those, and asks once per method.
  virtual bool Reads(std::string_view method) const { return (void)method, true; }
  virtual void OnMessage(const Observed& seen, CheckReport* report) { (void)seen, (void)report; }
  // Called after OnMessage, which has reported nothing. Whether OnMessage does nothing at messages
  // like this one, until OnGap or OnSessionEnd. Those have the same method, kind and direction, and
  // the same members. Their values have the same types (true, false and null are types), and the
  // same text where the rule reads it.
  virtual bool ReadsOnly(const Observed& seen, RuleReads* reads) const {
    return (void)seen, (void)reads, false;
  }
  // Another number whenever the rule knows something else of the session, if ReadsOnly asks for it.
  virtual uint64_t state() const { return 0; }
  virtual void OnJunk(const RecordedJunk& junk, CheckReport* report) { (void)junk, (void)report; }
  virtual void OnStderr(std::string_view bytes) { (void)bytes; }
  virtual void OnEvent(int64_t time_ns, const Event& event, CheckReport* report) {
    (void)time_ns, (void)event, (void)report;
  }
  // Bytes of the trace are missing here: later messages may answer, name or end what was not seen.
  virtual void OnGap() {}
  // A session is over: drop its state. `whole`: it was recorded from its start to its end, without
  // a gap.
  virtual void OnSessionEnd(bool whole, CheckReport* report) { (void)whole, (void)report; }
};

}  // namespace midwire::check
