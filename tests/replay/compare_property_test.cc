// Comparisons of random documents: other spellings, one change, broken bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/replay/comparison.h"

namespace midwire::replay {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

struct Node {
  enum Type { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject } type = kNull;
  int64_t number = 0;  // in thousandths
  std::u32string string;
  std::vector<std::u32string> names;  // of the children of an object
  std::vector<bool> repeated;         // whether an earlier member has the name, too
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
      node.repeated.push_back(node.type == Node::kObject && Below(10) == 0);
      node.children.push_back(Any(size > 6 ? 0 : depth - 1));
    }
    return node;
  }
  Node Any() { return Any(kDepth); }

  // One of many ways to spell it: the order of members, blanks, escapes and numbers vary.
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
      if (node.repeated[i]) append(named(i, "[\"superseded\"]"));
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

// Whether a value is shown whole, or cut at its ends.
bool IsPartOf(std::string_view shown, std::string_view value) {
  if (shown == value) return true;
  if (shown.starts_with("...")) shown.remove_prefix(3);
  if (shown.ends_with("...")) shown.remove_suffix(3);
  return !shown.empty() && shown.size() < value.size() && value.find(shown) != value.npos;
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
    EXPECT_TRUE(IsPartOf(differences[0].got, *value)) << seed;
    EXPECT_TRUE(IsPartOf(differences[0].expected, *old_value)) << seed;
    EXPECT_NE(differences[0].got, differences[0].expected) << seed;
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

}  // namespace
}  // namespace midwire::replay
