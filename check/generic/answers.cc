// One answer per request, under its id, which no other open request has. JSON-RPC 2.0, clauses 4
// and 5. Requests that were cancelled: by the dialect's "cancellation". Requests that the plugin's
// exit cut off have one cause and are one violation, process.open.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "check/generic/answered_ids.h"
#include "check/generic/generic.h"
#include "check/generic/last_words.h"
#include "check/rules/types.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"
#include "wire/json/unescape.h"
#include "wire/outcome/fault.h"
#include "wire/respelt_ids.h"

namespace midwire::check {
namespace {

using wire::Direction;
using wire::Id;
using wire::Severity;

// Bytes that ids and methods of open requests may take; ids may have 4 KiB, real ones have about
// ten bytes. Beyond it requests are not kept, and unknown answers are not reported.
constexpr size_t kMaxBytes = wire::kMaxOpenBytes;
// An answer that comes so soon after the cancellation was probably on its way: a busy peer may read
// its input every tenth of a second.
constexpr int64_t kCrossingNs = 100'000'000;
// A plugin that a signal of the host ends sooner after a request had no time to answer it. Later,
// it hangs: hosts wait longer than that for an answer, and people before they press Ctrl-C.
constexpr int64_t kTimeToAnswerNs = 5'000'000'000;
// Hosts send two or three signals; each press of Ctrl-C is one more.
constexpr size_t kMaxEndings = 64;
// Requests that the violation of an exit names. A report shows about 200 bytes of it.
constexpr size_t kMaxNamedAtExit = 5;
// A parse error and an invalid request may be answered with a null id (JSON-RPC 2.0, clause 5).
constexpr int64_t kParseError = -32700, kInvalidRequest = -32600;

bool AreOneString(std::string_view a, std::string_view b) {
  return a.starts_with('"') && b.starts_with('"') && wire::SameString(a, b);
}

class AnswerRule : public CheckRule {
 public:
  void OnMessage(const Observed& seen, CheckReport* report) override {
    Side& own = side(seen.direction());
    const std::string& id = seen.message->id.token;
    latest_ = seen.number();
    if (seen.kind() == wire::Kind::kNotification) own.notified = true;
    if (seen.kind() == wire::Kind::kInvalid) {
      OnUnclear(seen, /*reported=*/true);
      ++own.unreadable;
    }
    if (IsCall(seen.kind())) {
      OnCancel(seen, report);
      if (seen.direction() == Direction::kHostToPlugin && IsOf(report->dialect()->last, seen))
        last_sent_ = true;
    }
    if (seen.kind() == wire::Kind::kRequest) {
      CheckFresh(seen, id, report);
      const size_t size = id.size() + seen.method.size();
      if (own.open.size() < wire::kMaxOpenRequests && own.bytes + size <= kMaxBytes) {
        own.bytes += size;
        own.respelt.Open(id);
        own.Add(id, seen.number(), seen.method, seen.recorded->time_ns, IsNotification(seen));
      } else {
        own.lost = true;
      }
    } else if (seen.message->IsAnswer()) {
      OnAnswer(seen, id, report);
    }
  }

  void OnStderr(std::string_view bytes) override { last_words_.Add(bytes); }

  void OnEvent(int64_t time_ns, const Event& event, CheckReport*) override {
    if (const auto* const exit = std::get_if<ExitStatus>(&event)) exit_ = *exit;
    if (const auto* const eof = std::get_if<trace::EofEvent>(&event))
      (eof->stream == wire::Name(Direction::kHostToPlugin) ? stdin_ended_ : output_ended_) = true;
    if (const auto* const signal = std::get_if<trace::SignalEvent>(&event)) {
      if (AsksToEnd(signal->number)) AddEnding(time_ns, /*left=*/false);
    } else if (const auto* const closed = std::get_if<trace::ClosedEvent>(&event)) {
      // A host that ends without a goodbye: no answer reaches it. One that closes because the
      // output has ended did not cause the end.
      const bool output = closed->stream == wire::Name(Direction::kPluginToHost);
      if (output && !output_ended_ && !exit_) AddEnding(time_ns, /*left=*/true);
    }
  }

  void OnGap() override {
    for (Side& side : sides_) side.lost = true;
  }

  void OnSessionEnd(bool whole, CheckReport* report) override {
    for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
      std::vector<const Open*> unanswered;
      const bool all = report->dialect()->cancellation.answered;
      for (const auto& [id, open] : side(direction).open) {
        if (!open.notification && (all || !open.cancelled_ns)) unanswered.push_back(&open);
      }
      if (!whole || !report->received(Opposite(direction))) unanswered.clear();
      // The map of ids has "10" before "2".
      std::ranges::stable_sort(unanswered, {}, &Open::number);
      if (direction == Direction::kHostToPlugin) {
        if (report->echo()) unanswered.clear();  // what sends all back answers nothing
        report->SetUnanswered(TextOf(unanswered));
        ReportExit(&unanswered, report);
      }
      for (const Open* open : unanswered) ReportUnanswered(direction, *open, report);
    }
    *this = AnswerRule();
  }

 private:
  // A message that is no answer to any request, and came when only one was open.
  struct Unclear {
    uint64_t number;
    bool reported;  // by another rule; not an error with a null id, which is allowed
  };
  struct Open {
    uint64_t number;
    std::string method;
    int64_t asked_ns;                     // 0: the trace has no times
    bool notification;                    // of a method that is none but that
    std::optional<int64_t> cancelled_ns;  // when; 0: likewise
    std::optional<Unclear> answer;        // the first message that may have been meant
  };
  // What a host does that wants no more answers: it sends a signal, or leaves.
  struct Ending {
    uint64_t after;  // the number of the latest message
    int64_t time_ns;
    bool left;  // it closed the plugin's stdout
  };
  // The requests of one party, open and answered.
  struct Side {
    using Requests = std::multimap<std::string, Open>;
    Requests open;              // by id token
    Requests::node_type spare;  // the last one that was closed, reused
    wire::RespeltIds respelt;
    size_t bytes = 0;  // of their ids and methods
    AnsweredIds answered;
    uint64_t latest_answered = 0;  // the number of the latest request with an answer
    size_t unreadable = 0;         // messages that may have been requests
    bool notified = false;
    bool lost = false;  // a request was not kept

    void Add(const std::string& id, uint64_t number, std::string_view method, int64_t asked_ns,
             bool notification) {
      if (!spare) {
        Requests one;
        spare = one.extract(one.emplace(id, Open()));
      }
      spare.key() = id;
      Open& request = spare.mapped();
      request.number = number;
      request.method = method;
      request.asked_ns = asked_ns;
      request.notification = notification;
      request.cancelled_ns.reset();
      request.answer.reset();
      open.insert(std::move(spare));
    }
    // `number`: of the answer; 0: none is expected any more.
    void Close(Requests::const_iterator at, uint64_t number) {
      respelt.Close(at->first);
      if (number != 0) latest_answered = std::max(latest_answered, at->second.number);
      bytes -= std::min(bytes, at->first.size() + at->second.method.size());
      answered.Add(at->first, number);
      spare = open.extract(at);
    }
  };

  // Of several open requests, it is not clear which one is meant.
  void OnUnclear(const Observed& seen, bool reported) {
    Side& asked = side(Opposite(seen.direction()));
    if (asked.open.size() != 1 || asked.open.begin()->second.answer) return;
    asked.open.begin()->second.answer = Unclear{seen.number(), reported};
  }

  // Of several in a row, the first one counts.
  void AddEnding(int64_t time_ns, bool left) {
    if (endings_.size() == kMaxEndings) return;
    if (endings_.empty() || endings_.back().after != latest_)
      endings_.push_back({latest_, time_ns, left});
  }

  // A notification with an id, which method.kind reports, is not due an answer.
  static bool IsNotification(const Observed& seen) {
    return seen.spec != nullptr && !seen.spec->request;
  }

  static bool IsCall(wire::Kind kind) {
    return kind == wire::Kind::kRequest || kind == wire::Kind::kNotification;
  }

  static bool IsUnclear(const Open& open) { return open.answer && open.answer->reported; }

  // Reports the exit of a plugin that ended by itself before it answered these requests, and drops
  // them from the list. An exit after later requests were answered cut off nothing: the plugin has
  // passed over those that are open. An orderly one after the end of stdin is what a host asks for:
  // the mistake is that answers are missing then.
  void ReportExit(std::vector<const Open*>* unanswered, CheckReport* report) {
    if (!exit_ || last_sent_) return;
    // A host that leaves makes no plugin crash.
    const bool crashed = IsFault(exit_->signal);
    const bool signalled = !std::ranges::all_of(endings_, &Ending::left);
    if (!endings_.empty() && (signalled || !crashed)) return;
    if (stdin_ended_ && exit_->signal == 0 && exit_->code == 0) return;
    std::vector<const Open*> lost;
    std::ranges::copy_if(*unanswered, std::back_inserter(lost),
                         [](const Open* open) { return !IsUnclear(*open); });
    const uint64_t answered = side(Direction::kHostToPlugin).latest_answered;
    if (lost.empty() || (!crashed && lost.back()->number < answered)) return;
    Violation violation = {.rule = "process.open", .leads = true};
    violation.expected = "answers first";
    violation.got = trace::Describe(*exit_) + ", open: " + TextOf(lost);
    violation.text = crashed ? "the plugin crashed while requests were open"
                     : exit_->signal != 0
                         ? "a signal that midwire did not pass on ended the plugin "
                           "while requests were open"
                         : "the plugin exited while requests were open";
    violation.text += last_words_.Text();
    const auto own = report->dialect()->severities.find("answer.missing");
    // Where requests may stay open, as in a dialect with subscriptions.
    const bool tolerated =
        own != report->dialect()->severities.end() && own->second < Severity::kShould;
    const Severity as = tolerated ? own->second : Severity::kMust;
    if (report->SeverityOf(violation.rule, as) == Severity::kOff) return;
    report->Add(std::move(violation), as);
    std::erase_if(*unanswered, [](const Open* open) { return !IsUnclear(*open); });
  }

  // The first of them.
  static std::string TextOf(const std::vector<const Open*>& requests) {
    std::string text;
    for (size_t i = 0; i < std::min(requests.size(), kMaxNamedAtExit); ++i) {
      text += (i == 0 ? "" : ", ") + requests[i]->method + " (message " +
              std::to_string(requests[i]->number) + ")";
    }
    if (requests.size() > kMaxNamedAtExit) {
      text += " and " + std::to_string(requests.size() - kMaxNamedAtExit) + " more";
    }
    return text;
  }

  void ReportUnanswered(Direction direction, const Open& open, CheckReport* report) const {
    const auto ending = std::ranges::find_if(
        endings_, [&](const Ending& each) { return each.after >= open.number; });
    // A host that leaves had time for answers to later requests: this one was passed over.
    const bool cut_off = ending != endings_.end() &&
                         ending->time_ns - open.asked_ns < kTimeToAnswerNs &&
                         !(ending->left && side(direction).latest_answered > open.number);
    const bool unclear = IsUnclear(open);
    Violation violation = {.rule = unclear   ? "answer.unclear"
                                   : cut_off ? "answer.cut-off"
                                             : "answer.missing",
                           .frame = open.number,
                           .direction = direction};
    violation.kind = wire::Kind::kRequest;
    violation.method = open.method;
    const std::string other = open.answer ? "message " + std::to_string(open.answer->number) : "";
    violation.text = unclear ? "no message answers this request, but " + other + " may be meant to"
                     : !cut_off ? "this request was never answered"
                     : ending->left
                         ? "the host closed the plugin's stdout before this request was answered"
                         : "the host ended the plugin before this request was answered";
    if (open.answer && !unclear) violation.text += "; " + other + ", without an id, may be meant";
    if (!cut_off && !unclear) return report->Add(std::move(violation));
    const wire::Dialect& dialect = *report->dialect();
    if (const auto of = dialect.clauses.find("answer.missing"); of != dialect.clauses.end()) {
      violation.clause = of->second;
    }
    const auto own = dialect.severities.find("answer.missing");
    const bool off = own != dialect.severities.end() && own->second == Severity::kOff;
    report->Add(std::move(violation), off ? Severity::kOff : Severity::kNote);
  }

  // Whether id.once is on, which few dialects have: else nothing is looked up for it.
  bool ReportsReuse(const wire::Dialect& dialect) {
    if (asked_of_ != &dialect) {
      const auto own = dialect.severities.find("id.once");
      reports_reuse_ = own != dialect.severities.end() && own->second != Severity::kOff;
      asked_of_ = &dialect;
    }
    return reports_reuse_;
  }

  // A request's id is not that of an open one, nor of an earlier one.
  void CheckFresh(const Observed& seen, const std::string& id, CheckReport* report) {
    Side& own = side(seen.direction());
    const auto add = [&](const char* rule, const std::string& text, Severity otherwise) {
      Violation violation = CheckReport::Of(rule, seen);
      violation.pointer = seen.id_pointer();
      violation.got = id;
      violation.text = text;
      report->Add(std::move(violation), otherwise);
    };
    auto open = own.open.find(id);
    if (open != own.open.end() && open->second.cancelled_ns &&
        !report->dialect()->cancellation.answered) {
      own.Close(open, 0);  // no answer comes: it does not compete with the new one for answers
      open = own.open.end();
    }
    if (open != own.open.end()) {
      add("id.open",
          "message " + std::to_string(open->second.number) +
              " has this id and is not answered: peers mix the answers up",
          Severity::kShould);
    } else if (ReportsReuse(*report->dialect()) && own.answered.Contains(id)) {
      add("id.once", "an earlier request of this session had this id", Severity::kOff);
    }
  }

  void OnCancel(const Observed& seen, CheckReport* report) {
    Side& own = side(seen.direction());
    for (const wire::MethodPlace& place : report->dialect()->cancellation.at) {
      if (!seen.json || !place.OfMethod(seen.method)) continue;
      const auto value = wire::ValueAt(seen.body, place.pointer);
      if (!value) continue;
      const std::string id(*value);
      if (const auto open = own.open.find(id); open != own.open.end()) {
        open->second.cancelled_ns = seen.recorded->time_ns;
      } else if (!own.answered.Contains(id) && !own.lost &&
                 !side(Opposite(seen.direction())).open.contains(id)) {
        const auto respelt = own.respelt.Find(own.open, id);
        const bool other = respelt != own.open.end();
        Violation violation = CheckReport::Of("cancel.known", seen);
        violation.clause = report->dialect()->cancellation.clause;
        violation.pointer = wire::PointerText(place.pointer);
        violation.expected = other ? respelt->first : "";
        violation.got = id;
        violation.text = other ? "the id differs in spelling or type from that of the request"
                               : "cancels a request that its sender has not made";
        report->Add(std::move(violation), Severity::kNote);
      }
    }
  }

  void CheckCancelled(const Observed& seen, const Open& open, CheckReport* report) {
    if (!open.cancelled_ns || report->unordered() || report->dialect()->cancellation.answered)
      return;
    const int64_t now = seen.recorded->time_ns, took = now - *open.cancelled_ns;
    const bool crossed = now == 0 || *open.cancelled_ns == 0 || took < kCrossingNs;
    Violation violation = CheckReport::Of(crossed ? "cancel.crossed" : "cancel.answered", seen);
    violation.clause = report->dialect()->cancellation.clause;
    violation.pointer = seen.id_pointer();
    violation.got = seen.message->id.token;
    violation.text = crossed
                         ? "an answer after its request was cancelled: it may have been on its way"
                         : "an answer " + std::to_string(took / 1'000'000) +
                               " ms after its request was cancelled: hosts that have forgotten "
                               "the request close the connection";
    report->Add(std::move(violation), crossed ? Severity::kNote : Severity::kShould);
  }

  void OnAnswer(const Observed& seen, const std::string& id, CheckReport* report) {
    Side& asked = side(Opposite(seen.direction()));
    if (const auto open = asked.open.find(id); open != asked.open.end()) {
      CheckCancelled(seen, open->second, report);
      return asked.Close(open, seen.number());
    }
    const auto respelt = asked.respelt.Find(asked.open, id);
    // Clause 5 asks for the same value: "a\/b" and "a/b" are one, and no writer keeps escapes.
    if (respelt != asked.open.end() && AreOneString(respelt->first, id)) {
      CheckCancelled(seen, respelt->second, report);
      return asked.Close(respelt, seen.number());
    }
    std::string method;  // of the request that was meant
    const auto add = [&](const char* rule, const std::string& text, std::string expected = "") {
      Violation violation = CheckReport::Of(rule, seen);
      violation.pointer = seen.id_pointer();
      violation.expected = std::move(expected);
      violation.got = id;
      violation.text = text;
      if (violation.method.empty()) violation.method = method;
      report->Add(std::move(violation));
    };
    // 1 for "1", or 1.0 for 1: a receiver may accept it, the protocol does not.
    if (respelt != asked.open.end()) {
      method = respelt->second.method;
      const std::string other = respelt->first;
      asked.Close(respelt, seen.number());
      return add("id.kept", "the answer's id differs in spelling or type from its request's",
                 other);
    }
    const Id::Type type = seen.message->id.type;
    if (type == Id::Type::kNull || type == Id::Type::kAbsent) {
      const auto code = seen.message->error_code;
      if (seen.kind() == wire::Kind::kError) OnUnclear(seen, /*reported=*/false);
      if (code && (*code == kParseError || *code == kInvalidRequest)) return;
      if (asked.notified) {
        return add("answer.to-notification", "an answer without an id: notifications get none");
      }
    }
    if (const std::optional<uint64_t> first = asked.answered.Find(id)) {
      std::string text = "a second answer to one request";
      if (*first != 0) text += ": message " + std::to_string(*first) + " has answered it";
      return add("answer.once", text);
    }
    if (asked.lost) return;
    if (asked.unreadable > 0) return void(--asked.unreadable);  // another rule reports the request
    OnUnclear(seen, /*reported=*/true);
    Violation violation = CheckReport::Of("answer.known", seen);
    violation.pointer = seen.id_pointer();
    violation.got = id;
    violation.text = "an answer to no request";
    report->AddIfReceived(Opposite(seen.direction()), std::move(violation));
  }

  Side& side(Direction direction) { return sides_[static_cast<int>(direction)]; }
  const Side& side(Direction direction) const { return sides_[static_cast<int>(direction)]; }
  std::array<Side, 2> sides_;
  const wire::Dialect* asked_of_ = nullptr;  // what ReportsReuse knows
  bool reports_reuse_ = false;
  uint64_t latest_ = 0;  // number of the latest message
  std::vector<Ending> endings_;
  bool last_sent_ = false;  // a last message of the lifecycle, after which the plugin may exit
  bool stdin_ended_ = false, output_ended_ = false;
  std::optional<ExitStatus> exit_;
  LastWords last_words_;
};

}  // namespace

std::unique_ptr<CheckRule> MakeAnswerRule() { return std::make_unique<AnswerRule>(); }

}  // namespace midwire::check
