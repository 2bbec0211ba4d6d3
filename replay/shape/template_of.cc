#include "replay/shape/template_of.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "replay/shape/move_time.h"
#include "replay/shape/recognize.h"
#include "replay/shape/time_scan.h"
#include "replay/shape/tokens.h"
#include "wire/json/ascii.h"

namespace midwire::replay {
namespace {

using Tokens = std::vector<TextToken>;

// Numbers since 1970 that are further apart in time are numbers, such as random ones.
constexpr int64_t kDaysOfEpochs = 366;

bool AllDigits(std::string_view text) { return !text.empty() && wire::IsDigits(text); }

void AppendLiteral(std::string_view text, std::string* to) {
  for (const char c : text) {
    if (c == '{') *to += '{';
    *to += c;
  }
}

// MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512. Other runs of hexadecimal digits may be numbers.
bool IsDigestSize(size_t digits) {
  constexpr size_t kSizes[] = {32, 40, 56, 64, 96, 128};
  return std::find(std::begin(kSizes), std::end(kSizes), digits) != std::end(kSizes);
}

// A varying run of letters and digits: literal letters around digits where all are alike.
void AppendWord(std::span<const std::string_view> words, std::string* to) {
  const auto all = [&](auto holds) { return std::all_of(words.begin(), words.end(), holds); };
  if (all(AllDigits)) return to->append("{digits}"), void();
  if (all([](std::string_view w) { return IsNumber(w) && !w.starts_with('-'); })) {
    return to->append("{number}"), void();
  }
  // Letters alone may be a word.
  const auto has_digit = [](std::string_view w) { return w.find_first_of("0123456789") != w.npos; };
  if (all(wire::IsHexDigits) && std::any_of(words.begin(), words.end(), has_digit)) {
    const size_t size = words[0].size();
    const bool digest =
        IsDigestSize(size) && all([&](std::string_view w) { return w.size() == size; });
    return to->append(digest ? "{hex:" + std::to_string(size) + "}" : "{hex}"), void();
  }
  // "job12" and "job7", "12ms" and "7ms".
  const auto letters_first = [](std::string_view w) {
    return w.substr(0, w.find_first_of("0123456789"));
  };
  const std::string_view prefix = letters_first(words[0]);
  if (!prefix.empty() && all([&](std::string_view w) {
        return letters_first(w) == prefix && AllDigits(w.substr(prefix.size()));
      })) {
    AppendLiteral(prefix, to);
    return to->append("{digits}"), void();
  }
  const auto letters_last = [](std::string_view w) {
    return w.substr(std::min(w.find_last_of("0123456789") + 1, w.size()));
  };
  const std::string_view suffix = letters_last(words[0]);
  const auto number = [](std::string_view w, size_t end) { return w.substr(0, w.size() - end); };
  if (!suffix.empty() && all([&](std::string_view w) {
        return letters_last(w) == suffix && IsNumber(number(w, suffix.size()));
      })) {
    to->append(all([&](std::string_view w) { return AllDigits(number(w, suffix.size())); })
                   ? "{digits}"
                   : "{number}");
    return AppendLiteral(suffix, to);
  }
  if (all(IsDuration)) return to->append("{duration}"), void();
  const bool plain = all([](std::string_view w) { return w.find('.') == w.npos; });
  to->append(plain ? "{word}" : "{any}");
}

// Whether they are numbers since 1970 of one age.
bool AreEpochsOfOneAge(std::span<const std::string_view> texts) {
  std::vector<int64_t> days;
  for (const std::string_view text : texts) {
    const auto time = FindTime(text, 0);
    if (!time || time->Field('s') == nullptr) return true;  // times of other formats
    days.push_back(DayOf(*time).value_or(0));
  }
  const auto [first, last] = std::minmax_element(days.begin(), days.end());
  return *last - *first <= kDaysOfEpochs;
}

// What all texts have at one place, or a piece.
void AppendPlace(TokenKind kind, std::span<const std::string_view> texts, std::string* to) {
  if (std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end()) {
    return AppendLiteral(texts[0], to);
  }
  if (kind == TokenKind::kTime && AreEpochsOfOneAge(texts)) {
    *to += "{timestamp}";
  } else if (kind == TokenKind::kClock) {
    *to += "{digits}:{digits}";
  } else if (kind == TokenKind::kUuid) {
    *to += "{uuid}";
  } else if (kind == TokenKind::kDuration) {
    *to += "{duration}";
  } else {
    AppendWord(texts, to);
  }
}

// The `at`th token of each text, counted from its end if `from_end`.
std::vector<std::string_view> AtPlace(const std::vector<Tokens>& all, size_t at, bool from_end) {
  std::vector<std::string_view> texts;
  for (const Tokens& tokens : all) {
    texts.push_back(tokens[from_end ? tokens.size() - 1 - at : at].text);
  }
  return texts;
}

bool HaveOneSize(const std::vector<Tokens>& all) {
  return std::all_of(all.begin(), all.end(),
                     [&](const Tokens& tokens) { return tokens.size() == all[0].size(); });
}

// Whether two tokens differ at most in what is within a word, a time or a UUID.
bool IsAlike(const TextToken& a, const TextToken& b) {
  return a.kind == b.kind && (a.kind != TokenKind::kOther || a.text == b.text);
}

// Of texts with the same tokens; "" if they have others.
std::string TokenByToken(const std::vector<Tokens>& all) {
  const bool same = HaveOneSize(all) && std::all_of(all.begin(), all.end(), [&](const Tokens& one) {
                      return std::equal(one.begin(), one.end(), all[0].begin(), IsAlike);
                    });
  std::string result;
  for (size_t at = 0; same && at < all[0].size(); ++at) {
    AppendPlace(all[0][at].kind, AtPlace(all, at, false), &result);
  }
  return result;
}

// How many tokens, at most `most`, are the same in all texts, except for times and UUIDs. Without
// words at the inner end: that two random words begin alike is chance.
size_t CommonTokens(const std::vector<Tokens>& all, size_t most, bool from_end) {
  const auto token = [&](const Tokens& tokens, size_t at) {
    return tokens[from_end ? tokens.size() - 1 - at : at];
  };
  size_t count = 0;
  const auto is_common = [&](const Tokens& tokens) {
    const TextToken one = token(tokens, count), first = token(all[0], count);
    const bool varies = one.kind == TokenKind::kTime || one.kind == TokenKind::kUuid;
    return one.kind == first.kind && (varies || one.text == first.text);
  };
  while (count < most && std::all_of(all.begin(), all.end(), is_common)) ++count;
  const auto is_chance = [](const TextToken& one) {
    return one.kind == TokenKind::kWord ||
           (one.kind == TokenKind::kOther && (one.text[0] & 0x80) != 0);
  };
  while (count > 0 && is_chance(token(all[0], count - 1))) --count;
  return count;
}

// What is the same at the begin and at the end, and {any} between.
std::string Around(const std::vector<Tokens>& all) {
  size_t most = all[0].size();
  for (const Tokens& tokens : all) most = std::min(most, tokens.size());
  const size_t begin = CommonTokens(all, most, false);
  const size_t end = CommonTokens(all, most - begin, true);
  std::string result;
  for (size_t at = 0; at < begin; ++at) {
    AppendPlace(all[0][at].kind, AtPlace(all, at, false), &result);
  }
  result += "{any}";
  for (size_t at = end; at > 0; --at) {
    AppendPlace(all[0][all[0].size() - at].kind, AtPlace(all, at - 1, true), &result);
  }
  return result.size() <= kMaxTemplate ? result : "{any}";
}

// A template as parts: a literal as it is spelled there, a piece, a literal, and so on.
std::vector<std::string_view> PartsOf(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t at = text.find('{'); at < text.size(); at = text.find('{', at)) {
    if (text.substr(at).starts_with("{{")) {
      at += 2;
      continue;
    }
    const size_t end = std::min(text.find('}', at), text.size() - 1) + 1;
    parts.push_back(text.substr(begin, at - begin));
    parts.push_back(text.substr(at, end - at));
    begin = at = end;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

bool HasTime(std::string_view text) {
  const Tokens tokens = CutText(text, true);
  return std::any_of(tokens.begin(), tokens.end(), [](const TextToken& token) {
    return token.kind == TokenKind::kTime || token.kind == TokenKind::kClock;
  });
}

}  // namespace

std::optional<std::string> TemplateOfCalls(std::span<const std::string> templates) {
  std::vector<std::vector<std::string_view>> all;
  for (const std::string& text : templates) all.push_back(PartsOf(text));
  std::string result;
  for (size_t at = 0; at < all[0].size(); ++at) {
    const bool is_piece = at % 2 == 1;
    bool same = true, timed = false;
    for (const auto& parts : all) {
      if (parts.size() != all[0].size()) return std::nullopt;
      same = same && parts[at] == all[0][at];
      timed = timed || (!is_piece && HasTime(parts[at]));
    }
    if (!same && (is_piece || timed)) return std::nullopt;
    result += same ? all[0][at] : "{same}";
  }
  return result;
}

std::string TemplateOf(std::span<const std::string> texts) {
  std::vector<Tokens> with_times, without_times;
  for (const std::string& text : texts) with_times.push_back(CutText(text, true));
  std::string result = TokenByToken(with_times);
  if (result.empty()) {
    for (const std::string& text : texts) without_times.push_back(CutText(text, false));
    result = TokenByToken(without_times);
  }
  return !result.empty() && result.size() <= kMaxTemplate ? result : Around(with_times);
}

}  // namespace midwire::replay
