// The plugin as a process, in every dialect: whether it could be started, what ended it, and
// whether it went on after the end of its stdin. Also whether each party read what it got. What
// explains other violations is listed before them. An exit while requests were open is for
// AnswerRule.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "check/generic/generic.h"
#include "check/generic/last_words.h"
#include "check/rules/types.h"
#include "wire/outcome/fault.h"

namespace midwire::check {
namespace {

using wire::Direction;
using wire::Severity;

// Where the dialect has no grace: hosts built with the SDKs of MCP wait 2 s after the end of stdin,
// then send SIGTERM. A plugin that sleeps exits within milliseconds.
constexpr int64_t kStdinGraceMs = 1500;

// Numbers as Linux has them: those of a tape, not of the machine that checks it.
// HUP, INT, QUIT, KILL, TERM: what a host sends to end its plugin.
constexpr int kEndings[] = {1, 2, 3, 9, 15};

constexpr int kSigpipe = 13;

std::string SecondsOf(int64_t ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(ms) / 1000);
  return text;
}

class ProcessRule : public CheckRule {
 public:
  void OnMessage(const Observed& seen, CheckReport* report) override {
    talked_ = true;
    if (seen.direction() == Direction::kPluginToHost) {
      if (up_ns_ == 0) up_ns_ = seen.recorded->time_ns;
      if (seen.message->IsAnswer()) last_answer_ns_ = seen.recorded->time_ns;
    } else if (IsCall(seen) && IsOf(report->dialect()->last, seen)) {
      last_sent_ = true;
    }
  }

  void OnStderr(std::string_view bytes) override { last_words_.Add(bytes); }

  void OnEvent(int64_t time_ns, const Event& event, CheckReport* report) override {
    if (const auto* const start = std::get_if<trace::CannotStartEvent>(&event)) {
      OnCannotStart(*start, report);
    } else if (const auto* const eof = std::get_if<trace::EofEvent>(&event)) {
      if (eof->stream == wire::Name(Direction::kHostToPlugin)) eof_ns_ = time_ns;
    } else if (const auto* const signal = std::get_if<trace::SignalEvent>(&event)) {
      if (AsksToEnd(signal->number) && signal_ == 0) {
        signal_ = signal->number;
        signal_ns_ = time_ns;
      }
    } else if (const auto* const held = std::get_if<trace::HeldEvent>(&event)) {
      OnHeld(*held, report);
    } else if (const auto* const stalled = std::get_if<trace::StalledEvent>(&event)) {
      stalls_[IndexOf(stalled->stream)] = Stall{*stalled, time_ns};
    } else if (const auto* const resumed = std::get_if<trace::ResumedEvent>(&event)) {
      EndStall(IndexOf(resumed->stream), resumed->ms, report);
    } else if (const auto* const closed = std::get_if<trace::ClosedEvent>(&event)) {
      OnClosed(*closed, time_ns, report);
    } else if (const auto* const exit = std::get_if<ExitStatus>(&event)) {
      EndStalls(time_ns, report);
      exit_ = *exit;
      exit_ns_ = time_ns;
    }
  }

  void OnSessionEnd(bool whole, CheckReport* report) override {
    EndStalls(0, report);
    // Not at the exit: the last lines of stderr may be recorded after it.
    if (exit_) JudgeExit(*exit_, whole, report);
    *this = ProcessRule();
  }

 private:
  struct Stall {
    trace::StalledEvent event;
    int64_t time_ns;
  };

  static size_t IndexOf(const std::string& stream) {
    if (stream == wire::Name(Direction::kHostToPlugin)) return 0;
    return stream == wire::Name(Direction::kPluginToHost) ? 1 : 2;
  }

  void OnCannotStart(const trace::CannotStartEvent& start, CheckReport* report) {
    started_ = false;
    Violation violation = {.rule = "process.start", .leads = true};
    violation.got = start.error + ": " + start.file;
    violation.text = "the plugin cannot be started";
    if (!start.path.empty()) violation.text += "; PATH is " + start.path.substr(0, 400);
    report->Add(std::move(violation));
  }

  void OnHeld(const trace::HeldEvent& held, CheckReport* report) {
    Violation violation = {.rule = "process.held"};
    const bool answers = IndexOf(held.stream) == 1;
    violation.text = std::string("another process kept the plugin's ") +
                     (answers ? "stdout" : "stderr") + " open after the exit";
    // A daemon often keeps stderr for its log. A host that waits for the end of stdout hangs.
    report->Add(std::move(violation), answers ? Severity::kShould : Severity::kNote);
  }

  void OnClosed(const trace::ClosedEvent& closed, int64_t time_ns, CheckReport* report) {
    const size_t stream = IndexOf(closed.stream);
    if (stream != 0) output_closed_ = true;
    EndStallAt(stream, time_ns, report);
    if (closed.first_unread == 0) return;
    Violation violation = {.rule = "process.unread"};
    violation.direction = stream == 0 ? Direction::kPluginToHost : Direction::kHostToPlugin;
    violation.got = trace::MessagesFrom(closed.first_unread, closed.last_unread);
    violation.text = stream == 0 ? "the plugin never read its last messages"
                                 : "the host never read its last messages";
    report->Add(std::move(violation), Severity::kNote);
  }

  // ms: how long it was in all.
  void EndStall(size_t stream, int64_t ms, CheckReport* report) {
    const std::optional<Stall> stall = std::exchange(stalls_[stream], {});
    if (!stall) return;
    trace::StalledEvent whole = stall->event;
    whole.ms = std::max(whole.ms, ms);
    Violation violation = {.rule = "process.stalled", .leads = true};
    violation.direction = stream == 0 ? Direction::kPluginToHost : Direction::kHostToPlugin;
    violation.got = trace::Describe(whole);
    violation.text = stream == 0 ? "the plugin stopped reading" : "the host stopped reading";
    report->Add(std::move(violation), Severity::kShould);
  }

  void EndStalls(int64_t time_ns, CheckReport* report) {
    for (size_t i = 0; i < stalls_.size(); ++i) EndStallAt(i, time_ns, report);
  }

  // It went on until then; 0: that is not known.
  void EndStallAt(size_t stream, int64_t time_ns, CheckReport* report) {
    const std::optional<Stall>& stall = stalls_[stream];
    if (!stall) return;
    const bool timed = time_ns != 0 && stall->time_ns != 0;
    const int64_t since_ms = timed ? (time_ns - stall->time_ns) / 1'000'000 : 0;
    EndStall(stream, stall->event.ms + since_ms, report);
  }

  // `whole`: no answer is missing from the trace.
  void JudgeExit(const ExitStatus& exit, bool whole, CheckReport* report) {
    if (signal_ != 0) {
      // Then it explains why answers are missing.
      Violation violation = {.rule = "process.killed", .leads = !report->unanswered().empty()};
      violation.direction = Direction::kHostToPlugin;
      violation.got =
          trace::Describe(trace::SignalEvent{signal_}) + ", then " + trace::Describe(exit);
      violation.text = "the host ended the plugin by a signal";
      if (violation.leads) violation.got += ", open: " + report->unanswered();
      report->Add(std::move(violation), Severity::kNote);
    } else if (report->has("process.open")) {
      // AnswerRule has reported the end, with what was open.
    } else if (IsFault(exit.signal)) {
      Violation violation = {.rule = "process.crash", .leads = true};
      violation.got = trace::Describe(exit);
      violation.text = "the plugin crashed" + last_words_.Text();
      report->Add(std::move(violation), Severity::kShould);
    } else if (exit.signal != 0) {
      Violation violation = {.rule = "process.killed"};
      violation.got = trace::Describe(exit);
      violation.text = exit.signal == kSigpipe && output_closed_
                           ? "the host had closed the plugin's output, and writing to it ended it"
                           : "a signal that midwire did not pass on ended the plugin";
      report->Add(std::move(violation), Severity::kNote);
    } else if (exit.code != 0 && started_ && !talked_ && whole) {
      // Interpreters turn an exception into a status. Later, a protocol may ask for it.
      Violation violation = {.rule = "process.crash", .leads = true};
      violation.got = trace::Describe(exit);
      violation.text = "the plugin failed before any message" + last_words_.Text();
      report->Add(std::move(violation), Severity::kShould);
    }
    JudgeStdin(report);
  }

  // The plugin may still be starting, or answer what it got: its time begins with its first
  // message and its last answer. One that ended by itself before any message may have been
  // starting all the time.
  void JudgeStdin(CheckReport* report) {
    const wire::Dialect& dialect = *report->dialect();
    // lifecycle.grace measures from the last message.
    if (last_sent_ && dialect.grace_ms != 0) return;
    const int64_t until = signal_ != 0 ? signal_ns_ : exit_ns_;
    if (eof_ns_ == 0 || until == 0 || (signal_ == 0 && up_ns_ == 0)) return;
    const int64_t from = std::max({eof_ns_, up_ns_, last_answer_ns_});
    const int64_t took_ms = (until - from) / 1'000'000;
    const int64_t grace_ms = dialect.grace_ms != 0 ? dialect.grace_ms : kStdinGraceMs;
    if (took_ms <= grace_ms) return;
    Violation violation = {.rule = "process.stdin-end"};
    violation.expected = "an exit within " + SecondsOf(grace_ms);
    if (signal_ != 0) {
      violation.got = "none in " + SecondsOf(took_ms) + ", then " +
                      trace::Describe(trace::SignalEvent{signal_});
      violation.text = "the plugin did not exit after the end of its stdin";
    } else {
      violation.got = "an exit after " + SecondsOf(took_ms);
      violation.text = "the plugin exited late after the end of its stdin";
    }
    report->Add(std::move(violation), Severity::kShould);
  }

  std::array<std::optional<Stall>, 3> stalls_;  // by trace::Stream
  LastWords last_words_;
  std::optional<ExitStatus> exit_;
  int64_t up_ns_ = 0;  // of its first message; 0: none yet
  int64_t eof_ns_ = 0, last_answer_ns_ = 0, signal_ns_ = 0, exit_ns_ = 0;
  int signal_ = 0;  // the first that asked it to end; 0: none
  bool last_sent_ = false;
  bool output_closed_ = false;            // the host closed stdout or stderr
  bool started_ = true, talked_ = false;  // there was a message
};

}  // namespace

bool AsksToEnd(int signal) { return std::ranges::find(kEndings, signal) != std::end(kEndings); }

std::unique_ptr<CheckRule> MakeProcessRule() { return std::make_unique<ProcessRule>(); }

}  // namespace midwire::check
