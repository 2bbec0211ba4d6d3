#include "fuzz/oracle/reason.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "fuzz/oracle/panic.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

// Words of a line that reports an error.
constexpr std::string_view kErrorWords[] = {
    "error",  "exception", "fatal",    "assert",     "not a ",    "invalid",   "malformed",
    "failed", "failure",   "cannot ",  "can't ",     "could not", "unable to", "unexpected",
    "panic",  "abort",     "illegal",  "unhandled",  "uncaught",  "refus",     "no such",
    "bad ",   "giving up", "unknown ", "unsupported"};
// Levels of a log, near the start of a line, whose lines report no error.
constexpr std::string_view kMildLevels[] = {"info", "debug", "trace", "warn", "notice", "verbose"};
constexpr size_t kLevelWithin = 40;
// Logs that begin a line with the letter of its level and the time: "I[18:52:57.360] " of clangd,
// "I1127 18:52:57" of glog. V: verbose, D: debug, I: info, W: warning.
constexpr std::string_view kMildLetters = "VDIW";

// Of a line and of the usual lines: the text may be hostile.
constexpr size_t kMaxReason = 1024, kMaxUsual = 256;
// A line that is only a value, as a log in JSON, names no cause.
constexpr size_t kMinReason = 6;

template <size_t kSize>
bool ContainsAny(std::string_view text, const std::string_view (&words)[kSize]) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

bool HasMildLetter(std::string_view line) {
  if (line.size() < 2 || kMildLetters.find(line[0]) == kMildLetters.npos) return false;
  line.remove_prefix(line[1] == '[' ? 2 : 1);
  return !line.empty() && wire::IsDigit(line[0]);
}

// Calls `each` with the lines of the text until it returns true.
template <typename Each>
void ForLines(std::string_view text, const Each& each) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (each(line)) return;
  }
}

// Without what follows a brace: that is a value, mostly of the input.
std::string KeyOfLine(std::string_view line) {
  return Normalised(line.substr(0, std::min(line.find('{'), line.size())));
}

}  // namespace

Reason ReasonOf(std::string_view err) {
  if (Panic panic = FindPanic(err); panic.type != Panic::Type::kNone) {
    return {std::move(panic.key), std::move(panic.line)};
  }
  Reason reason;
  ForLines(err, [&](std::string_view whole) {
    const std::string_view line = wire::Trimmed(whole.substr(0, kMaxReason));
    const std::string lower = wire::ToLower(line);
    if (!ContainsAny(lower, kErrorWords)) return false;
    if (ContainsAny(std::string_view(lower).substr(0, kLevelWithin), kMildLevels)) return false;
    if (HasMildLetter(line)) return false;
    std::string key = KeyOfLine(line);
    if (key.size() < kMinReason) return false;
    reason = {std::move(key), std::string(line)};
    return true;
  });
  return reason;
}

std::string NewLines(std::string_view text, std::string_view usual) {
  std::set<std::string> known;
  ForLines(usual, [&](std::string_view line) {
    known.insert(Normalised(line));
    return known.size() >= kMaxUsual;
  });
  if (known.empty()) return std::string(text);
  // The lines of a new stack may be usual each, as those of two errors in one function are.
  const Panic panic = FindPanic(text);
  if (panic.type != Panic::Type::kNone && panic.key != FindPanic(usual).key) {
    return std::string(text);
  }
  std::string fresh;
  ForLines(text, [&](std::string_view line) {
    if (!known.contains(Normalised(line))) fresh.append(line).append("\n");
    return false;
  });
  return fresh;
}

}  // namespace midwire::fuzz
