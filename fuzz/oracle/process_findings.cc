#include "fuzz/oracle/process_findings.h"

#include "fuzz/oracle/panic.h"
#include "fuzz/oracle/reason.h"

namespace midwire::fuzz {
namespace {

// A process that reserves more than this at the start runs under a sanitizer: its total is
// meaningless.
constexpr uint64_t kReserved = uint64_t{1} << 40;
// Address space that a process may reserve without using it.
constexpr uint64_t kMaxReserve = uint64_t{2} << 30;

Finding FindingWith(Oracle oracle, std::string key, std::string text, const std::string& err) {
  return {.oracle = oracle,
          .key = std::move(key),
          .text = std::move(text),
          .evidence = err.substr(0, kMaxEvidence)};
}

// A reason that the process gives names the cause better than what it received last. Another cause:
// it gives up for that reason.
std::string KeyWith(const std::string& what, const std::string& after, const Reason& reason,
                    bool gives_up = false) {
  if (reason.key.empty()) return what + after;
  return what + (gives_up ? ": gives up: " : ": ") + reason.key;
}
std::string TextWith(const std::string& text, const Reason& reason) {
  return reason.line.empty() ? text : text + ": " + reason.line;
}

// Of a process that is still running only a stack: it has not given up.
Reason StackOf(const std::string& err) {
  Panic panic = FindPanic(err);
  if (panic.type == Panic::Type::kNone) return {};
  return {std::move(panic.key), std::move(panic.line)};
}

}  // namespace

std::optional<Finding> EndFinding(const ExitStatus& status, const std::string& err,
                                  const FaultPlace& place, SyncState state) {
  if (auto death = DeathOf(status, err, place)) return death;
  const std::string code = std::to_string(status.code);
  // One that ends as if nothing were wrong may have logged errors of before.
  const Reason reason = status.code != 0 ? ReasonOf(err) : Reason();
  const std::string text = TextWith(EndingText(status) + ", after " + place.Text(), reason);
  if (MaySpeak(Oracle::kExit, state)) {
    // It did not fail but gave up, and explained why.
    const bool gives_up = place.nonsense && !err.empty();
    Finding exit =
        FindingWith(Oracle::kExit,
                    KeyWith("exit " + code, " after " + place.after, reason, gives_up), text, err);
    if (gives_up) exit.kind = FaultKind::kProtocol;
    return exit;
  }
  // The content of bytes that do not frame is irrelevant.
  if (MaySpeak(Oracle::kExitOnJunk, state)) {
    return FindingWith(Oracle::kExitOnJunk, "exit-on-junk " + code, text, err);
  }
  return std::nullopt;
}

std::optional<Finding> EofStatusFinding(const ExitStatus& status, const std::set<int>& recorded,
                                        const std::string& err) {
  if (status.signal != 0 || !recorded.contains(0) || recorded.contains(status.code)) {
    return std::nullopt;
  }
  const std::string code = std::to_string(status.code);
  Finding finding = FindingWith(
      Oracle::kExit, "exit " + code + " at the end of stdin",
      TextWith("exits with " + code + " at the end of stdin; recorded: 0", ReasonOf(err)), err);
  // Hosts hardly look at it.
  finding.kind = FaultKind::kStyle;
  return finding;
}

Finding ClosedStdoutFinding(const std::string& err, const FaultPlace& place) {
  const Reason reason = StackOf(err);
  return FindingWith(
      Oracle::kSilence, KeyWith("silence", " closed stdout after " + place.after, reason),
      TextWith("its stdout is closed, but it is still running, after " + place.Text(), reason),
      err);
}

std::optional<Finding> StderrFinding(const std::string& err) {
  const Panic panic = FindPanic(err);
  if (panic.type == Panic::Type::kReport) {
    return FindingWith(Oracle::kSanitizer, "sanitizer " + panic.key, panic.line, err);
  }
  if (panic.type != Panic::Type::kFatal) return std::nullopt;
  return FindingWith(Oracle::kPanic, "panic " + panic.key, panic.line, err);
}

Finding NoAnswerFinding(bool busy, const std::string& err, const FaultPlace& place) {
  const Reason reason = StackOf(err);
  const std::string text = "a valid request is not answered, after " + place.Text();
  if (busy) {
    return FindingWith(Oracle::kHang, KeyWith("hang", " after " + place.after, reason),
                       TextWith(text + "; the processor is busy", reason), err);
  }
  return FindingWith(Oracle::kSilence, KeyWith("silence", " after " + place.after, reason),
                     TextWith(text + "; the process sleeps", reason), err);
}

// One key: how a peer gets lost is the same for most bytes.
Finding DeafFinding(const std::string& err, const FaultPlace& place) {
  return FindingWith(
      Oracle::kDeaf, "deaf",
      "it answers no valid request any more and does not exit, after " + place.Text(), err);
}

Finding AfterEofFinding(bool busy, const std::string& err) {
  if (busy) {
    return FindingWith(Oracle::kSpin, "spin", "its stdin is closed, and it keeps a processor busy",
                       err);
  }
  // A host that waits for its exit leaves it behind as an orphan.
  return FindingWith(Oracle::kSleepAtEof, "sleep-at-eof", "its stdin is closed, and it sleeps on",
                     err);
}

std::optional<Finding> MemoryFinding(const MemoryUse& before, const MemoryUse& now,
                                     uint64_t max_growth) {
  if (now.total == 0) return std::nullopt;
  const bool resident = now.resident > before.resident + max_growth;
  const bool reserved = before.total < kReserved && now.total > before.total + kMaxReserve;
  if (!resident && !reserved) return std::nullopt;
  const uint64_t grown = resident ? now.resident - before.resident : now.total - before.total;
  return FindingWith(Oracle::kMemory, resident ? "memory resident" : "memory reserved",
                     std::string("memory ") + (resident ? "used" : "reserved") + " has grown by " +
                         std::to_string(grown >> 20) + " MiB",
                     "");
}

}  // namespace midwire::fuzz
