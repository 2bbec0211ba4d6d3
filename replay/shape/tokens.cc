#include "replay/shape/tokens.h"

#include <algorithm>
#include <optional>

#include "replay/shape/recognize.h"
#include "replay/shape/time_scan.h"
#include "wire/json/ascii.h"
#include "wire/text/unique_id.h"

namespace midwire::replay {
namespace {

using wire::IsAlphanumeric;
using wire::IsDigit;

bool IsNumberOfDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), IsDigit);
}

size_t WordSize(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  size_t size = 1;
  while (size < rest.size() && IsAlphanumeric(rest[size])) ++size;
  // 1.5 is one token, and so is 1.5ms; 1.2.3 is a version.
  const bool point = size + 1 < rest.size() && rest[size] == '.' && IsDigit(rest[size + 1]) &&
                     IsNumberOfDigits(rest.substr(0, size)) && (at == 0 || text[at - 1] != '.');
  if (!point) return size;
  size_t end = size + 1;
  while (end < rest.size() && IsAlphanumeric(rest[end])) ++end;
  const bool version = end + 1 < rest.size() && rest[end] == '.' && IsDigit(rest[end + 1]);
  return version ? size : end;
}

std::optional<TextToken> TimeAt(std::string_view text, size_t at) {
  const std::optional<ReadTime> time = FindTime(text, at);
  if (!time || time->format->use == TimeUse::kNumber) return std::nullopt;
  const bool clock = time->format->use == TimeUse::kAmbiguous;
  return TextToken{clock ? TokenKind::kClock : TokenKind::kTime, time->text};
}

// Not of a position in a file, an address or a version.
size_t DurationSize(std::string_view text, size_t at) {
  constexpr std::string_view kJoins = ":./-";
  if (!IsDigit(text[at])) return 0;
  if (at > 0 && (IsAlphanumeric(text[at - 1]) || kJoins.find(text[at - 1]) != kJoins.npos))
    return 0;
  return CompoundDurationSize(text.substr(at));
}

TextToken TokenAt(std::string_view text, size_t at, bool times) {
  const std::string_view rest = text.substr(at);
  if (wire::IsUuid(rest.substr(0, 36)) && (rest.size() == 36 || !IsAlphanumeric(rest[36]))) {
    return {TokenKind::kUuid, rest.substr(0, 36)};
  }
  if (const auto time = times ? TimeAt(text, at) : std::nullopt) return *time;
  if (const size_t size = times ? DurationSize(text, at) : 0; size > 0) {
    return {TokenKind::kDuration, rest.substr(0, size)};
  }
  if (!IsAlphanumeric(rest[0])) return {TokenKind::kOther, rest.substr(0, 1)};
  // The letter before a time of klog.
  const bool letter =
      times && !IsDigit(rest[0]) && rest.size() > 1 && IsDigit(rest[1]) && TimeAt(text, at + 1);
  return {TokenKind::kWord, rest.substr(0, letter ? 1 : WordSize(text, at))};
}

}  // namespace

std::vector<TextToken> CutText(std::string_view text, bool times) {
  std::vector<TextToken> tokens;
  for (size_t at = 0; at < text.size(); at += tokens.back().text.size()) {
    tokens.push_back(TokenAt(text, at, times));
  }
  return tokens;
}

}  // namespace midwire::replay
