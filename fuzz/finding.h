// What counts as wrong. Each oracle can be switched; those about which real protocols disagree
// start off. A finding is what one of them saw, with a key that stays the same when the same fault
// shows itself again. Plain data; the oracle and the runner make findings.
#pragma once

#include <bitset>
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
  kExit,          // ended by itself, and was not asked to, or with another status
  kSanitizer,     // a sanitizer's report on stderr
  kPanic,         // a panic, an uncaught exception, a failed assertion on stderr
  kHang,          // does not answer any more, and burns the processor
  kSilence,       // does not answer any more, and sleeps
  kMissing,       // answers what came later, but not this request
  kDouble,        // two answers to one request
  kUnknown,       // an answer to nothing
  kIdType,        // the answer's id has another type than its request's
  kShape,         // both result and error, or neither
  kNotification,  // an answer to a notification
  kPollution,     // something on stdout that is no message
  kBadMessage,    // a frame that is no message, or no JSON
  kUtf8,          // a message that is not UTF-8
  kDialect,       // a result, params or a method that the dialect does not allow
  kMemory,        // memory grows without reason
  kSpin,          // stdin is at its end, and it burns the processor
  kLostAtEof,     // stdin ended behind a request, and its answer never came
  kParseError,    // (off) bad JSON or a bad request is not answered with an error
  kBigId,         // (off) an id above 2^53, or a fraction, does not come back as it was
  kExitOnJunk,    // (off) ends, in order, after bytes that do not frame
};
inline constexpr int kOracles = 22;
using OracleSet = std::bitset<kOracles>;

struct OracleSpec {
  Oracle oracle;
  const char* name;  // "signal", "exit", ...
  bool on;           // unless asked otherwise
  const char* text;  // one line for `midwire fuzz --list-oracles`
};
std::span<const OracleSpec> Oracles();
std::string_view Name(Oracle oracle);
// Whether it tells of something that did not come in its time: who was not given it is not judged.
bool NeedsTime(Oracle oracle);
// Whether it holds what a peer says against what it was asked, or against the time. Of a long life
// that is guesswork: an answer may be to something odd that was said long ago, or have been a
// moment late. Seen once and never again, it was that.
bool IsGuess(Oracle oracle);
OracleSet DefaultOracles();
// "": the usual ones. "NAME,...": just these. "+NAME,-NAME,...": the usual ones, changed. "all" and
// "none" stand first, alone or with changes: "all,-utf8". An error names the word that is none, or
// that is not of the list's kind.
Result<OracleSet> ParseOracles(std::string_view text);

struct Finding {
  Oracle oracle = Oracle::kSignal;
  // The same for the same fault, whatever the bytes around it: oracle first, blanks between words,
  // no numbers that change from run to run.
  std::string key;
  std::string text;      // one sentence for people; not escaped
  size_t part = 0;       // of the input: what was said last
  bool at_eof = false;   // its stdin had been closed by then
  std::string evidence;  // the message or the stderr text that shows it, cut to kMaxEvidence
};
inline constexpr size_t kMaxEvidence = 16 * 1024;

}  // namespace midwire::fuzz
