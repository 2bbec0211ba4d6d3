#include "fuzz/finding.h"

#include <algorithm>
#include <iterator>

#include "fuzz/switches.h"

namespace midwire::fuzz {
namespace {

constexpr OracleSpec kTable[] = {
    {Oracle::kSignal, "signal", true, FaultKind::kCrash, "the process was ended by a signal"},
    {Oracle::kExit, "exit", true, FaultKind::kCrash,
     "the process exited without a request to do so"},
    {Oracle::kSanitizer, "sanitizer", true, FaultKind::kMemoryError,
     "a sanitizer's report on stderr"},
    {Oracle::kPanic, "panic", true, FaultKind::kCrash,
     "a panic or an uncaught exception on stderr"},
    {Oracle::kHang, "hang", true, FaultKind::kHang,
     "the process stopped answering and uses the processor"},
    {Oracle::kSilence, "silence", true, FaultKind::kHang,
     "the process stopped answering and sleeps"},
    {Oracle::kMissing, "missing", true, FaultKind::kWrongAnswer,
     "a request has no answer, but later ones have"},
    {Oracle::kDouble, "double", true, FaultKind::kWrongAnswer, "a request has two answers"},
    {Oracle::kUnknown, "unknown", true, FaultKind::kWrongAnswer, "an answer to no request"},
    {Oracle::kIdType, "id-type", true, FaultKind::kWrongAnswer,
     "the id of an answer has another type than that of its request"},
    {Oracle::kShape, "shape", true, FaultKind::kWrongAnswer,
     "an answer with both result and error, or neither"},
    {Oracle::kNotification, "notification", true, FaultKind::kWrongAnswer,
     "an answer to a notification"},
    {Oracle::kPollution, "pollution", true, FaultKind::kProtocol,
     "bytes on stdout that are not a message"},
    {Oracle::kBadMessage, "bad-message", true, FaultKind::kProtocol,
     "a frame that is not JSON or not a message"},
    {Oracle::kUtf8, "utf8", true, FaultKind::kProtocol, "a message that is not UTF-8"},
    {Oracle::kDialect, "dialect", true, FaultKind::kProtocol,
     "a message that the dialect does not allow"},
    {Oracle::kMemory, "memory", true, FaultKind::kHang,
     "memory use grew by more than --max-growth, or 2 GiB more are reserved"},
    {Oracle::kSpin, "spin", true, FaultKind::kHang,
     "the process uses the processor after the end of its stdin"},
    {Oracle::kLostAtEof, "lost-at-eof", true, FaultKind::kWrongAnswer,
     "requests before the end of stdin have no answer"},
    {Oracle::kParseError, "parse-error", false, FaultKind::kWrongAnswer,
     "bad JSON or a bad request has no answer"},
    {Oracle::kBigId, "big-id", false, FaultKind::kWrongAnswer,
     "an id above 2^53 or with a fraction comes back changed"},
    {Oracle::kExitOnJunk, "exit-on-junk", false, FaultKind::kProtocol,
     "the process exited normally after bytes that do not frame"},
    {Oracle::kSleepAtEof, "sleep-at-eof", false, FaultKind::kProtocol,
     "the process neither exits nor works after the end of its stdin"},
    {Oracle::kDeaf, "deaf", true, FaultKind::kDeaf,
     "after bytes that do not frame, the process answers nothing and does not exit"},
};
static_assert(std::size(kTable) == kOracles);

struct FaultKindRow {
  FaultKind kind;
  const char* name;
  Severity severity;
};
constexpr FaultKindRow kFaultKindTable[] = {
    {FaultKind::kMemoryError, "memory error", Severity::kError},
    {FaultKind::kCrash, "crash", Severity::kError},
    {FaultKind::kHang, "hang", Severity::kError},
    {FaultKind::kDeaf, "deaf", Severity::kWarning},
    {FaultKind::kWrongAnswer, "wrong answer", Severity::kWarning},
    {FaultKind::kProtocol, "protocol", Severity::kWarning},
    {FaultKind::kStyle, "style", Severity::kNote},
};
static_assert(std::size(kFaultKindTable) == kFaultKinds);

// How the key of a process begins that used memory which it does not have.
constexpr std::string_view kMemorySignals[] = {"signal SIGSEGV ", "signal SIGBUS "};

}  // namespace

std::span<const OracleSpec> Oracles() { return kTable; }
std::string_view Name(Oracle oracle) { return kTable[static_cast<int>(oracle)].name; }

std::string_view Name(FaultKind kind) { return kFaultKindTable[static_cast<int>(kind)].name; }
Severity SeverityOf(FaultKind kind) { return kFaultKindTable[static_cast<int>(kind)].severity; }

std::string_view Name(Severity severity) {
  if (severity == Severity::kError) return "error";
  return severity == Severity::kWarning ? "warning" : "note";
}

std::optional<FaultKind> ParseFaultKind(std::string_view name) {
  for (const FaultKindRow& row : kFaultKindTable) {
    if (name == row.name) return row.kind;
  }
  return std::nullopt;
}

FaultKind KindOf(Oracle oracle, std::string_view key) {
  const bool memory = std::any_of(std::begin(kMemorySignals), std::end(kMemorySignals),
                                  [&](std::string_view start) { return key.starts_with(start); });
  if (oracle == Oracle::kSignal && memory) return FaultKind::kMemoryError;
  return kTable[static_cast<int>(oracle)].kind;
}

bool NeedsTime(Oracle oracle) {
  return oracle == Oracle::kHang || oracle == Oracle::kSilence || oracle == Oracle::kMissing ||
         oracle == Oracle::kParseError || oracle == Oracle::kSpin || oracle == Oracle::kLostAtEof ||
         oracle == Oracle::kSleepAtEof || oracle == Oracle::kDeaf;
}

bool IsGuess(Oracle oracle) {
  return NeedsTime(oracle) || oracle == Oracle::kDouble || oracle == Oracle::kUnknown ||
         oracle == Oracle::kIdType || oracle == Oracle::kNotification || oracle == Oracle::kDialect;
}

OracleSet DefaultOracles() {
  OracleSet set;
  for (const OracleSpec& spec : kTable) set[static_cast<int>(spec.oracle)] = spec.on;
  return set;
}

Result<OracleSet> ParseOracles(std::string_view text) {
  std::string_view names[kOracles];
  for (int i = 0; i < kOracles; ++i) names[i] = kTable[i].name;
  const auto set =
      ParseSwitches(text, DefaultOracles().to_ullong(),
                    {.noun = "oracle", .names = names, .help = "see midwire fuzz --list-oracles"});
  if (!set) return set.error();
  return OracleSet(*set);
}

}  // namespace midwire::fuzz
