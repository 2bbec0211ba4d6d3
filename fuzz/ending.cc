#include "fuzz/ending.h"

#include <string.h>

#include "fuzz/panic.h"

namespace midwire::fuzz {

std::string EndingText(int code, int signal) {
  if (signal == 0) return "exit " + std::to_string(code);
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::optional<Finding> DeathOf(int code, int signal, const std::string& err,
                               const std::string& after) {
  const Panic panic = FindPanic(err);
  const std::string how = EndingText(code, signal);
  Finding finding = {.evidence = err.substr(0, kMaxEvidence)};
  if (panic.type == Panic::Type::kReport) {
    finding.oracle = Oracle::kSanitizer;
    finding.key = "sanitizer " + panic.key;
    finding.text = panic.line;
  } else if (signal != 0) {
    finding.oracle = Oracle::kSignal;
    finding.key =
        "signal " + how + " " + (panic.type != Panic::Type::kNone ? panic.key : "after " + after);
    finding.text = "ended by " + how + ", after " + after;
  } else if (panic.type != Panic::Type::kNone && code != 0) {
    finding.oracle = Oracle::kPanic;
    finding.key = "panic " + panic.key;
    finding.text = how + ", after " + after + ": " + panic.line;
  } else {
    return std::nullopt;
  }
  return finding;
}

}  // namespace midwire::fuzz
