#include "replay/values/text_tokens.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "wire/json/digits.h"

namespace midwire::replay {
namespace {

// Classes of bytes. Bytes above ASCII belong to words of people and are part of no token.
constexpr uint8_t kNarrow = 1, kJoint = 2;
constexpr std::array<uint8_t, 256> kClass = [] {
  std::array<uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = kNarrow;
  for (int c = '0'; c <= '9'; ++c) table[c] = kNarrow;
  table['-'] = table['_'] = kNarrow;
  for (const char c : std::string_view(".+=~:@#$")) table[static_cast<unsigned char>(c)] = kJoint;
  return table;
}();

uint8_t ClassOf(char c) { return kClass[static_cast<unsigned char>(c)]; }

// Bytes of the escape that `text` begins with.
size_t EscapeSize(std::string_view text) {
  return std::min<size_t>(text.size(), text.size() > 1 && text[1] == 'u' ? 6 : 2);
}

// Calls visit for each longest run of bytes of these classes.
template <typename Visit>
void VisitRuns(std::string_view text, uint8_t classes, Visit visit) {
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\\') {
      at += EscapeSize(text.substr(at));
      continue;
    }
    size_t end = at;
    while (end < text.size() && (ClassOf(text[end]) & classes)) ++end;
    const std::string_view run = text.substr(at, end - at);
    if (run.size() >= kMinToken && wire::HasDigit(run)) visit(run);
    at = std::max(end, at + 1);
  }
}

}  // namespace

std::string_view Unquoted(std::string_view string) {
  return string.size() < 2 ? std::string_view() : string.substr(1, string.size() - 2);
}

void VisitTokens(std::string_view spelt, const std::function<bool(std::string_view)>& visit) {
  if (!wire::HasDigit(spelt)) return;  // most texts
  VisitRuns(spelt, kNarrow | kJoint, [&](std::string_view wide) {
    if (wide.size() < spelt.size() && visit(wide)) return;
    VisitRuns(wide, kNarrow, [&](std::string_view narrow) {
      if (narrow.size() < wide.size()) visit(narrow);
    });
  });
}

bool IsTokenAt(std::string_view text, size_t at, std::string_view token) {
  if (text.compare(at, token.size(), token) != 0) return false;
  const size_t end = at + token.size();
  return (at == 0 || !(ClassOf(text[at - 1]) & kNarrow)) &&
         (end == text.size() || !(ClassOf(text[end]) & kNarrow));
}

std::string_view LeadingToken(std::string_view text, std::string_view like) {
  size_t end = 0;
  while (end < text.size() &&
         ((ClassOf(text[end]) & kNarrow) ||
          ((ClassOf(text[end]) & kJoint) && like.find(text[end]) != like.npos))) {
    ++end;
  }
  return text.substr(0, end);
}

}  // namespace midwire::replay
