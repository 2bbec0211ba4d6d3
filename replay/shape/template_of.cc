#include "replay/shape/template_of.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "replay/shape/recognize.h"
#include "wire/json/ascii.h"

namespace midwire::replay {
namespace {

using wire::IsDigit;

bool IsAlnum(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}
bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// What a text is cut into: times, UUIDs, runs of letters and digits, and single other bytes.
enum class Kind : unsigned char { kTime, kUuid, kWord, kOther };
struct Token {
  Kind kind;
  std::string_view text;
};

// The longest prefix that is an ISO time, at most as long as one with nanoseconds and a zone.
size_t TimePrefix(std::string_view text) {
  if (text.size() < 10 || !IsDigit(text[0]) || text[4] != '-') return 0;
  for (size_t size = std::min<size_t>(text.size(), 35); size >= 10; --size) {
    if (size < text.size() && IsAlnum(text[size - 1]) && IsAlnum(text[size])) continue;
    if (text[size - 1] != ' ' && IsIsoTime(text.substr(0, size))) return size;
  }
  return 0;
}

std::vector<Token> Tokens(std::string_view text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    size_t size = 1;
    Kind kind = Kind::kOther;
    if (IsUuid(rest.substr(0, 36)) && (rest.size() == 36 || !IsAlnum(rest[36]))) {
      kind = Kind::kUuid;
      size = 36;
    } else if (const size_t time = TimePrefix(rest); time > 0) {
      kind = Kind::kTime;
      size = time;
    } else if (IsAlnum(rest[0])) {
      kind = Kind::kWord;
      while (size < rest.size() && IsAlnum(rest[size])) ++size;
      // 1.5 is one token, and so is 1.5ms; 1.2.3 is a version.
      const bool point = size + 1 < rest.size() && rest[size] == '.' && IsDigit(rest[size + 1]) &&
                         AllDigits(rest.substr(0, size)) && (at == 0 || text[at - 1] != '.');
      if (point) {
        size_t end = size + 1;
        while (end < rest.size() && IsAlnum(rest[end])) ++end;
        if (end == rest.size() || rest[end] != '.' || end + 1 == rest.size() ||
            !IsDigit(rest[end + 1])) {
          size = end;
        }
      }
    }
    tokens.push_back({kind, rest.substr(0, size)});
    at += size;
  }
  return tokens;
}

void AppendLiteral(std::string_view text, std::string* to) {
  for (const char c : text) {
    if (c == '{') *to += '{';
    *to += c;
  }
}

size_t CommonPrefix(std::span<const std::string_view> texts) {
  size_t size = texts[0].size();
  for (const std::string_view text : texts) {
    size = static_cast<size_t>(std::mismatch(texts[0].begin(),
                                             texts[0].begin() + static_cast<std::ptrdiff_t>(size),
                                             text.begin(), text.end())
                                   .first -
                               texts[0].begin());
  }
  return size;
}

// After the first `from` bytes.
size_t CommonSuffix(std::span<const std::string_view> texts, size_t from) {
  const std::string_view first = texts[0];
  size_t size = first.size() - from;
  for (const std::string_view text : texts) {
    size = std::min(size, text.size() - from);
    size_t same = 0;
    while (same < size && text[text.size() - 1 - same] == first[first.size() - 1 - same]) ++same;
    size = same;
  }
  return size;
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
  if (all(IsHex) && std::any_of(words.begin(), words.end(), has_digit)) {
    return to->append("{hex}"), void();
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

// Whether all texts have the same tokens, except for what varies within words, times and UUIDs.
bool SameTokens(const std::vector<std::vector<Token>>& tokens) {
  return std::all_of(tokens.begin(), tokens.end(), [&](const std::vector<Token>& other) {
    return std::equal(other.begin(), other.end(), tokens[0].begin(), tokens[0].end(),
                      [](const Token& a, const Token& b) {
                        return a.kind == b.kind && (a.kind != Kind::kOther || a.text == b.text);
                      });
  });
}

std::string Around(std::span<const std::string> texts) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  // Cut back to the end of a word: that two random words begin alike is chance.
  size_t prefix = CommonPrefix(views);
  const std::string_view first = texts[0];
  while (prefix > 0 && !(prefix < first.size() && first[prefix - 1] == ' ') &&
         (IsAlnum(first[prefix - 1]) || (first[prefix - 1] & 0x80))) {
    --prefix;
  }
  size_t suffix = CommonSuffix(views, prefix);
  while (suffix > 0 &&
         (IsAlnum(first[first.size() - suffix]) || (first[first.size() - suffix] & 0x80))) {
    --suffix;
  }
  std::string result;
  if (prefix + suffix <= kMaxTemplate) AppendLiteral(first.substr(0, prefix), &result);
  result += "{any}";
  if (prefix + suffix <= kMaxTemplate) {
    AppendLiteral(first.substr(first.size() - suffix), &result);
  }
  return result;
}

}  // namespace

std::string TemplateOf(std::span<const std::string> texts) {
  std::vector<std::vector<Token>> tokens;
  for (const std::string& text : texts) tokens.push_back(Tokens(text));
  if (!SameTokens(tokens)) return Around(texts);
  std::string result;
  std::vector<std::string_view> at_one_place(texts.size());
  for (size_t i = 0; i < tokens[0].size(); ++i) {
    for (size_t t = 0; t < tokens.size(); ++t) at_one_place[t] = tokens[t][i].text;
    if (std::adjacent_find(at_one_place.begin(), at_one_place.end(), std::not_equal_to<>()) ==
        at_one_place.end()) {
      AppendLiteral(at_one_place[0], &result);
    } else if (tokens[0][i].kind == Kind::kTime) {
      result += "{timestamp}";
    } else if (tokens[0][i].kind == Kind::kUuid) {
      result += "{uuid}";
    } else {
      AppendWord(at_one_place, &result);
    }
  }
  return result.size() <= kMaxTemplate ? result : Around(texts);
}

}  // namespace midwire::replay
