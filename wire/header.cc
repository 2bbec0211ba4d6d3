#include "wire/header.h"

#include <algorithm>

#include "wire/json/ascii.h"
#include "wire/json/decimal.h"

namespace midwire::wire {
namespace {

// tchar of RFC 9110, 5.6.2.
bool IsToken(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return IsAlphanumeric(c) ||
           (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
  });
}

std::string_view TrimBlanks(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t");
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

}  // namespace

HeaderLine HeaderBlock::Add(std::string_view line, bool lf_only) {
  const size_t colon = line.find(':');
  if (colon == line.npos) return HeaderLine::kNone;
  const std::string_view name = TrimBlanks(line.substr(0, colon));
  if (!IsToken(name)) return HeaderLine::kNone;
  const bool content = name.size() > 8 && SameLetters(name.substr(0, 8), "content-");
  if (!content && !content_ && lf_only) return HeaderLine::kOther;

  if (lf_only) oddities_ |= kLfOnly;
  const std::string_view value = line.substr(colon + 1);
  if (name.data() != line.data()) oddities_ |= kIndentedHeader;
  if (name.end() != line.begin() + colon || value.empty() || value.front() != ' ' ||
      TrimBlanks(value).size() + 1 != value.size()) {
    oddities_ |= kHeaderSpacing;
  }
  if (SameLetters(name, "content-length")) {
    if (name != "Content-Length") oddities_ |= kHeaderCase;
    AddLength(TrimBlanks(value));
  } else {
    oddities_ |= kExtraHeader;
  }
  (content ? content_ : other_) = true;
  return content ? HeaderLine::kContent : HeaderLine::kOther;
}

void HeaderBlock::AddLength(std::string_view value) {
  if (!value.empty() && value.front() == '+') {
    oddities_ |= kSignedLength;
    value.remove_prefix(1);
  }
  if (value.size() > 1 && value.front() == '0') oddities_ |= kLeadingZeros;
  uint64_t length = 0;
  if (!ParseNumber(value, &length) || length > kMaxBody) bad_ = true;
  if (lengths_++ > 0) {
    oddities_ |= kRepeatedLength;
    if (length != length_) bad_ = true;
  }
  length_ = length;
}

size_t FindLengthHeader(std::string_view line) {
  auto from = line.begin();
  for (;;) {
    from = std::search(from, line.end(), kLengthHeader.begin(), kLengthHeader.end(),
                       [](char a, char b) { return ToLower(a) == b; });
    if (from == line.end()) return line.npos;
    if (from == line.begin() || from[-1] != '-') return static_cast<size_t>(from - line.begin());
    ++from;
  }
}

}  // namespace midwire::wire
