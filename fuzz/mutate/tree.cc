// Tree mutators: another value, member or element in a place. The result stays JSON, and all bytes
// around the change stay as they are.
#include <algorithm>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutate.h"
#include "fuzz/mutate/value_pool.h"
#include "wire/json/ascii.h"
#include "wire/json/decimal.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

using wire::JsonType;

// Most elements or members that are moved: each costs a copy of its container.
constexpr size_t kMostShuffled = 64;

std::optional<Node> PickOutsideJunk(Mutation* m, unsigned types, unsigned places = kInside) {
  if (m->target().junk()) return std::nullopt;
  return PickInMessage(m->target().body(), types, places, m->random);
}

bool Put(Mutation* m, const std::optional<Node>& node, std::string_view value) {
  return node && ReplaceInBody(m, node->at, node->size, value);
}

// Replaces a value by one of these. (The place is drawn in an earlier statement: compilers evaluate
// arguments in any order, and a seed must mean the same everywhere.)
bool AsValue(Mutation* m, unsigned types, std::initializer_list<std::string_view> of) {
  const auto node = PickOutsideJunk(m, types);
  return node && Put(m, node, OneOf(m->random, of));
}

bool PutWord(Mutation* m, unsigned types, const std::vector<std::string>& words,
             std::initializer_list<std::string_view> known) {
  const auto node = PickOutsideJunk(m, types);
  return node && Put(m, node, Word(m->random, words, known));
}

size_t Room(const Mutation& m, size_t most) {
  const size_t room = m.room();
  return std::min(most, room > 64 ? room - 64 : 0);
}

bool WrongType(Mutation* m) {
  const auto node = PickOutsideJunk(m, kAnyType, kAnyPlace);
  if (!node) return false;
  constexpr std::string_view kOf[] = {"null", "true", "1", "\"a\"", "[]", "{}"};
  // One of the five other types.
  const size_t type = static_cast<size_t>(node->type);
  return Put(m, node, kOf[(type + 1 + m->random->Below(5)) % 6]);
}

bool DropNode(Mutation* m, unsigned place) {
  const auto node = PickOutsideJunk(m, kAnyType, place);
  if (!node) return false;
  const Span span = WithComma(m->target().body(), *node);
  return ReplaceInBody(m, span.at, span.size, "");
}

// Repeats a member or element behind itself.
bool DuplicateNode(Mutation* m, unsigned place, size_t times) {
  const auto node = PickOutsideJunk(m, kAnyType, place);
  if (!node) return false;
  const size_t from = node->member() ? node->name_at : node->at, size = node->end() - from;
  times = std::min(times, Room(*m, kLongest) / (size + 1));
  if (times == 0) return false;
  std::string text = ",";
  text += m->target().body().substr(from, size);
  return ReplaceInBody(m, node->end(), 0, Repeated(text, times));
}

bool Shuffle(Mutation* m) {
  const auto node = PickOutsideJunk(m, kContainers, kAnyPlace);
  if (!node) return false;
  const std::string_view container = node->text(m->target().body());
  std::string_view parts[kMostShuffled];
  wire::JsonParts all(container);
  wire::JsonPart part;
  size_t count = 0;
  while (count < kMostShuffled && all.Next(&part)) {
    const char* const from = part.name.empty() ? part.value.data() : part.name.data();
    const char* const to = part.value.data() + part.value.size();
    parts[count++] = {from, static_cast<size_t>(to - from)};
  }
  if (count < 2) return false;
  const std::string_view first = parts[0], last = parts[count - 1];
  for (size_t i = count; i > 1; --i) std::swap(parts[i - 1], parts[m->random->Below(i)]);
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    text += parts[i];
  }
  const size_t at = first.data() - m->target().body().data();
  return ReplaceInBody(m, at, last.data() + last.size() - first.data(), text);
}

bool SwapValues(Mutation* m) {
  auto a = PickOutsideJunk(m, kAnyType), b = PickOutsideJunk(m, kAnyType);
  if (!a || !b) return false;
  if (a->at > b->at) std::swap(a, b);
  if (a->end() > b->at) return false;  // equal, or one inside the other
  const std::string_view body = m->target().body();
  std::string text(b->text(body));
  text += body.substr(a->end(), b->at - a->end());
  text += a->text(body);
  return ReplaceInBody(m, a->at, b->end() - a->at, text);
}

// Copies the value of one place to another, also into its own parent, so that the tree grows.
bool CopyValue(Mutation* m) {
  const auto from = PickOutsideJunk(m, kAnyType), to = PickOutsideJunk(m, kAnyType);
  if (!from || !to) return false;
  const std::string value(from->text(m->target().body()));
  return Put(m, to, value);
}

// Takes a value that another message has under the same name.
bool SameNameValue(Mutation* m) {
  const auto node = PickOutsideJunk(m, kAnyType, kMember);
  if (!node || m->input->parts.size() < 2) return false;
  const Part& other = m->random->Pick(m->input->parts);
  const auto found =
      PickNode(other.body(), kAnyType, kMember, m->random, node->name(m->target().body()));
  return found && Put(m, node, std::string(found->text(other.body())));
}

// Takes a value that a recorded message had under the same name.
bool SameNameRecorded(Mutation* m) {
  constexpr size_t kLongestLook = 4096;  // searching a longer message would cost more than the rest
  const auto node = PickOutsideJunk(m, kAnyType, kMember);
  const auto& recorded = m->words->bodies(static_cast<wire::Direction>(m->random->Below(2)));
  if (!node || recorded.empty()) return false;
  const std::string& other = m->random->Pick(recorded);
  if (other.size() > kLongestLook) return false;
  const auto found = PickNode(other, kAnyType, kMember, m->random, node->name(m->target().body()));
  return found && Put(m, node, found->text(other));
}

bool NumberBeside(Mutation* m) {
  const auto node = PickOutsideJunk(m, Of(JsonType::kNumber));
  if (!node) return false;
  const std::string_view text = node->text(m->target().body());
  int64_t value = 0;
  if (!wire::ParseNumber(text, &value)) return false;
  auto number = static_cast<uint64_t>(value);  // wraps: a limit's neighbour is the other limit
  // Any bit is one step away, the low ones more often.
  const size_t bit = m->random->Below(m->random->OneIn(2) ? 4 : 64);
  const uint64_t step = uint64_t{1} << bit;
  number = m->random->OneIn(4) ? 0 - number : m->random->OneIn(2) ? number + step : number - step;
  return Put(m, node, std::to_string(static_cast<int64_t>(number)));
}

bool LongString(Mutation* m) {
  const auto node = PickOutsideJunk(m, kScalars);
  if (!node) return false;
  const std::string_view unit = OneOf(m->random, {"A", "a ", "/", "../", "%s", "<", "\\n", "\\\""});
  const size_t times = SomeOf(m->random, Room(*m, kLongest) / unit.size());
  return Put(m, node, "\"" + Repeated(unit, times) + "\"");
}

bool LongArray(Mutation* m) {
  const auto node = PickOutsideJunk(m, kAnyType);
  if (!node) return false;
  const std::string_view unit = OneOf(m->random, {",0", ",null", ",\"\"", ",[]", ",{}"});
  const size_t times = SomeOf(m->random, Room(*m, kLongest) / unit.size());
  if (times == 0) return false;
  std::string text = "[" + Repeated(unit, times) + "]";
  text.erase(1, 1);
  return Put(m, node, text);
}

bool ManyMembers(Mutation* m) {
  const auto node = PickOutsideJunk(m, kAnyType);
  if (!node) return false;
  const size_t times = SomeOf(m->random, Room(*m, kLongest) / 16);
  if (times == 0) return false;
  std::string text = "{";
  for (size_t i = 0; i < times; ++i) text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":0";
  return Put(m, node, text += "}");
}

bool RenameKey(Mutation* m) {
  const auto node = PickOutsideJunk(m, kAnyType, kMember);
  return node && ReplaceInBody(m, node->name_at, node->name_size,
                               Word(m->random, m->words->keys(),
                                    {"\"\"", "\"x\"", "\"__proto__\"", "\"constructor\"", "\"id\"",
                                     "\"method\"", "\"params\"", "\"$ref\"", "\"a/b~c\""}));
}

// Takes a word of the vocabulary of the same type.
std::string_view AnyWord(Mutation* m) {
  switch (m->random->Below(4)) {
    case 0:
      return Word(m->random, m->words->numbers(), {"0", "1", "-1"});
    case 1:
      return Word(m->random, m->words->trees(), {"{}", "[]"});
    case 2:
      return OneOf(m->random, {"null", "true", "false"});
    default:
      return Word(m->random, m->words->strings(), {"\"\"", "\"a\""});
  }
}

bool AddMember(Mutation* m, std::string_view name) {
  const auto node = PickOutsideJunk(m, Of(JsonType::kObject), kAnyPlace);
  if (!node || node->size < 2) return false;
  std::string text(name);
  text += ':';
  text += AnyWord(m);
  if (CountParts(node->text(m->target().body()), 1) != 0) text += ',';
  return ReplaceInBody(m, node->at + 1, 0, text);
}

bool AddElement(Mutation* m) {
  const auto node = PickOutsideJunk(m, Of(JsonType::kArray), kAnyPlace);
  if (!node || node->size < 2) return false;
  std::string text(AnyWord(m));
  if (CountParts(node->text(m->target().body()), 1) != 0) text += ',';
  return ReplaceInBody(m, node->at + 1, 0, text);
}

bool Wrap(Mutation* m, std::string_view before, std::string_view after) {
  const auto node = PickOutsideJunk(m, kAnyType);
  if (!node) return false;
  std::string text(before);
  text += node->text(m->target().body());
  return Put(m, node, text += after);
}

// Replaces a container by one of its values.
bool Unwrap(Mutation* m) {
  const auto node = PickOutsideJunk(m, kContainers);
  if (!node) return false;
  const std::string_view container = node->text(m->target().body());
  const auto inner = PickNode(container, kAnyType, kInside, m->random);
  return inner && Put(m, node, std::string(inner->text(container)));
}

// 1 is "1", and "1" is 1.
bool QuoteOrUnquote(Mutation* m) {
  const auto node = PickOutsideJunk(m, kScalars);
  if (!node) return false;
  const std::string_view text = node->text(m->target().body());
  if (node->type != JsonType::kString) return Put(m, node, "\"" + std::string(text) + "\"");
  const std::string inner(text.substr(1, std::max<size_t>(text.size(), 2) - 2));
  const bool number =
      !inner.empty() && (inner.front() != '0' || inner.size() == 1) && wire::IsDigits(inner);
  return number && Put(m, node, inner);
}

bool FlipBool(Mutation* m) {
  const auto node = PickOutsideJunk(m, Of(JsonType::kBool));
  return node && Put(m, node, node->text(m->target().body()) == "true" ? "false" : "true");
}

bool CaseOfString(Mutation* m) {
  const auto node = PickOutsideJunk(m, Of(JsonType::kString));
  if (!node) return false;
  std::string text(node->text(m->target().body()));
  const size_t first = text.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (first == text.npos || text.find('\\') != text.npos) return false;
  text[first] ^= 0x20;
  return Put(m, node, text);
}

constexpr MutatorSpec kTreeMutators[] = {
    {"tree.wrong-type", Level::kTree, WrongType},
    {"tree.null", Level::kTree, [](Mutation* m) { return AsValue(m, kAnyType, {"null"}); }},
    {"tree.drop-member", Level::kTree, [](Mutation* m) { return DropNode(m, kMember); }},
    {"tree.drop-element", Level::kTree, [](Mutation* m) { return DropNode(m, kElement); }},
    {"tree.duplicate-member", Level::kTree,
     [](Mutation* m) { return DuplicateNode(m, kMember, 1); }},
    {"tree.duplicate-element", Level::kTree,
     [](Mutation* m) { return DuplicateNode(m, kElement, 1); }},
    {"tree.repeat-element", Level::kTree,
     [](Mutation* m) { return DuplicateNode(m, kElement, SomeOf(m->random, 10'000)); }},
    {"tree.shuffle", Level::kTree, Shuffle},
    {"tree.swap-values", Level::kTree, SwapValues},
    {"tree.copy-value", Level::kTree, CopyValue},
    {"tree.same-name-value", Level::kTree, SameNameValue},
    {"tree.word-string", Level::kTree,
     [](Mutation* m) {
       return PutWord(m, Of(JsonType::kString), m->words->strings(),
                      {"\"\"", "\"a\"", "\"null\"", "\"*\""});
     }},
    {"tree.word-number", Level::kTree,
     [](Mutation* m) {
       return PutWord(m, Of(JsonType::kNumber), m->words->numbers(), {"0", "1", "2", "100"});
     }},
    {"tree.word-tree", Level::kTree,
     [](Mutation* m) {
       return PutWord(m, kContainers, m->words->trees(), {"{}", "[]", "[{}]"});
     }},
    {"tree.word-value", Level::kTree,
     [](Mutation* m) {
       const auto node = PickOutsideJunk(m, kAnyType);
       return node && Put(m, node, AnyWord(m));
     }},
    {"tree.number-limit", Level::kTree,
     [](Mutation* m) {
       return AsValue(m, Of(JsonType::kNumber),
                      {"0",
                       "-1",
                       "-0",
                       "127",
                       "128",
                       "255",
                       "256",
                       "32767",
                       "65535",
                       "65536",
                       "2147483647",
                       "2147483648",
                       "-2147483648",
                       "-2147483649",
                       "4294967295",
                       "4294967296",
                       "9007199254740991",
                       "9007199254740992",
                       "9007199254740993",
                       "-9007199254740993",
                       "9223372036854775807",
                       "9223372036854775808",
                       "-9223372036854775808",
                       "-9223372036854775809",
                       "18446744073709551615",
                       "18446744073709551616"});
     }},
    {"tree.number-fraction", Level::kTree,
     [](Mutation* m) {
       return AsValue(m, Of(JsonType::kNumber),
                      {"1.0", "0.5", "-0.0", "1e2", "1E+2", "0.1", "1.0000000000000000001", "1e-7",
                       "3.4028236e38", "1.7976931348623157e308", "5e-324"});
     }},
    {"tree.number-beside", Level::kTree, NumberBeside},
    {"tree.string-limit", Level::kTree,
     [](Mutation* m) {
       return AsValue(m, Of(JsonType::kString),
                      {"\"\"",
                       "\"\"",
                       "\"\"",
                       "\"\"",  // first, because it is often forgotten
                       "\" \"",
                       "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\\u007f\"",
                       "\"\\ud83d\\ude00\"",
                       "\"..\"",
                       "\"/\"",
                       "\"../../../../etc/passwd\"",
                       "\"%s%n\"",
                       "\"file:///\"",
                       "\"a:b:c\"",
                       "\"-1\"",
                       "\"0\"",
                       "\"NaN\"",
                       "\"true\"",
                       "\"null\"",
                       "\"$(id)\"",
                       "\"\\\\\"",
                       "\"{}\"",
                       "\"[\""});
     }},
    {"tree.long-string", Level::kTree, LongString},
    {"tree.empty-container", Level::kTree,
     [](Mutation* m) {
       return AsValue(m, kContainers, {"[]", "{}", "[[]]", "[{}]", "[null]"});
     }},
    {"tree.long-array", Level::kTree, LongArray},
    {"tree.many-members", Level::kTree, ManyMembers},
    {"tree.rename-key", Level::kTree, RenameKey},
    {"tree.unknown-member", Level::kTree,
     [](Mutation* m) {
       return AddMember(m, OneOf(m->random, {"\"unknown\"", "\"\"", "\"__proto__\"", "\"x-y\"",
                                             "\"\\u0000\"", "\"toString\"", "\"_meta\""}));
     }},
    {"tree.word-member", Level::kTree,
     [](Mutation* m) {
       return AddMember(m, Word(m->random, m->words->keys(), {"\"id\"", "\"a\""}));
     }},
    {"tree.add-element", Level::kTree, AddElement},
    {"tree.wrap-in-array", Level::kTree, [](Mutation* m) { return Wrap(m, "[", "]"); }},
    {"tree.wrap-in-object", Level::kTree, [](Mutation* m) { return Wrap(m, "{\"value\":", "}"); }},
    {"tree.unwrap", Level::kTree, Unwrap},
    {"tree.quote", Level::kTree, QuoteOrUnquote},
    {"tree.flip-bool", Level::kTree, FlipBool},
    {"tree.string-case", Level::kTree, CaseOfString},
    {"tree.same-name-said", Level::kTree, SameNameRecorded},
    {"tree.known-value", Level::kTree,
     [](Mutation* m) {
       if (m->target().junk()) return false;
       const auto known = ChooseKnown(m->target().body(), *m->words, m->random);
       return known && ReplaceInBody(m, known->at, known->size, known->other);
     }},
    {"tree.wanted-number", Level::kTree, MutateComparedNumber},
};

}  // namespace

std::span<const MutatorSpec> TreeMutators() { return kTreeMutators; }

}  // namespace midwire::fuzz
