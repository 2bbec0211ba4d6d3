// Replaces a value that the peer compared with a constant by that constant, where it is found in
// the input. It may be there as a number, a letter, the bytes of a number, text, or the length of a
// string.
#include <algorithm>
#include <charconv>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutate.h"
#include "wire/json/ascii.h"
#include "wire/json/cursor.h"

namespace midwire::fuzz {
namespace {

// Comparisons that one mutation tries before another mutator gets its turn.
constexpr int kMostCompared = 4;
// Bytes searched per comparison: sessions are rarely longer, and the time of a mutation stays
// bounded.
constexpr size_t kMostLooked = 16 * 1024;
// Other mutators move a number this far in a few steps.
constexpr uint64_t kNear = 255;
// A string is made no longer than this to match a compared length.
constexpr size_t kLongestMatch = 4096;

using wire::IsDigit;

bool IsPlain(uint64_t c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }
bool IsPlain(std::string_view text) {
  for (const char c : text) {
    if (!IsPlain(static_cast<unsigned char>(c))) return false;
  }
  return true;
}

uint64_t Cut(uint64_t value, int width) {
  return width == 8 ? value : value & ((uint64_t{1} << 8 * width) - 1);
}
int64_t Signed(uint64_t value, int width) {
  const int rest = 64 - 8 * width;
  return static_cast<int64_t>(value << rest) >> rest;
}

// Picks one of all places with equal probability, with its replacement.
struct PlaceChoice {
  Random* random;
  size_t count = 0, part = 0, at = 0, size = 0;
  std::string with;

  void Offer(size_t of_part, size_t from, size_t bytes, auto&& make) {
    if (!random->OneIn(++count)) return;
    part = of_part, at = from, size = bytes;
    with = make();
  }
};

// The params or result of a message, or all of it if it has none: ids and methods are left to the
// mutators of rpc.
std::string_view About(std::string_view body, Random* random) {
  const auto message = FindMessage(body, random);
  if (!message) return body;
  for (const Role role : {Role::kParams, Role::kResult, Role::kError}) {
    if (message->has(role)) return message->value(body, role);
  }
  return {};
}

// Calls `look(part, body)` for each message from the target on.
template <class Look>
void ForEachBody(const Mutation& m, Look look) {
  const auto& parts = m.input->parts;
  size_t looked = 0;
  for (size_t i = 0; i < parts.size() && looked < kMostLooked; ++i) {
    const size_t part = (m.part + i) % parts.size();
    if (parts[part].junk() || parts[part].body().size() > kMostLooked) continue;
    looked += parts[part].body().size();
    look(part, parts[part].body());
  }
}

// Calls `look(at, text)` for each run of digits and its sign, in numbers and in strings.
template <class Look>
void ForEachNumber(std::string_view text, Look look) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (!IsDigit(text[at])) continue;
    size_t end = at;
    while (end < text.size() && IsDigit(text[end])) ++end;
    const size_t from = at > 0 && text[at - 1] == '-' ? at - 1 : at;
    look(from, text.substr(from, end - from));
    at = end;
  }
}

enum class Strings { kAll, kValues };

// Calls `look(at, text)` for what is between the quotes of each string.
template <class Look>
void ForEachString(std::string_view text, Strings which, Look look) {
  wire::JsonCursor<> cursor(text);
  for (wire::JsonToken token; (token = cursor.Next()) != wire::JsonToken::kEnd;) {
    const std::string_view quoted = cursor.text();
    if (quoted.front() != '"' || (which == Strings::kValues && token == wire::JsonToken::kName)) {
      continue;
    }
    if (quoted.size() < 2 || quoted.back() != '"') return;  // the text ends within it
    look(quoted.data() + 1 - text.data(), quoted.substr(1, quoted.size() - 2));
  }
}

// The constant or a neighbour: half of all comparisons are for order.
uint64_t OrBeside(uint64_t wanted, Random* random) {
  return wanted + (random->OneIn(2) ? 0 : random->OneIn(2) ? 1 : uint64_t(-1));
}

std::string Decimal(uint64_t value, int width, Random* random) {
  value = Cut(OrBeside(value, random), width);
  return random->OneIn(2) ? std::to_string(value) : std::to_string(Signed(value, width));
}

// Replaces the number where it occurs; otherwise moves any number by the difference, if that is
// large, because the compared value may be a sum.
PlaceChoice FindNumber(const Mutation& m, const Compare& compare) {
  PlaceChoice exact{m.random}, moved{m.random};
  const uint64_t missing =
      Signed(compare.wanted, compare.width) - uint64_t(Signed(compare.seen, compare.width));
  ForEachBody(m, [&](size_t part, std::string_view body) {
    const std::string_view about = About(body, m.random);
    const size_t start = about.empty() ? 0 : about.data() - body.data();
    ForEachNumber(about, [&](size_t at, std::string_view text) {
      int64_t value = 0;
      uint64_t number = 0;  // also those above the signed ones
      const char* const end = text.data() + text.size();
      if (std::from_chars(text.data(), end, value).ec == std::errc()) {
        number = static_cast<uint64_t>(value);
      } else if (std::from_chars(text.data(), end, number).ec != std::errc()) {
        return;
      }
      if (number == compare.seen || number == uint64_t(Signed(compare.seen, compare.width))) {
        exact.Offer(part, start + at, text.size(),
                    [&] { return Decimal(compare.wanted, compare.width, m.random); });
      } else if (missing + kNear > 2 * kNear) {
        moved.Offer(part, start + at, text.size(), [&] {
          return std::to_string(static_cast<int64_t>(number + OrBeside(missing, m.random)));
        });
      }
    });
  });
  return exact.count != 0 ? exact : moved;
}

// The replacement of a comparison in a string: `seen` becomes `wanted`. None: seen is empty.
struct Words {
  std::string seen, wanted;
};

// The bytes of a number in either order; if it is a letter, the letter.
std::array<Words, 2> WordsOf(const Compare& compare) {
  if (IsPlain(compare.seen) && IsPlain(compare.wanted)) {
    return {Words{std::string(1, char(compare.seen)), std::string(1, char(compare.wanted))}, {}};
  }
  std::array<Words, 2> words;
  for (int i = 0; i < compare.width; ++i) {
    words[0].seen += char(compare.seen >> 8 * i);
    words[0].wanted += char(compare.wanted >> 8 * i);
  }
  words[1] = {{words[0].seen.rbegin(), words[0].seen.rend()},
              {words[0].wanted.rbegin(), words[0].wanted.rend()}};
  for (Words& word : words) {
    if (!IsPlain(word.seen) || !IsPlain(word.wanted)) word = {};
  }
  return words;
}

void FindWords(const Words& words, size_t part, size_t at, std::string_view text,
               PlaceChoice* choice) {
  if (words.seen.empty()) return;
  for (size_t i = text.find(words.seen); i != text.npos; i = text.find(words.seen, i + 1)) {
    choice->Offer(part, at + i, words.seen.size(), [&] { return words.wanted; });
  }
}

// Gives a string the compared length.
std::string Resized(std::string_view text, size_t size) {
  std::string made(text.substr(0, size));
  made.resize(size, 'a');
  return made;
}

PlaceChoice FindBytes(const Mutation& m, const Compare& compare) {
  PlaceChoice choice{m.random};
  const auto words = WordsOf(compare);
  const bool length = compare.width >= 4 && compare.wanted <= kLongestMatch;
  ForEachBody(m, [&](size_t part, std::string_view body) {
    const std::string_view about = About(body, m.random);
    const size_t start = about.empty() ? 0 : about.data() - body.data();
    ForEachString(about, Strings::kValues, [&](size_t at, std::string_view text) {
      for (const Words& word : words) FindWords(word, part, start + at, text, &choice);
      if (!length || text.size() != compare.seen || text.find('\\') != text.npos) return;
      choice.Offer(part, start + at, text.size(), [&] {
        const uint64_t size = OrBeside(compare.wanted, m.random);
        return Resized(text, size > kLongestMatch ? 0 : size);
      });
    });
  });
  return choice;
}

// Text is reported up to some length.
PlaceChoice FindText(const Mutation& m, const Compare& compare) {
  PlaceChoice choice{m.random};
  const std::string& seen = compare.seen_text;
  if (!IsPlain(seen) || !IsPlain(compare.wanted_text)) return choice;
  ForEachBody(m, [&](size_t part, std::string_view body) {
    ForEachString(body, Strings::kAll, [&](size_t at, std::string_view text) {
      if (seen.empty() && !text.empty()) return;
      const size_t found = text.find(seen);
      if (found == text.npos) return;
      // The literal and the string may both continue after the reported bytes.
      choice.Offer(part, at + found, seen.size(), [&] {
        return m.random->OneIn(4) ? compare.wanted_text.substr(0, seen.size())
                                  : compare.wanted_text;
      });
      if (found == 0) choice.Offer(part, at, text.size(), [&] { return compare.wanted_text; });
    });
  });
  return choice;
}

bool PutAt(Mutation* m, const Compare& compare, const PlaceChoice& choice) {
  if (choice.count == 0) return false;
  m->part = choice.part;
  m->used = &compare;
  return ReplaceInBody(m, choice.at, choice.size, choice.with);
}

}  // namespace

bool MutateComparedNumber(Mutation* m) {
  for (int i = 0; i < kMostCompared && !m->compares.empty(); ++i) {
    const Compare& compare = m->random->Pick(m->compares);
    if (compare.width != 0 && PutAt(m, compare, FindNumber(*m, compare))) return true;
  }
  return false;
}

bool MutateComparedBytes(Mutation* m) {
  for (int i = 0; i < kMostCompared && !m->compares.empty(); ++i) {
    const Compare& compare = m->random->Pick(m->compares);
    const PlaceChoice choice = compare.width == 0 ? FindText(*m, compare) : FindBytes(*m, compare);
    if (PutAt(m, compare, choice)) return true;
  }
  return false;
}

}  // namespace midwire::fuzz
