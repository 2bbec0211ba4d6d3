#include "replay/shape/text_template.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "replay/shape/recognize.h"
#include "replay/shape/time_scan.h"
#include "wire/json/ascii.h"
#include "wire/json/utf8.h"
#include "wire/quantity.h"
#include "wire/text/forms.h"
#include "wire/text/unique_id.h"

namespace midwire::replay {
namespace {

using wire::IsAlphanumeric;
using wire::IsDigit;

// Places in a text. One bit each, because a peer's text may have 64 MiB.
class TextPlaces {
 public:
  explicit TextPlaces(size_t size) : is_(size + 1), first_(size + 1) {}

  void Add(size_t at) {
    if (at >= is_.size()) return;
    is_[at] = true;
    first_ = std::min(first_, at);
    end_ = std::max(end_, at + 1);
  }
  void AddAll(const TextPlaces& other) {
    other.ForEach([this](size_t at) { Add(at); });
  }
  bool Has(size_t at) const { return is_[at]; }
  bool empty() const { return end_ == 0; }
  size_t first() const { return first_; }
  size_t end() const { return end_; }  // of the last, plus one
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t at = first_; at < end_; ++at) {
      if (is_[at]) visit(at);
    }
  }
  // The last place up to `most`, which is within the text. nullopt: none.
  std::optional<size_t> LastUpTo(size_t most) const {
    for (size_t at = most + 1; at > first_; --at) {
      if (is_[at - 1]) return at - 1;
    }
    return std::nullopt;
  }

 private:
  std::vector<bool> is_;
  size_t first_, end_ = 0;
};

// A text, and the places where something ends that begins at one of other places.
class Ends {
 public:
  explicit Ends(std::string_view text) : text_(text) {}

  TextPlaces Of(std::string_view literal, const TextPlaces& begins) const {
    TextPlaces ends(text_.size());
    const std::string_view reach = text_.substr(0, begins.end() + literal.size() - 1);
    for (size_t at = begins.first(); at < begins.end(); ++at) {
      at = reach.find(literal, at);
      if (at == reach.npos) break;
      if (begins.Has(at)) ends.Add(at + literal.size());
    }
    return ends;
  }
  // One or more bytes, all of which fit.
  template <typename Fits>
  TextPlaces OfRun(Fits fits, const TextPlaces& begins) const {
    TextPlaces ends(text_.size());
    bool inside = false;
    for (size_t at = begins.first(); at < text_.size() && (inside || at < begins.end()); ++at) {
      inside = (inside || (at < begins.end() && begins.Has(at))) && fits(text_.substr(at));
      if (inside) ends.Add(at + 1);
    }
    return ends;
  }
  TextPlaces OrOf(std::string_view literal, TextPlaces begins) const {
    const TextPlaces after = Of(literal, begins);
    begins.AddAll(after);
    return begins;
  }
  // Digits, with or without a fraction.
  TextPlaces OfNumber(const TextPlaces& begins) const {
    const auto digit = [](std::string_view rest) { return IsDigit(rest[0]); };
    TextPlaces ends = OfRun(digit, begins);
    ends.AddAll(OfRun(digit, Of(".", ends)));
    return ends;
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// As \s of ECMA-262.
bool IsBlank(std::string_view rest) {
  const uint32_t code = wire::FirstCharacter(rest).code;
  constexpr uint32_t kBlanks[] = {' ',    0xa0,   0x1680, 0x2028, 0x2029,
                                  0x202f, 0x205f, 0x3000, 0xfeff};
  return (code >= 9 && code <= 13) || (code >= 0x2000 && code <= 0x200a) ||
         std::find(std::begin(kBlanks), std::end(kBlanks), code) != std::end(kBlanks);
}

TextPlaces EndsOfDigits(const Ends& ends, const TextPlaces& begins) {
  return ends.OfRun([](std::string_view rest) { return IsDigit(rest[0]); }, begins);
}
TextPlaces EndsOfNumber(const Ends& ends, const TextPlaces& begins) {
  return ends.OfNumber(ends.OrOf("-", begins));
}
TextPlaces EndsOfHex(const Ends& ends, const TextPlaces& begins) {
  return ends.OfRun([](std::string_view rest) { return wire::IsHexDigit(rest[0]); }, begins);
}
TextPlaces EndsOfHexOf(const Ends& ends, const TextPlaces& begins, size_t count) {
  TextPlaces result(ends.text().size());
  size_t run = 0;
  for (size_t at = begins.first(); at < ends.text().size(); ++at) {
    run = wire::IsHexDigit(ends.text()[at]) ? run + 1 : 0;
    if (run >= count && begins.Has(at + 1 - count)) result.Add(at + 1);
  }
  return result;
}
TextPlaces EndsOfWord(const Ends& ends, const TextPlaces& begins) {
  return ends.OfRun([](std::string_view rest) { return IsAlphanumeric(rest[0]); }, begins);
}
TextPlaces EndsOfUuid(const Ends& ends, const TextPlaces& begins) {
  constexpr size_t kSize = 36;
  TextPlaces result(ends.text().size());
  begins.ForEach([&](size_t at) {
    if (wire::IsUuid(ends.text().substr(at, kSize)) && ends.text()[at] != '{')
      result.Add(at + kSize);
  });
  return result;
}
TextPlaces EndsOfTime(const Ends& ends, const TextPlaces& begins) {
  TextPlaces result(ends.text().size());
  begins.ForEach([&](size_t at) {
    for (const size_t end : TimeEnds(ends.text(), at)) result.Add(end);
  });
  return result;
}
TextPlaces EndsOfUnit(const Ends& ends, const TextPlaces& begins) {
  const TextPlaces numbers = ends.OrOf(" ", ends.OfNumber(begins));
  TextPlaces result(ends.text().size());
  for (const std::string_view unit : DurationUnits()) result.AddAll(ends.Of(unit, numbers));
  return result;
}
TextPlaces EndsOfTwoDigits(const Ends& ends, const TextPlaces& begins) {
  TextPlaces result(ends.text().size());
  begins.ForEach([&](size_t at) {
    const std::string_view two = ends.text().substr(at, 2);
    if (two.size() == 2 && wire::IsDigits(two)) result.Add(at + 2);
  });
  return result;
}
// "0:37:14.66"
TextPlaces EndsOfLongClock(const Ends& ends, const TextPlaces& begins) {
  const TextPlaces hours = ends.Of(":", EndsOfDigits(ends, begins));
  TextPlaces result = EndsOfTwoDigits(ends, ends.Of(":", EndsOfTwoDigits(ends, hours)));
  result.AddAll(EndsOfDigits(ends, ends.Of(".", result)));
  return result;
}
// One or more numbers with units, and perhaps a clock behind them.
TextPlaces EndsOfDuration(const Ends& ends, const TextPlaces& begins) {
  constexpr size_t kMostUnits = 8;  // days to nanoseconds
  constexpr std::string_view kBetween[] = {" ", ", ", " and ", ", and "};
  TextPlaces result(ends.text().size()), next = begins;
  for (size_t units = 0; units < kMostUnits && !next.empty(); ++units) {
    result.AddAll(EndsOfLongClock(ends, next));
    TextPlaces latest = EndsOfUnit(ends, next);
    result.AddAll(latest);
    next = latest;
    for (const std::string_view between : kBetween) next.AddAll(ends.Of(between, latest));
  }
  return result;
}
TextPlaces EndsOfPath(const Ends& ends, const TextPlaces& begins) {
  TextPlaces result = ends.Of("/", ends.OrOf("~", begins));
  result.AddAll(ends.Of("file://", begins));
  begins.ForEach([&](size_t at) {
    if (wire::BeginsWithDrive(ends.text().substr(at))) result.Add(at + 3);
  });
  const auto of_path = [](std::string_view rest) {
    return std::string_view("\"'<>").find(rest[0]) == std::string_view::npos && !IsBlank(rest);
  };
  result.AddAll(ends.OfRun(of_path, result));
  return result;
}
TextPlaces EndsOfAny(const Ends& ends, const TextPlaces& begins) {
  TextPlaces result(ends.text().size());
  for (size_t at = begins.first(); at <= ends.text().size(); ++at) result.Add(at);
  return result;
}

struct TextPiece {
  std::string_view name;
  TextPlaces (*ends)(const Ends& ends, const TextPlaces& begins);
};
constexpr TextPiece kTextPieces[] = {
    {"digits", EndsOfDigits},     {"number", EndsOfNumber}, {"hex", EndsOfHex},
    {"word", EndsOfWord},         {"uuid", EndsOfUuid},     {"timestamp", EndsOfTime},
    {"duration", EndsOfDuration}, {"path", EndsOfPath},     {"any", EndsOfAny},
    {"same", EndsOfAny},
};
constexpr size_t kSame = std::size(kTextPieces) - 1;
static_assert(kTextPieces[kSame].name == "same");
// The piece that may have a length.
constexpr std::string_view kHex = "hex", kHexOf = "hex:";

Error NoSuchPiece(std::string_view name) {
  std::string names;
  for (const TextPiece& known : kTextPieces) {
    names += (names.empty() ? "{" : ", {") + std::string(known.name) + "}";
  }
  return {"no such piece of a text", "\"{" + std::string(name) + "}\"",
          "use " + names + ", {hex:32}; a brace is {{"};
}

// Of "hex:32": 32; 0: it is no such piece.
size_t CountOf(std::string_view name) {
  if (!name.starts_with(kHexOf)) return 0;
  const auto count = wire::ParseCount(name.substr(kHexOf.size()));
  return count && *count <= static_cast<int64_t>(kMaxTemplateText) ? static_cast<size_t>(*count)
                                                                   : 0;
}

// `part`: of a template; private there.
template <typename Part>
TextPlaces EndsOf(const Part& part, const Ends& ends, const TextPlaces& begins) {
  if (part.piece >= std::size(kTextPieces)) return ends.Of(part.literal, begins);
  return part.count == 0 ? kTextPieces[part.piece].ends(ends, begins)
                         : EndsOfHexOf(ends, begins, part.count);
}

}  // namespace

Result<std::shared_ptr<const TextTemplate>> TextTemplate::Parse(std::string_view text) {
  if (text.size() > kMaxTemplateText) return Error{"a template above 8192 bytes", "", ""};
  auto parsed = std::make_shared<TextTemplate>();
  std::string literal;
  const auto add = [&](size_t piece, size_t count) {
    if (!literal.empty()) parsed->parts_.push_back({kLiteral, std::exchange(literal, ""), 0});
    if (piece != kLiteral) parsed->parts_.push_back({piece, "", count});
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{' || text.substr(at, 2) == "{{") {
      at += text[at] == '{';
      literal += text[at];
      continue;
    }
    const size_t end = text.find('}', at);
    const std::string_view name = text.substr(at + 1, end == text.npos ? end : end - at - 1);
    const size_t count = CountOf(name);
    const auto piece = std::find_if(
        std::begin(kTextPieces), std::end(kTextPieces),
        [&](const TextPiece& known) { return known.name == (count == 0 ? name : kHex); });
    if (end == text.npos || piece == std::end(kTextPieces)) return NoSuchPiece(name);
    add(static_cast<size_t>(piece - std::begin(kTextPieces)), count);
    parsed->has_same_ = parsed->has_same_ || name == kTextPieces[kSame].name;
    at = end;
  }
  add(kLiteral, 0);
  return std::shared_ptr<const TextTemplate>(std::move(parsed));
}

bool TextTemplate::Match(const Parts& parts, std::string_view text) {
  const Ends ends(text);
  TextPlaces places(text.size());
  places.Add(0);
  for (const Part& part : parts) {
    places = EndsOf(part, ends, places);
    if (places.empty()) return false;
  }
  return places.Has(text.size());
}

// The parts with what each {same} matches in `recorded`: as little as possible, while other pieces
// match as much as possible. nullopt: it does not match.
std::optional<TextTemplate::Parts> TextTemplate::Fixed(std::string_view recorded) const {
  if (recorded.size() > kMaxSame) return std::nullopt;
  const Ends ends(recorded);
  const auto after = [&](const Part& part, const TextPlaces& begins) {
    return EndsOf(part, ends, begins);
  };
  std::vector<TextPlaces> begins(1, TextPlaces(recorded.size()));
  begins[0].Add(0);
  for (const Part& part : parts_) begins.push_back(after(part, begins.back()));
  size_t end = recorded.size();
  if (!begins.back().Has(end)) return std::nullopt;
  Parts fixed = parts_;
  for (size_t i = parts_.size(); i > 0; --i) {
    Part& part = fixed[i - 1];
    size_t begin = end;
    if (part.piece == kSame) {
      begin = begins[i - 1].LastUpTo(end).value_or(end);
      part = {kLiteral, std::string(recorded.substr(begin, end - begin)), 0};
    } else if (part.piece == kLiteral) {
      begin = end - part.literal.size();
    } else {
      for (begin = begins[i - 1].first(); begin < end; ++begin) {
        if (!begins[i - 1].Has(begin)) continue;
        TextPlaces one(recorded.size());
        one.Add(begin);
        if (after(part, one).Has(end)) break;
      }
    }
    end = begin;
  }
  return fixed;
}

bool TextTemplate::Matches(std::string_view text) const { return Match(parts_, text); }

bool TextTemplate::Matches(std::string_view text, std::string_view recorded) const {
  if (!has_same_) return Match(parts_, text);
  const std::optional<Parts> fixed = Fixed(recorded);
  return fixed && Match(*fixed, text);
}

bool OnlyTimesVary(std::string_view text) {
  for (size_t at = text.find('{'); at < text.size(); at = text.find('{', at)) {
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with("{{") && !rest.starts_with("{timestamp}") &&
        !rest.starts_with("{same}")) {
      return false;
    }
    at += rest.starts_with("{{") ? 2 : 1;
  }
  return true;
}

}  // namespace midwire::replay
