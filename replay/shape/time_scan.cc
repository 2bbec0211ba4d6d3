#include "replay/shape/time_scan.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>

#include "replay/shape/recognize.h"
#include "wire/json/ascii.h"

namespace midwire::replay {
namespace {

using wire::IsAlphanumeric;
using wire::IsDigit;
using wire::IsUpper;

// Fields of digits. Others: %a and %b (names, short or long), %p, %z, %Z (in parentheses, or a
// name), %f (digits of a fraction), %s (seconds to nanoseconds since 1970).
struct FieldOfDigits {
  char kind;
  size_t least, most;  // digits
  int from, to;
};
constexpr FieldOfDigits kFieldsOfDigits[] = {
    {'Y', 4, 4, 0, 9999}, {'C', 4, 4, 1900, 2099}, {'y', 2, 2, 0, 99}, {'m', 2, 2, 1, 12},
    {'n', 1, 2, 1, 12},   {'d', 2, 2, 1, 31},      {'e', 1, 2, 1, 31}, {'j', 3, 3, 1, 366},
    {'V', 2, 2, 1, 53},   {'u', 1, 1, 1, 7},       {'H', 2, 2, 0, 24}, {'k', 1, 2, 0, 24},
    {'I', 1, 2, 1, 12},   {'M', 2, 2, 0, 59},      {'S', 2, 2, 0, 60}, {'L', 3, 3, 0, 999},
};
// "(Coordinated Universal Time)", "(Central European Standard Time)"; none is known with 60.
constexpr size_t kMaxZoneInParentheses = 60;
// Digits of a fraction: programs print up to 18. As many as a value of the shape `timestamp` may
// have.
constexpr size_t kMaxFraction = 4096;
// Digits of nanoseconds since 1970, and one that makes them another number.
constexpr size_t kMaxEpoch = 20;

// The rest of a grammar after the group or the alternative that it is in.
std::string_view AfterGroup(std::string_view grammar) {
  int depth = 1;
  while (!grammar.empty() && depth > 0) {
    depth += grammar[0] == '[' || grammar[0] == '{';
    depth -= grammar[0] == ']' || grammar[0] == '}';
    grammar.remove_prefix(1);
  }
  return grammar;
}

// What begins after the next `|` of the group that `grammar` is in.
std::optional<std::string_view> NextAlternative(std::string_view grammar) {
  int depth = 0;
  for (size_t at = 0; at < grammar.size() && depth >= 0; ++at) {
    depth += grammar[at] == '[' || grammar[at] == '{';
    depth -= grammar[at] == ']' || grammar[at] == '}';
    if (grammar[at] == '|' && depth == 0) return grammar.substr(at + 1);
  }
  return std::nullopt;
}

size_t DigitsAt(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsDigit);
  return static_cast<size_t>(end - text.begin());
}

// Tries all ways to read a text by a grammar, and passes each to `found`.
class GrammarReader {
 public:
  using Found = std::function<void(size_t end, const std::vector<TimeField>& fields)>;
  // `strict`: all digits of a fraction, and four digits in an offset after a blank: "11:54:03 +12
  // lines" is in no zone.
  GrammarReader(std::string_view text, bool strict, Found found)
      : text_(text), strict_(strict), found_(std::move(found)) {}

  void Read(std::string_view grammar, size_t at) {
    while (!grammar.empty()) {
      const char c = grammar[0];
      grammar.remove_prefix(1);
      if (c == '[' || c == '{') {
        Read(grammar, at);
        for (auto other = NextAlternative(grammar); other; other = NextAlternative(*other)) {
          Read(*other, at);
        }
        if (c == '{') return;
        grammar = AfterGroup(grammar);
      } else if (c == '|') {
        grammar = AfterGroup(grammar);
      } else if (c == '%') {
        return Field(grammar[0], grammar.substr(1), at);
      } else if (c == '<') {
        const size_t end = grammar.find('>');
        if (at == text_.size() || grammar.substr(0, end).find(text_[at]) == text_.npos) return;
        ++at;
        grammar.remove_prefix(end + 1);
      } else if (c != ']' && c != '}') {
        if (at == text_.size() || text_[at] != c) return;
        ++at;
      }
    }
    found_(at, fields_);
  }

 private:
  void Take(char kind, size_t size, std::string_view grammar, size_t at) {
    fields_.push_back({kind, text_.substr(at, size)});
    Read(grammar, at + size);
    fields_.pop_back();
  }

  void Field(char kind, std::string_view grammar, size_t at) {
    const std::string_view rest = text_.substr(at);
    if (const std::string_view clock = ClockGrammar(kind); !clock.empty()) {
      return Read(std::string(clock) + std::string(grammar), at);
    }
    const auto digits =
        std::find_if(std::begin(kFieldsOfDigits), std::end(kFieldsOfDigits),
                     [&](const FieldOfDigits& field) { return field.kind == kind; });
    if (digits != std::end(kFieldsOfDigits)) return OfDigits(*digits, grammar, at);
    switch (kind) {
      case 'f':
        for (size_t size = DigitsAt(rest.substr(0, kMaxFraction)); size > 0; --size) {
          Take(kind, size, grammar, at);
          if (strict_) return;
        }
        return;
      case 's':
        // A part of more digits is another number.
        if (const size_t size = DigitsAt(rest.substr(0, kMaxEpoch));
            IsEpochDigits(rest.substr(0, size))) {
          Take(kind, size, grammar, at);
        }
        return;
      case 'a':
        return OfNames(kind, kDayNames, grammar, at);
      case 'b':
        return OfNames(kind, kMonthNames, grammar, at);
      case 'p':
        for (const std::string_view half : kHalfDays) {
          if (rest.starts_with(half)) Take(kind, half.size(), grammar, at);
        }
        return;
      case 'z':
        return Zone(grammar, at);
      case 'Z':
        return NamedZone(grammar, at);
    }
  }

  void OfDigits(const FieldOfDigits& field, std::string_view grammar, size_t at) {
    int value = 0;
    for (size_t size = 1; size <= field.most && at + size <= text_.size(); ++size) {
      const char digit = text_[at + size - 1];
      if (!IsDigit(digit)) return;
      value = value * 10 + (digit - '0');
      if (size >= field.least && value >= field.from && value <= field.to) {
        Take(field.kind, size, grammar, at);
      }
    }
  }

  template <size_t count>
  void OfNames(char kind, const std::string_view (&names)[count], std::string_view grammar,
               size_t at) {
    for (const std::string_view name : names) {
      if (!text_.substr(at).starts_with(name.substr(0, kShortName))) continue;
      Take(kind, kShortName, grammar, at);
      if (name.size() > kShortName && text_.substr(at).starts_with(name)) {
        Take(kind, name.size(), grammar, at);
      }
    }
  }

  // Z, UTC, +02, +0200, +02:00, GMT+0200.
  void Zone(std::string_view grammar, size_t at) {
    const std::string_view rest = text_.substr(at);
    Offset(0, grammar, at);
    for (const std::string_view name : kZoneNames) {
      if (!rest.starts_with(name)) continue;
      Take('z', name.size(), grammar, at);
      Offset(name.size(), grammar, at);
    }
  }

  // An offset after the first `name` bytes.
  void Offset(size_t name, std::string_view grammar, size_t at) {
    const std::string_view rest = text_.substr(std::min(at + name, text_.size()));
    if (rest.empty() || (rest[0] != '+' && rest[0] != '-')) return;
    const auto two = [&](size_t from, char most) {
      return DigitsAt(rest.substr(std::min(from, rest.size())).substr(0, 2)) == 2 &&
             rest.substr(from, 2) <= std::string{most, most == '2' ? '3' : '9'};
    };
    if (!two(1, '2')) return;
    const bool after_blank = at > 0 && text_[at - 1] == ' ';
    if (!strict_ || !after_blank || name > 0) Take('z', name + 3, grammar, at);
    const size_t colon = rest.size() > 3 && rest[3] == ':' ? 1 : 0;
    if (two(3 + colon, '5')) Take('z', name + 5 + colon, grammar, at);
  }

  void NamedZone(std::string_view grammar, size_t at) {
    const std::string_view rest = text_.substr(at);
    if (rest.starts_with('(')) {
      const size_t end = rest.substr(0, kMaxZoneInParentheses).find(')');
      const std::string_view name = rest.substr(1, end == rest.npos ? 0 : end - 1);
      const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return IsAlphanumeric(c) || c == ' ' || c == '+' || c == '-' || c == ':';
      });
      if (!name.empty() && plain) Take('Z', end + 1, grammar, at);
      return;
    }
    for (const std::string_view name : kZoneNames) {
      if (rest.starts_with(name)) Take('Z', name.size(), grammar, at);
    }
  }

  std::string_view text_;
  bool strict_;
  Found found_;
  std::vector<TimeField> fields_;
};

template <size_t count>
bool BeginsWithName(std::string_view text, const std::string_view (&names)[count]) {
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
    return text.starts_with(name.substr(0, kShortName));
  });
}

// What no grammar of the table can begin with is not read by any, because texts are long and times
// are rare. All begin with a name, or with a run of digits and what may follow it.
bool MayBegin(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const std::string_view rest = text.substr(at, kMaxEpoch);
  if (IsUpper(rest[0])) return BeginsWithName(rest, kDayNames) || BeginsWithName(rest, kMonthNames);
  const size_t digits = DigitsAt(rest);
  const auto followed_by = [&](std::string_view any_of) {
    return digits < rest.size() && any_of.find(rest[digits]) != any_of.npos;
  };
  switch (digits) {
    case 1:
    case 2:
      return followed_by("/.:- APap\xE2");  // the last is the first byte of the narrow blank
    case 4:
      return followed_by("-/._W ");
    case 6:
      return followed_by(" ");
    default:
      return digits >= 8;
  }
}

// Whether what is before and after a time does not make it a part of something else.
bool StandsAlone(std::string_view text, size_t begin, size_t end, const TimeFormat& format) {
  const auto is_digit = [&](size_t at) { return at < text.size() && IsDigit(text[at]); };
  if (format.use == TimeUse::kAfterLetter) {
    const bool letter = begin > 0 && IsUpper(text[begin - 1]);
    if (!letter || (begin > 1 && IsAlphanumeric(text[begin - 2]))) return false;
  } else if (begin > 0) {
    const char before = text[begin - 1];
    if (IsAlphanumeric(before)) return false;
    if ((before == '.' || before == '/') && begin > 1 && is_digit(begin - 2)) return false;
    // a.c:11:54 is a line and a column, ::1:11:54:03 an address, at:11:54:03 a time.
    if (before == ':' && (format.use == TimeUse::kAmbiguous || begin == 1 || is_digit(begin - 2) ||
                          text[begin - 2] == ':')) {
      return false;
    }
  }
  if (end == text.size()) return true;
  const char after = text[end];
  // 26.11.2026.1, 11:54:03:07; `11:54:` is a line and a column.
  if (after == ':' && format.use == TimeUse::kAmbiguous) return false;
  return !IsAlphanumeric(after) && !((after == '.' || after == ':') && is_digit(end + 1));
}

}  // namespace

const TimeField* ReadTime::Field(char kind) const {
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&](const TimeField& one) { return one.kind == kind; });
  return field == fields.end() ? nullptr : &*field;
}

bool IsTimeText(std::string_view text) {
  if (!MayBegin(text, 0)) return false;
  bool whole = false;
  GrammarReader reader(text, /*strict=*/false,
                       [&](size_t end, const auto&) { whole = whole || end == text.size(); });
  for (const TimeFormat& format : TimeFormats()) {
    if (format.use != TimeUse::kNumber && format.use != TimeUse::kEpoch) {
      reader.Read(format.grammar, 0);
    }
  }
  return whole;
}

std::vector<size_t> TimeEnds(std::string_view text, size_t at) {
  std::vector<size_t> ends;
  if (!MayBegin(text, at)) return ends;
  GrammarReader reader(text, /*strict=*/false,
                       [&](size_t end, const auto&) { ends.push_back(end); });
  for (const TimeFormat& format : TimeFormats()) reader.Read(format.grammar, at);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

std::optional<ReadTime> FindTime(std::string_view text, size_t at) {
  std::optional<ReadTime> longest;
  if (!MayBegin(text, at)) return longest;
  const TimeFormat* format = nullptr;
  GrammarReader reader(text, /*strict=*/true,
                       [&](size_t end, const std::vector<TimeField>& fields) {
                         if (longest && longest->text.size() >= end - at) return;
                         if (StandsAlone(text, at, end, *format)) {
                           longest = ReadTime{format, text.substr(at, end - at), fields};
                         }
                       });
  for (const TimeFormat& one : TimeFormats()) {
    format = &one;
    reader.Read(one.grammar, at);
  }
  return longest;
}

}  // namespace midwire::replay
