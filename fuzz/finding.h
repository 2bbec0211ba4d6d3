// Oracles and findings. An oracle is one kind of fault; each can be switched, and those about which
// real protocols disagree are off by default. A finding is one fault, with a key that is the same
// each time the fault occurs. Plain data: fuzz/oracle and fuzz/live make findings, tools prints
// them.
#pragma once

#include <bitset>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::fuzz {

enum class Oracle : uint8_t {
  kSignal,        // ended by a signal
  kExit,          // exited without a request to do so, or with an unexpected status
  kSanitizer,     // a sanitizer's report on stderr
  kPanic,         // a panic, an uncaught exception or a failed assertion on stderr
  kHang,          // stopped answering, and uses the processor
  kSilence,       // stopped answering, and sleeps
  kMissing,       // a request has no answer, but later ones have
  kDouble,        // a request has two answers
  kUnknown,       // an answer to no request
  kIdType,        // the id of an answer has another type than that of its request
  kShape,         // an answer with both result and error, or neither
  kNotification,  // an answer to a notification
  kPollution,     // bytes on stdout that are not a message
  kBadMessage,    // a frame that is not a message, or not JSON
  kUtf8,          // a message that is not UTF-8
  kDialect,       // a result, params or a method that the dialect does not allow
  kMemory,        // memory use grew by more than its limit
  kSpin,          // uses the processor after the end of its stdin
  kLostAtEof,     // a request before the end of stdin has no answer
  kParseError,    // (off) bad JSON or a bad request has no answer
  kBigId,         // (off) an id above 2^53, or a fraction, comes back changed
  kExitOnJunk,    // (off) exited normally after bytes that do not frame
  kSleepAtEof,    // (off) sleeps on after the end of its stdin
  kDeaf,          // answers nothing any more after bytes that do not frame, and does not end
};
inline constexpr int kOracles = 24;
using OracleSet = std::bitset<kOracles>;

// What kind of fault a finding is. Lists of findings are in this order, the worst first.
enum class FaultKind : uint8_t {
  kMemoryError,
  kCrash,
  kHang,
  kDeaf,
  kWrongAnswer,
  kProtocol,
  kStyle
};
inline constexpr int kFaultKinds = 7;
// An error ends the process or its session; after a warning it goes on; a note is a matter of
// taste, and fails no run.
enum class Severity : uint8_t { kNote, kWarning, kError };
std::string_view Name(FaultKind kind);  // "memory error"
std::optional<FaultKind> ParseFaultKind(std::string_view name);
std::string_view Name(Severity severity);
Severity SeverityOf(FaultKind kind);

// The order of lists of findings: by kind; of one kind, those that each play has shown first.
struct FindingRank {
  FaultKind kind = FaultKind::kMemoryError;
  bool flaky = false;
  std::string key;
  auto operator<=>(const FindingRank&) const = default;
};

struct OracleSpec {
  Oracle oracle;
  const char* name;  // "signal", "exit", ...
  bool on;           // by default
  FaultKind kind;    // of its findings, if they have no other
  const char* text;  // one line for `midwire fuzz --list-oracles`
};
std::span<const OracleSpec> Oracles();
std::string_view Name(Oracle oracle);
// Whether it reports that something did not arrive in time. Such a finding is discarded if the run
// was stopped before that time had passed.
bool NeedsTime(Oracle oracle);
// Whether it compares an answer with earlier requests, or with a timeout. In a long run that may be
// wrong: the answer may belong to an unusual message sent long before, or be slightly late. Such a
// finding is discarded unless it is reproducible.
bool IsGuess(Oracle oracle);
OracleSet DefaultOracles();
// "": the default set. "NAME,...": only these. "+NAME,-NAME,...": the default set, changed. "all"
// or "none" may come first, alone or with changes: "all,-utf8". An error names the word that is not
// an oracle, or that mixes the two kinds of list.
Result<OracleSet> ParseOracles(std::string_view text);

struct Finding {
  Oracle oracle = Oracle::kSignal;
  // The same for the same fault, whatever the bytes around it. The oracle's name comes first, words
  // are separated by blanks, and numbers that change from run to run are left out.
  std::string key;
  std::string text;                 // a description for people; not escaped
  std::optional<FaultKind> kind{};  // if it is not that of the oracle
  size_t part = 0;                  // of the input: the last part that was sent
  bool at_eof = false;              // the peer's stdin was closed by then
  bool of_probe = false;            // it is about a probe, which is no part of the input
  std::string evidence;  // the message or the stderr text that shows it, cut to kMaxEvidence
};
inline constexpr size_t kMaxEvidence = 16 * 1024;

// key: of the finding, which names the signal of a process that was ended by one.
FaultKind KindOf(Oracle oracle, std::string_view key);
inline FaultKind KindOf(const Finding& finding) {
  return finding.kind.value_or(KindOf(finding.oracle, finding.key));
}

}  // namespace midwire::fuzz
