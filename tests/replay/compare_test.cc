#include "replay/match/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>

#include "replay/match/shown.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A comparison with its rules: Comparison().Ignore("/a/*").Of(expected, got) gives lines such as
// "/pointer: expected | got".
class Comparison {
 public:
  Comparison& Ignore(std::string_view pointer) {
    pointers_.push_back(pointer.empty() ? wire::Pointer{} : *wire::ParsePointer(pointer));
    return *this;
  }
  Comparison& Shaped(std::string_view pointer, std::string_view shape) {
    shapes_.emplace_back(*wire::ParsePointer(pointer), *ParseShape(shape));
    return *this;
  }
  Comparison& Unordered(std::string_view pointer) {
    unordered_.push_back(*wire::ParsePointer(pointer));
    return *this;
  }
  Comparison& Ask(Judge judge, bool also_equals = false) {
    rules_.judge = std::move(judge);
    rules_.judge_equals = also_equals;
    return *this;
  }
  Comparison& AtMost(size_t differences) {
    at_most_ = differences;
    return *this;
  }
  std::vector<ValueDifference> Differences(std::string_view expected, std::string_view got) const {
    PlaceRules places;
    for (const wire::Pointer& pointer : pointers_) places.ignores.push_back(&pointer);
    for (const wire::Pointer& pointer : unordered_) places.unordered.push_back(&pointer);
    for (const auto& [pointer, shape] : shapes_) places.shapes.emplace_back(&pointer, &shape);
    CompareRules rules = rules_;
    rules.places = &places;
    std::vector<ValueDifference> all;
    const bool same = Compare(expected, got, rules, [&](ValueDifference difference) {
      EXPECT_LT(all.size(), at_most_) << "called after it said stop";
      all.push_back(std::move(difference));
      return all.size() < at_most_;
    });
    EXPECT_EQ(same, all.empty());
    return all;
  }
  std::vector<std::string> Of(std::string_view expected, std::string_view got) const {
    std::vector<std::string> lines;
    for (const ValueDifference& difference : Differences(expected, got)) {
      lines.push_back(difference.pointer + ": " + difference.expected + " | " + difference.got);
    }
    return lines;
  }

 private:
  std::vector<wire::Pointer> pointers_, unordered_;
  std::vector<std::pair<wire::Pointer, Shape>> shapes_;
  CompareRules rules_;
  size_t at_most_ = SIZE_MAX;
};

std::vector<std::string> Differences(std::string_view expected, std::string_view got) {
  return Comparison().Of(expected, got);
}

TEST(CompareTest, SpellingDoesNotCount) {
  EXPECT_THAT(Differences(R"({"a":1,"b":[2,"x/y"]})", R"( { "b" : [ 2.0 , "x\/y" ],"a":10e-1 } )"),
              IsEmpty());
  EXPECT_THAT(Differences(R"({"k\u0065y":{"\u0061":null}})", R"({"key":{"a":null}})"), IsEmpty());
  EXPECT_THAT(Differences("[true]\n", "[true]"), IsEmpty());
  EXPECT_THAT(Differences("{}", "{ }"), IsEmpty());
}

TEST(CompareTest, ScalarsOfOneType) {
  EXPECT_THAT(Differences(R"({"a":1,"b":"x","c":true})", R"({"a":2,"b":"y","c":false})"),
              ElementsAre("/a: 1 | 2", "/b: \"x\" | \"y\"", "/c: true | false"));
  EXPECT_THAT(Differences("9007199254740992", "9007199254740993"),
              ElementsAre(": 9007199254740992 | 9007199254740993"));
  EXPECT_THAT(Differences("\"\xef\xbf\xbd\"", "\"\xff\""), SizeIs(1));
}

TEST(CompareTest, OtherTypeIsOneDifference) {
  EXPECT_THAT(Differences(R"([1,"7",null,[],{"a":1},0])", R"([true,7,false,{},[1],null])"),
              ElementsAre("/0: 1 | true", "/1: \"7\" | 7", "/2: null | false", "/3: [] | {}",
                          "/4: {\"a\":1} | [1]", "/5: 0 | null"));
}

TEST(CompareTest, MembersMoreAndLess) {
  EXPECT_THAT(Differences(R"({"a":1,"b":{"c":2},"d":3})", R"({"y":[8],"d":4,"a":1,"x":9})"),
              ElementsAre("/b: {\"c\":2} | ", "/d: 3 | 4", "/y:  | [8]", "/x:  | 9"));
  EXPECT_THAT(Differences(R"({"a":null})", "{}"), ElementsAre("/a: null | "));
}

TEST(CompareTest, ElementsMoreAndLess) {
  EXPECT_THAT(Differences(R"({"a":[1,2,3]})", R"({"a":[1]})"),
              ElementsAre("/a/1: 2 | ", "/a/2: 3 | "));
  EXPECT_THAT(Differences(R"([])", R"([1,[2]])"), ElementsAre("/0:  | 1", "/1:  | [2]"));
  EXPECT_THAT(Differences("[1,2]", "[2,1]"), ElementsAre("/0: 1 | 2", "/1: 2 | 1"));
}

TEST(CompareTest, StopsWhenToldTo) {
  EXPECT_THAT(Comparison().AtMost(2).Of("[1,2,3,4]", "[5,6,7,8]"), SizeIs(2));
  EXPECT_THAT(Comparison().AtMost(1).Of(R"({"a":[1,{"b":2}],"c":3})", R"({"a":[2,{"b":3}],"d":4})"),
              ElementsAre("/a/0: 1 | 2"));
  EXPECT_THAT(Comparison().AtMost(3).Of("[" + std::string(1 << 20, '[') + "]", "[]"), SizeIs(1));
}

TEST(CompareTest, TheLastOfANameCounts) {
  EXPECT_THAT(Differences(R"({"a":1,"b":2,"a":3})", R"({"b":2,"a":3})"), IsEmpty());
  EXPECT_THAT(Differences(R"({"a":3})", R"({"a":1,"\u0061":2,"a":3})"), IsEmpty());
  EXPECT_THAT(Differences(R"({"a":1,"a":2})", R"({"a":2,"a":1})"), ElementsAre("/a: 2 | 1"));
  EXPECT_THAT(Differences(R"({"a":1,"a":2})", R"({"a":9,"a":2})"), IsEmpty());
  EXPECT_THAT(Differences("{}", R"({"a":1,"a":2})"), ElementsAre("/a:  | 2"));
  EXPECT_THAT(Differences(R"({"a":1,"a":2})", "{}"), ElementsAre("/a: 2 | "));
}

TEST(CompareTest, TextsThatAreNoJsonAreBytes) {
  EXPECT_THAT(Differences("{oops", "{oops"), IsEmpty());
  EXPECT_THAT(Differences("{oops", "{ oops"), ElementsAre(": {oops | { oops"));
  EXPECT_THAT(Differences("{}", "{},"), ElementsAre(": {} | {},"));
  EXPECT_THAT(Differences("", "{}"), ElementsAre(":  | {}"));
}

TEST(CompareTest, PointersOfOddNames) {
  EXPECT_THAT(Differences(R"({"a/b":{"":1},"~":2,"\"":3})", R"({"a/b":{"":2},"~":3,"\"":4})"),
              ElementsAre("/a~1b/: 1 | 2", "/~0: 2 | 3", "/\": 3 | 4"));
}

TEST(CompareTest, LongValuesAreCut) {
  const auto shown = [](const std::string& content) {
    const auto differences = Comparison().Differences("\"" + content + "\"", "0");
    return differences.at(0).expected;
  };
  EXPECT_EQ(shown(std::string(kMaxShownValue - 2, 'x')).size(), kMaxShownValue);
  for (const std::string character : {"x", "\u00e9", "\u20ac", "\U0001f600"}) {
    for (size_t pad = 0; pad < 5; ++pad) {
      std::string content(pad, 'y');
      while (content.size() < 2 * kMaxShownValue) content += character;
      const std::string text = shown(content);
      ASSERT_TRUE(text.ends_with("...")) << text;
      EXPECT_LE(text.size(), kMaxShownValue);
      EXPECT_GT(text.size(), kMaxShownValue - 4);
      EXPECT_EQ((text.size() - 3 - 1 - pad) % character.size(), 0u) << text;
    }
  }
  EXPECT_EQ(shown(std::string(1000, '\xbf')).size(), kMaxShownValue);
}

TEST(CompareIgnoreTest, NeitherDifferentNorAbsentCounts) {
  const Comparison comparison = Comparison().Ignore("/result/time");
  EXPECT_THAT(comparison.Of(R"({"result":{"time":1}})", R"({"result":{"time":[2]}})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"result":{}})", R"({"result":{"time":2}})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"result":{"time":2}})", R"({"result":{}})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"result":{"time":2}})", R"({})"),
              ElementsAre("/result: {\"time\":2} | "));
  EXPECT_THAT(comparison.Of(R"({"time":2})", R"({"time":3})"), ElementsAre("/time: 2 | 3"));
}

TEST(CompareIgnoreTest, AnyStepAndIndices) {
  const Comparison comparison = Comparison().Ignore("/items/*/id").Ignore("/list/1");
  EXPECT_THAT(comparison.Of(R"({"items":[{"id":1,"x":1},{"id":2}]})",
                            R"({"items":[{"id":5,"x":2},{"i\u0064":7}]})"),
              ElementsAre("/items/0/x: 1 | 2"));
  EXPECT_THAT(comparison.Of(R"({"list":[1,2]})", R"({"list":[1]})"), IsEmpty());
  EXPECT_THAT(comparison.Of(R"({"list":[1]})", R"({"list":[1,2,3]})"),
              ElementsAre("/list/2:  | 3"));
}

TEST(CompareIgnoreTest, TheWholeMessage) {
  EXPECT_THAT(Comparison().Ignore("").Of("1", "{nonsense"), IsEmpty());
}

std::vector<std::string> asked;
Judge Answering(Judgement judgement) {
  asked.clear();
  return [judgement](const wire::Path& path, std::string_view expected, std::string_view got) {
    asked.push_back(wire::PointerText(path) + ": " + std::string(expected) + " | " +
                    std::string(got));
    return judgement;
  };
}

TEST(CompareJudgeTest, AskedForScalarsAndOtherTypesThatAreNotEqualBytes) {
  const Comparison comparison = Comparison().Ask(Answering(Judgement::kByValue));
  EXPECT_THAT(comparison.Of(R"({"a":1,"b":[2,"x"],"c":{},"d":7,"e":4})",
                            R"({"a":1.0,"b":[2,"y"],"c":[],"d":7})"),
              ElementsAre("/b/1: \"x\" | \"y\"", "/c: {} | []", "/e: 4 | "));
  EXPECT_THAT(asked, ElementsAre("/a: 1 | 1.0", "/b/1: \"x\" | \"y\"", "/c: {} | []"));
}

TEST(CompareJudgeTest, SaysSame) {
  const Comparison comparison = Comparison().Ask(Answering(Judgement::kSame));
  EXPECT_THAT(comparison.Of(R"({"a":1,"b":[2]})", R"({"a":"x","b":{}})"), IsEmpty());
}

TEST(CompareJudgeTest, SaysDifferent) {
  EXPECT_THAT(Comparison().Ask(Answering(Judgement::kDifferent)).Of("[1,2]", "[1.0,2]"),
              ElementsAre("/0: 1 | 1.0"));
}

TEST(CompareJudgeTest, AskedForEqualBytesToo) {
  const Comparison comparison = Comparison().Ask(Answering(Judgement::kDifferent), true);
  EXPECT_THAT(comparison.Of(R"({"a":[1,{}],"b":"x"})", R"({"a":[1,{}],"b":"x"})"),
              ElementsAre("/a/0: 1 | 1", "/b: \"x\" | \"x\""));
}

TEST(CompareJudgeTest, NotAskedForWhatIsIgnored) {
  Comparison comparison = Comparison().Ignore("/a").Ask(Answering(Judgement::kDifferent), true);
  EXPECT_THAT(comparison.Of(R"({"a":1})", R"({"a":2})"), IsEmpty());
  EXPECT_THAT(asked, IsEmpty());
}

struct Node {
  enum Type { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject } type = kNull;
  int64_t number = 0;  // in thousandths
  std::u32string string;
  std::vector<std::u32string> names;  // of the children of an object
  std::vector<Node> children;
};

class Documents {
 public:
  explicit Documents(uint32_t seed) : random_(seed) {}

  size_t Below(size_t limit) { return random_() % limit; }

  Node Any(size_t depth) {
    Node node;
    node.type = static_cast<Node::Type>(Below(depth == 0 ? Node::kArray : Node::kObject + 1));
    if (depth == kDepth && Below(8) != 0) node.type = Node::kObject;
    if (node.type == Node::kNumber) node.number = static_cast<int64_t>(random_()) - (1ll << 31);
    if (node.type == Node::kNumber && Below(2)) node.number = node.number % 10 * 1000;
    if (node.type == Node::kString) node.string = String();
    if (node.type < Node::kArray) return node;
    const size_t size = Below(20) == 0 ? 60 : Below(6);
    for (size_t i = 0; i < size; ++i) {
      std::u32string name = String();
      if (std::count(node.names.begin(), node.names.end(), name)) name += U"#" + Digits(i);
      if (node.type == Node::kObject) node.names.push_back(name);
      node.children.push_back(Any(size > 6 ? 0 : depth - 1));
    }
    return node;
  }
  Node Any() { return Any(kDepth); }

  // One of many ways to spell it: the order of members, superseded members, blanks, escapes and
  // numbers vary.
  std::string Spell(const Node& node) {
    switch (node.type) {
      case Node::kNull:
        return "null";
      case Node::kTrue:
        return "true";
      case Node::kFalse:
        return "false";
      case Node::kNumber:
        return SpellNumber(node.number);
      case Node::kString:
        return SpellString(node.string);
      default:
        return SpellContainer(node);
    }
  }

  // Makes one scalar another value; false: there is none.
  bool Mutate(Node* root) {
    std::vector<Node*> scalars;
    Collect(root, &scalars);
    if (scalars.empty()) return false;
    Node* const node = scalars[Below(scalars.size())];
    switch (node->type) {
      case Node::kNumber:
        node->number += Below(2) ? 1 : -1;
        break;
      case Node::kString:
        node->string += Below(2) ? U'\u00e9' : U'/';
        break;
      default:
        node->type = node->type == Node::kTrue ? Node::kFalse : Node::kTrue;
    }
    return true;
  }

 private:
  static constexpr size_t kDepth = 5;

  static std::u32string Digits(size_t number) {
    const std::string digits = std::to_string(number);
    return {digits.begin(), digits.end()};
  }

  std::u32string String() {
    static constexpr char32_t kSome[] = {U'a',      U'b',      U'/',    U'~',     U'"',
                                         U'\\',     U'\n',     U'{',    U']',     U'\u00e9',
                                         U'\u20ac', U'\ufffd', U'\x7f', 0x1f600u, 0u};
    std::u32string string;
    for (size_t size = Below(Below(10) == 0 ? 80 : 5); size > 0; --size) {
      string += kSome[Below(std::size(kSome))];
    }
    return string;
  }

  std::string Blanks() { return Below(3) ? "" : std::string(Below(3), " \t\r\n"[Below(4)]); }

  std::string Escape(unsigned unit) {
    char escape[8];
    std::snprintf(escape, sizeof(escape), Below(2) ? "\\u%04x" : "\\u%04X", unit);
    return escape;
  }

  std::string SpellString(const std::u32string& string) {
    std::string text = "\"";
    for (const char32_t c : string) {
      if (c >= 0x10000 && Below(2)) {
        text += Escape(0xd800 + ((c - 0x10000) >> 10)) + Escape(0xdc00 + ((c - 0x10000) & 0x3ff));
      } else if (c < 0x10000 && (c < 0x20 || Below(4) == 0)) {
        text += c == '\n' && Below(2) ? "\\n" : Escape(c);
      } else if (c == '"' || c == '\\' || (c == '/' && Below(2))) {
        text += std::string("\\") + static_cast<char>(c);
      } else {
        text += Utf8(c);
      }
    }
    return text + "\"";
  }

  static std::string Utf8(char32_t c) {
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
    if (c < 0x80) return {static_cast<char>(c)};
    if (c < 0x800) return {static_cast<char>(0xc0 | c >> 6), tail(0)};
    if (c < 0x10000) return {static_cast<char>(0xe0 | c >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
  }

  std::string SpellNumber(int64_t thousandths) {
    const std::string sign = thousandths < 0 || (thousandths == 0 && Below(2)) ? "-" : "";
    std::string digits = std::to_string(std::abs(thousandths));
    if (Below(3) == 0) return sign + digits + (Below(2) ? "e-3" : "E-0003");
    digits.insert(0, std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0'));
    const std::string whole = digits.substr(0, digits.size() - 3);
    std::string rest = digits.substr(digits.size() - 3);
    if (rest == "000" && Below(2)) return sign + whole;
    if (Below(2)) return sign + whole + "." + rest + (Below(2) ? "" : "00e+0");
    const size_t zeros = Below(4);
    return sign + "0." + std::string(zeros, '0') + digits + "e" +
           std::to_string(whole.size() + zeros);
  }

  std::string SpellContainer(const Node& node) {
    const bool object = node.type == Node::kObject;
    std::vector<size_t> order(node.children.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (object && Below(2)) std::shuffle(order.begin(), order.end(), random_);
    std::string text(1, object ? '{' : '[');
    std::string separator;
    const auto append = [&](const std::string& part) {
      text += separator + Blanks() + part + Blanks();
      separator = ",";
    };
    const auto named = [&](size_t i, const std::string& value) {
      return SpellString(node.names[i]) + Blanks() + ":" + Blanks() + value;
    };
    for (const size_t i : order) {
      if (object && Below(10) == 0) append(named(order.back(), "[\"superseded\"]"));
      append(object ? named(i, Spell(node.children[i])) : Spell(node.children[i]));
    }
    return text + Blanks() + (object ? '}' : ']');
  }

  static void Collect(Node* node, std::vector<Node*>* scalars) {
    if (node->type < Node::kArray) scalars->push_back(node);
    for (Node& child : node->children) Collect(&child, scalars);
  }

  std::mt19937 random_;
};

TEST(ComparePropertyTest, EverySpellingIsTheSame) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Documents documents(seed);
    const Node node = documents.Any();
    const std::string expected = documents.Spell(node), got = documents.Spell(node);
    ASSERT_TRUE(wire::IsLooseJson(expected)) << seed << "\n" << expected;
    ASSERT_THAT(Differences(expected, got), IsEmpty()) << seed << "\n" << expected << "\n" << got;
  }
}

TEST(ComparePropertyTest, OneScalarIsOneDifferenceAtItsPointer) {
  size_t mutated = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Documents documents(seed);
    Node node = documents.Any();
    const std::string expected = documents.Spell(node);
    if (!documents.Mutate(&node)) continue;
    ++mutated;
    const std::string got = documents.Spell(node);
    const auto differences = Comparison().Differences(expected, got);
    ASSERT_THAT(differences, SizeIs(1)) << seed << "\n" << expected << "\n" << got;
    const std::string& at = differences[0].pointer;
    const wire::Pointer pointer = at.empty() ? wire::Pointer{} : *wire::ParsePointer(at);
    const auto old_value = wire::ValueAt(expected, pointer), value = wire::ValueAt(got, pointer);
    ASSERT_TRUE(old_value && value) << seed << " " << at;
    EXPECT_EQ(differences[0].got.substr(0, 100), value->substr(0, 100)) << seed;
    EXPECT_EQ(differences[0].expected.substr(0, 100), old_value->substr(0, 100)) << seed;
    EXPECT_THAT(Comparison().Ignore(at).Of(expected, got), IsEmpty()) << seed;
  }
  EXPECT_GT(mutated, 2000u);
}

TEST(ComparePropertyTest, EveryPrefixAndEveryFlippedBit) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Documents documents(seed);
    const std::string text = documents.Spell(documents.Any());
    if (text.size() > 600) continue;  // as slow as the square of its size
    for (size_t size = 0; size < text.size(); ++size) {
      const auto copy = std::make_unique<char[]>(size);  // a sanitizer sees a read outside
      std::copy_n(text.begin(), size, copy.get());
      Comparison().AtMost(3).Of(text, {copy.get(), size});
    }
    for (size_t bit = 0; bit < text.size() * 8; ++bit) {
      std::string flipped = text;
      flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
      Comparison().AtMost(3).Of(flipped, text);
      Comparison().AtMost(3).Of(text, flipped);
    }
  }
}

std::string ManyMembers(size_t size, uint32_t seed, std::string_view name = "\"member") {
  std::vector<size_t> order(size);
  for (size_t i = 0; i < size; ++i) order[i] = i;
  std::mt19937 random(seed);
  if (seed != 0) std::shuffle(order.begin(), order.end(), random);
  std::string text = "{";
  for (const size_t i : order) {
    text += (text.size() > 1 ? "," : "") + std::string(name) + std::to_string(i) +
            "\":" + std::to_string(i);
  }
  return text + "}";
}

TEST(CompareLargeTest, ManyMembersInAnyOrder) {
  const auto start = std::chrono::steady_clock::now();
  const std::string expected = ManyMembers(100'000, 0);
  EXPECT_THAT(Differences(expected, ManyMembers(100'000, 1)), IsEmpty());
  EXPECT_THAT(Differences(expected, ManyMembers(100'000, 2, "\"me\\u006dber")), IsEmpty());
  EXPECT_THAT(Differences(expected, ManyMembers(100'001, 3)),
              ElementsAre("/member100000:  | 100000"));
  EXPECT_THAT(Differences(expected, ManyMembers(99'999, 4)), ElementsAre("/member99999: 99999 | "));
  // All pairs would take minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(CompareLargeTest, ManyMembersOfOneName) {
  std::string many = "{\"a\":0";
  for (int i = 1; i <= 100'000; ++i) many += ",\"a\":" + std::to_string(i);
  EXPECT_THAT(Differences(R"({"a":100000})", many + "}"), IsEmpty());
  EXPECT_THAT(Differences(many + "}", R"({"a":1})"), ElementsAre("/a: 100000 | 1"));
}

TEST(CompareLargeTest, ManyElementsMore) {
  std::string many = "[0";
  for (int i = 1; i <= 1'000'000; ++i) many += ",0";
  EXPECT_THAT(Comparison().AtMost(2).Of("[]", many + "]"), ElementsAre("/0:  | 0", "/1:  | 0"));
}

TEST(CompareShapeTest, AnyValueOfTheShapeIsEqual) {
  const Comparison timed = Comparison().Shaped("/t", "timestamp");
  EXPECT_THAT(timed.Of(R"({"t":1763882386})", R"({"t":1763882387})"), IsEmpty());
  EXPECT_THAT(timed.Of(R"({"t":1763882386})", R"({"t":12})"), ElementsAre("/t: 1763882386 | 12"));
  // Another type, no value, another place.
  EXPECT_THAT(timed.Of(R"({"t":1763882386})", R"({"t":"2026-11-23"})"), SizeIs(1));
  EXPECT_THAT(timed.Of(R"({"t":1763882386})", "{}"), SizeIs(1));
  EXPECT_THAT(timed.Of(R"({"u":1763882386})", R"({"u":1763882387})"), SizeIs(1));
  EXPECT_THAT(timed.Of(R"({"t":"soon"})", R"({"t":"soon"})"), IsEmpty());
}

TEST(CompareShapeTest, OneOfSeveralShapesIsEnough) {
  const Comparison either = Comparison().Shaped("/*", "uuid").Shaped("/a", "integer");
  EXPECT_THAT(either.Of(R"({"a":1,"b":1})", R"({"a":2,"b":2})"), ElementsAre("/b: 1 | 2"));
}

TEST(CompareUnorderedTest, ItemsMayComeInAnyOrder) {
  const Comparison any = Comparison().Unordered("/a");
  EXPECT_THAT(any.Of(R"({"a":[1,{"x":1,"y":2},"z"]})", R"({"a":["z",1,{"y":2,"x":1}]})"),
              IsEmpty());
  EXPECT_THAT(any.Of(R"({"a":[1,1,2]})", R"({"a":[2,1,2]})"), ElementsAre("/a/1: 1 | 2"));
  EXPECT_THAT(any.Of(R"({"a":[1,2]})", R"({"a":[3,2,1]})"), ElementsAre("/a/0:  | 3"));
  EXPECT_THAT(any.Of(R"({"a":[1,2,3]})", R"({"a":[3,1]})"), ElementsAre("/a/1: 2 | "));
  EXPECT_THAT(any.Of(R"({"a":[[1,2]],"b":[1,2]})", R"({"a":[[2,1]],"b":[2,1]})"), SizeIs(4));
}

TEST(CompareUnorderedTest, AnItemIsComparedWithTheMostSimilar) {
  const Comparison any = Comparison().Unordered("/a").Shaped("/a/*/t", "timestamp");
  EXPECT_THAT(any.Of(R"({"a":[{"n":"x","t":1763882386},{"n":"y","t":1763882386}]})",
                     R"({"a":[{"n":"y","t":1763882387},{"n":"x","t":1763882388}]})"),
              IsEmpty());
  EXPECT_THAT(any.Of(R"({"a":[{"n":"x","v":1},{"n":"y","v":1}]})",
                     R"({"a":[{"n":"y","v":2},{"n":"x","v":1}]})"),
              ElementsAre("/a/1/v: 1 | 2"));
}

TEST(CompareUnorderedTest, AHostileArrayIsComparedInBoundedTime) {
  const Comparison any = Comparison().Unordered("/*").Unordered("/*/*").AtMost(1);
  std::string left = "[[", right = "[[";
  for (int i = 0; i < 3000; ++i) {
    left += "[" + std::to_string(i) + ",0],";
    right += "[0,-" + std::to_string(i + 1) + "],";
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(any.Of(left + "0]]", right + "0]]"), SizeIs(1));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(CompareLargeTest, AsDeepAsItGoes) {
  const auto nested = [](std::string_view open, std::string_view inner, char close) {
    std::string text;
    for (size_t i = 0; i < wire::kMaxLooseDepth; ++i) text += open;
    return text + std::string(inner) + std::string(wire::kMaxLooseDepth, close);
  };
  const auto arrays = Comparison().Differences(nested("[", "1", ']'), nested("[ ", "2", ']'));
  ASSERT_THAT(arrays, SizeIs(1));
  EXPECT_EQ(arrays[0].pointer.size(), 2 * wire::kMaxLooseDepth);
  EXPECT_THAT(Differences(nested("{\"a\":", "1", '}'), nested("{ \"a\":", "2", '}')), SizeIs(1));
  // Too deep: bytes.
  EXPECT_THAT(Differences(nested("[", "[]", ']'), nested("[", "[ ]", ']')), SizeIs(1));
}

}  // namespace
}  // namespace midwire::replay
