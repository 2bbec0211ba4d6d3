#include "fuzz/oracle/ending.h"

#include <string.h>

#include <string_view>

#include "fuzz/cause.h"
#include "fuzz/oracle/panic.h"
#include "fuzz/oracle/reason.h"

namespace midwire::fuzz {
namespace {

// Enough for the lines that explain why a process ended.
constexpr size_t kMaxStderr = 400;

}  // namespace

std::string EndingText(const ExitStatus& status) {
  if (status.signal == 0) return "exit " + std::to_string(status.code);
  const char* name = sigabbrev_np(status.signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(status.signal);
}

std::string StderrText(std::string_view err) {
  std::string text;
  for (const char c : err.substr(0, kMaxStderr)) {
    const bool blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!blank) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += c == '\n' ? "; " : " ";
    }
  }
  text.resize(text.find_last_not_of("; ") + 1);
  return text.empty() ? "it wrote nothing to stderr" : "it wrote: " + text;
}

std::optional<Finding> DeathOf(const ExitStatus& status, const std::string& err,
                               const FaultPlace& place) {
  const Panic panic = FindPanic(err);
  const std::string how = EndingText(status);
  Finding finding = {.evidence = err.substr(0, kMaxEvidence)};
  if (panic.type == Panic::Type::kReport) {
    finding.oracle = Oracle::kSanitizer;
    finding.key = "sanitizer " + panic.key;
    finding.text = panic.line;
  } else if (status.signal != 0) {
    finding.oracle = Oracle::kSignal;
    finding.key = "signal " + how + " ";
    finding.text = "ended by " + how + ", after " + place.Text();
    // Only a process that ends itself says why before it does.
    const bool says_why = how == "SIGABRT" || panic.type != Panic::Type::kNone;
    const Reason reason = says_why ? ReasonOf(err) : Reason();
    finding.key += !reason.key.empty() ? reason.key : "after " + std::string(Culprit(place.after));
    if (!reason.line.empty()) finding.text += ": " + reason.line;
  } else if (panic.type != Panic::Type::kNone && !panic.gone_on && status.code != 0) {
    finding.oracle = Oracle::kPanic;
    finding.key = "panic " + panic.key;
    finding.text = how + ", after " + place.Text() + ": " + panic.line;
  } else {
    return std::nullopt;
  }
  return finding;
}

}  // namespace midwire::fuzz
