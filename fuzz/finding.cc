#include "fuzz/finding.h"

namespace midwire::fuzz {
namespace {

constexpr OracleSpec kTable[] = {
    {Oracle::kSignal, "signal", true, "ended by a signal"},
    {Oracle::kExit, "exit", true, "ended by itself without being asked to"},
    {Oracle::kSanitizer, "sanitizer", true, "a sanitizer's report on stderr"},
    {Oracle::kPanic, "panic", true, "a panic or an uncaught exception on stderr"},
    {Oracle::kHang, "hang", true, "answers no more, and burns the processor"},
    {Oracle::kSilence, "silence", true, "answers no more, and sleeps"},
    {Oracle::kMissing, "missing", true, "a request is never answered, later ones are"},
    {Oracle::kDouble, "double", true, "a request is answered twice"},
    {Oracle::kUnknown, "unknown", true, "an answer to nothing that was asked"},
    {Oracle::kIdType, "id-type", true, "an answer's id has another type than its request's"},
    {Oracle::kShape, "shape", true, "an answer with both result and error, or neither"},
    {Oracle::kNotification, "notification", true, "an answer to a notification"},
    {Oracle::kPollution, "pollution", true, "bytes on stdout that are no message"},
    {Oracle::kBadMessage, "bad-message", true, "a frame that is no JSON or no message"},
    {Oracle::kUtf8, "utf8", true, "a message that is not UTF-8"},
    {Oracle::kDialect, "dialect", true, "a message that the dialect does not allow"},
    {Oracle::kMemory, "memory", true, "memory grows far more than what was said"},
    {Oracle::kSpin, "spin", true, "burns the processor after the end of its stdin"},
    {Oracle::kLostAtEof, "lost-at-eof", true, "requests before the end of stdin go unanswered"},
    {Oracle::kParseError, "parse-error", false, "bad JSON or a bad request goes unanswered"},
    {Oracle::kBigId, "big-id", false, "ids above 2^53 and fractions do not come back as they were"},
    {Oracle::kExitOnJunk, "exit-on-junk", false, "ends, in order, after bytes that do not frame"},
};
static_assert(std::size(kTable) == kOracles);

const OracleSpec* Find(std::string_view name) {
  for (const OracleSpec& spec : kTable) {
    if (name == spec.name) return &spec;
  }
  return nullptr;
}

}  // namespace

std::span<const OracleSpec> Oracles() { return kTable; }
std::string_view Name(Oracle oracle) { return kTable[static_cast<int>(oracle)].name; }

bool NeedsTime(Oracle oracle) {
  return oracle == Oracle::kHang || oracle == Oracle::kSilence || oracle == Oracle::kMissing ||
         oracle == Oracle::kParseError || oracle == Oracle::kSpin || oracle == Oracle::kLostAtEof;
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
  OracleSet set = DefaultOracles();
  const std::string list(text);
  enum class Way { kUnknown, kChanges, kJustThese } way = Way::kUnknown;
  for (bool more = !text.empty(); more;) {
    const size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    if (way == Way::kUnknown && (word == "all" || word == "none")) {
      word == "all" ? set.set() : set.reset();
      way = Way::kChanges;
      continue;
    }
    const bool sign = word.starts_with('+') || word.starts_with('-');
    const OracleSpec* spec = Find(sign ? word.substr(1) : word);
    if (spec == nullptr) {
      return Error{"no such oracle", "\"" + std::string(word) + "\" in \"" + list + "\"",
                   "midwire fuzz --list-oracles lists them"};
    }
    const Way wanted = sign ? Way::kChanges : Way::kJustThese;
    if (way == Way::kUnknown && !sign) set.reset();
    if (way != Way::kUnknown && way != wanted) {
      return Error{"oracles with and without a sign",
                   "\"" + std::string(word) + "\" in \"" + list + "\"",
                   "+NAME and -NAME, each with its sign, change what is on; NAME,NAME without any "
                   "looks for just these"};
    }
    way = wanted;
    set[static_cast<int>(spec->oracle)] = !word.starts_with('-');
  }
  return set;
}

}  // namespace midwire::fuzz
