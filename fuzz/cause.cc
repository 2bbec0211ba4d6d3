#include "fuzz/cause.h"

#include <algorithm>
#include <iterator>

namespace midwire::fuzz {
namespace {

// What of a key is the cause.
enum class KeyPart : uint8_t {
  kOracle,  // "missing open": one sender of answers serves all methods
  kWords2,  // "shape both open"
  kWords3,  // "dialect result open required": what a method sends is one object of the plugin
  kLines,   // "pollution TEXT": a log on stdout has many lines
  kKind,    // "bad-message a frame that is no JSON: a word": one writer serves all methods
  kFault,   // "panic TypeError in open < main": the process names it, or the last method does
};
struct PartOfKey {
  std::string_view start;
  KeyPart part;
};
// The first that the key begins with. Any other key is the cause.
constexpr PartOfKey kParts[] = {
    {"missing ", KeyPart::kOracle},      {"double ", KeyPart::kOracle},
    {"unknown ", KeyPart::kOracle},      {"id-type ", KeyPart::kOracle},
    {"notification ", KeyPart::kOracle}, {"lost-at-eof ", KeyPart::kOracle},
    {"parse-error ", KeyPart::kOracle},  {"big-id ", KeyPart::kOracle},
    {"shape ", KeyPart::kWords2},        {"dialect error ", KeyPart::kWords2},
    {"dialect ", KeyPart::kWords3},      {"utf8 ", KeyPart::kLines},
    {"pollution ", KeyPart::kLines},     {"panic ", KeyPart::kFault},
    {"sanitizer ", KeyPart::kFault},     {"signal ", KeyPart::kFault},
    {"exit ", KeyPart::kFault},          {"hang", KeyPart::kFault},
    {"silence", KeyPart::kFault},        {"bad-message ", KeyPart::kKind},
};

std::string_view Words(std::string_view key, int count) {
  size_t end = 0;
  for (; count > 0 && end != key.npos; --count) end = key.find(' ', end + 1);
  return key.substr(0, end);
}

// A value at the end of what a process says is mostly one of the input: "not a message: true".
std::string_view WithoutValue(std::string_view fault) {
  constexpr std::string_view kValues[] = {"..", "#", "-#", "true", "false", "null"};
  const size_t colon = fault.rfind(": ");
  if (colon == fault.npos) return fault;
  const std::string_view value = fault.substr(colon + 2);
  const bool is_value =
      value.starts_with('[') || std::count(std::begin(kValues), std::end(kValues), value) > 0;
  return is_value ? fault.substr(0, colon + 1) : fault;
}

// Of the frames of a stack the innermost: its callers differ with the message.
std::string FaultWithOneFrame(std::string_view fault) {
  fault = WithoutValue(fault);
  const size_t frames = fault.find(" in ");
  const size_t callers = frames == fault.npos ? frames : fault.find(" < ", frames);
  return "fault " + std::string(fault.substr(0, callers));
}

// "panic FAULT", "signal SIGABRT FAULT", "exit 1: FAULT", "silence: FAULT"; or, if the process says
// nothing, "exit 1 after request open", which is the same after a notification.
std::string CauseOfEnd(std::string_view key) {
  constexpr std::string_view kAfter = " after ";
  for (const std::string_view oracle : {"panic ", "sanitizer "}) {
    if (key.starts_with(oracle)) return FaultWithOneFrame(key.substr(oracle.size()));
  }
  const size_t after = key.find(kAfter);
  const size_t colon = key.find(": ");
  if (key.starts_with("signal ")) {
    const std::string_view how = Words(key, 2);
    if (how.size() != after && how.size() < key.size()) {
      return FaultWithOneFrame(key.substr(how.size() + 1));
    }
    return std::string(key);
  }
  if (colon < after) return FaultWithOneFrame(key.substr(colon + 2));
  if (after == key.npos) return std::string(key);
  return std::string(key.substr(0, after + kAfter.size()))
      .append(Culprit(key.substr(after + kAfter.size())));
}

}  // namespace

std::string CauseOf(std::string_view key) {
  const PartOfKey* found = nullptr;
  for (const PartOfKey& row : kParts) {
    if (found == nullptr && key.starts_with(row.start)) found = &row;
  }
  const bool repeats = key == std::string(Words(key, 1)) + " echo";  // what was sent to it
  if (found == nullptr || repeats) return std::string(key);
  switch (found->part) {
    case KeyPart::kOracle:
    case KeyPart::kLines:
      return std::string(Words(key, 1));
    case KeyPart::kWords2:
      return std::string(Words(key, 2));
    case KeyPart::kWords3:
      return std::string(Words(key, 3));
    case KeyPart::kKind:
      return std::string(key.substr(0, key.find(" after ")));
    case KeyPart::kFault:
      return CauseOfEnd(key);
  }
  return std::string(key);
}

bool IsSameKey(std::string_view recorded, std::string_view key) {
  if (recorded == key) return true;
  if (!recorded.starts_with("bad-message ") || !key.starts_with(recorded)) return false;
  const std::string_view more = key.substr(recorded.size());
  return more.starts_with(": ") || more.starts_with(" after ");
}

std::string_view Culprit(std::string_view place) {
  const size_t blank = place.find(' ');
  if (blank == place.npos) return place;
  return place.starts_with("junk ") ? "junk" : place.substr(blank + 1);
}

}  // namespace midwire::fuzz
