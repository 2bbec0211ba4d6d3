// Validates one value against compiled nodes, in one pass over its text. Called by Schema.
// Rejected: RapidJSON 1.1's own validator. It is a third as fast. It takes 300 bytes for each value
// under an enum, and doubles for each level of alternatives that contain themselves. It crashes on
// {"not":1} and on references in a circle, lets a reference to nothing pass, and refuses 1e400. A
// test compares ours with it.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/schema_nodes.h"
#include "wire/json/chars.h"
#include "wire/json/cursor.h"
#include "wire/json/hash.h"
#include "wire/json/path.h"
#include "wire/json/scan.h"

namespace midwire::wire {

struct SchemaOutcome {  // of a node with alternatives, at a place
  uint64_t run = 0;
  int node = 0;
  const char* at = nullptr;
  const char* stop = nullptr;  // null: it did not match
};

// An object that matched a node: in some protocols, each message repeats the name of its sender and
// what that supports.
struct SchemaKnown {
  int node = -1;
  std::string text;
};

// Of the runs of one schema, each of which uses what the one before has used.
struct SchemaMemory {
  std::vector<uint64_t> seen;           // bits of the properties of the open objects
  std::vector<SchemaOutcome> outcomes;  // made when first needed
  std::vector<SchemaKnown> known;       // likewise; by node
  uint64_t runs = 0;
};

class SchemaRun {
 public:
  SchemaRun(const std::vector<SchemaNode>& nodes, SchemaMemory* memory, std::string_view text,
            std::vector<std::string_view>* read)
      : nodes_(nodes),
        seen_(memory->seen),
        outcomes_(memory->outcomes),
        known_(memory->known),
        read_(read),
        number_(++memory->runs),
        end_(text.data() + text.size()),
        effort_(kPlainEffort + kEffortPerByte * text.size()) {
    seen_.clear();
  }

  // Returns where the value ends; null: it does not match the node.
  const char* Check(int index, const char* at);

  bool gave_up() const { return gave_up_; }
  // Part of the value was not validated. The rest was.
  bool left_out() const { return left_out_; }
  SchemaViolation TakeViolation() {
    for (; !path_.empty(); path_.pop_back()) violation_.pointer += path_.back();
    return std::move(violation_);
  }

 private:
  // How many times a value may be validated against a node; more for longer texts. Nested
  // alternatives are tried repeatedly. Remembering a few hundred outcomes makes that linear except
  // in the worst cases, which this limit ends.
  static constexpr uint64_t kPlainEffort = 100'000;
  static constexpr uint64_t kEffortPerByte = 8;
  static constexpr size_t kOutcomes = 512;

  // Ambiguous alternatives are compared only so deep in each other, and so many of them: what a
  // value breaks is known without them.
  static constexpr int kMaxExploring = 16, kMaxExplored = 256;

  // Bytes that count as one validation, because many alternatives may read the same long text.
  static constexpr uint64_t kBytesSkipped = 64;
  static constexpr uint64_t kBytesHashed = 4;
  // Instructions of a pattern times bytes: up to 14 ns each where RE2 cannot cache its states.
  static constexpr uint64_t kPatternSteps = 64;

  const char* SkipBlanks(const char* at) const { return SkipJsonBlanks(at, end_); }
  const char* SkipString(const char* at) const {  // after its opening quote
    return SkipJsonString<JsonSyntax::kLenient>(at, end_);
  }
  // The same of a member's name; *escaped: it may have escapes.
  const char* SkipName(const char* at, bool* escaped) const {
    const char* const stop = FindInString(at, end_);
    *escaped = stop == end_ || *stop != '"';
    return *escaped ? SkipString(at) : stop + 1;
  }
  const char* SkipScalar(const char* at) const {
    return SkipJsonScalar<JsonSyntax::kLenient>(at, end_);
  }
  const char* Skip(const char* at) const { return SkipJsonValue(at, end_); }
  // Whether an alternative matches is not known then.
  void LeaveOut() { (quiet_ == 0 ? left_out_ : gave_up_) = true; }
  void Charge(uint64_t effort) {
    effort_ -= std::min(effort_, effort);
    if (effort_ == 0) gave_up_ = true;
  }
  const char* Charged(const char* from, const char* to) {
    effort_ -= std::min(effort_, static_cast<uint64_t>(to - from) / kBytesSkipped);
    return to;
  }
  // A schema that contains itself may need a hash of each level of a text.
  ValueHash Hashed(const char* from, const char* to) {
    Charge(static_cast<uint64_t>(to - from) / kBytesHashed);
    return gave_up_ ? ValueHash() : HashValue(Span(from, to));
  }
  bool MatchesPattern(const Pattern& pattern, std::string_view text) {
    Charge(1 + pattern.size() * text.size() / kPatternSteps);
    return !gave_up_ && pattern.Matches(text);
  }
  // More than the type of this value decides.
  void NoteRead(const char* from, const char* to) {
    if (read_ != nullptr) read_->push_back(Span(from, to));
  }
  static std::string_view Span(const char* from, const char* to) {
    return {from, static_cast<size_t>(to - from)};
  }

  const char* Break(const SchemaNode& node, std::string_view keyword,
                    std::string_view member = {}) {
    if (quiet_ == 0) {
      violation_.keyword = keyword;
      violation_.rule = node.rule;
      violation_.member = member;
    }
    return nullptr;
  }
  // Called while the recursion returns: the innermost step comes first.
  void AddStep(std::string_view quoted_name, size_t index) {
    if (quiet_ != 0) return;
    path_.push_back(PointerText({PathStep{quoted_name, index}}));
  }

  // Not inlined: otherwise each open call of Check needs the stack of all of them.
  [[gnu::noinline]] const char* CheckString(const SchemaNode& node, const char* at);
  [[gnu::noinline]] const char* CheckNumber(const SchemaNode& node, const char* at);
  [[gnu::noinline]] const char* CheckArray(const SchemaNode& node, const char* at);
  [[gnu::noinline]] const char* CheckObject(const SchemaNode& node, const char* at);
  // A member's value where the node has patternProperties. `described`: `schema` is the one of
  // "properties", else the additional one.
  [[gnu::noinline]] const char* CheckByPatterns(const SchemaNode& node, std::string_view name,
                                                bool described, int schema, const char* at);
  // `bits`: where those of the properties begin in seen_; `few`: the same of up to 64 properties.
  [[gnu::noinline]] bool CheckMembers(const SchemaNode& node, const char* at, size_t bits,
                                      uint64_t few, uint64_t count);
  [[gnu::noinline]] bool CheckEnum(const SchemaNode& node, const char* at, const char* stop);
  [[gnu::noinline]] bool CheckAlternatives(const SchemaNode& node, const char* at);
  [[gnu::noinline]] bool BreakAlternative(const SchemaNode& node, const std::vector<int>& all,
                                          std::string_view keyword, const char* at);
  int MeantAlternative(const std::vector<int>& all, const char* at) const;
  // How close an object or array comes to an alternative, the most important first.
  struct Fit {
    // -1: another type; 0: a member is none of its enum; 1: none has an enum; 2: each is one of its
    int members = 0;
    bool required = true;  // all required members are there
    size_t depth = 0;      // of the mismatch
    auto operator<=>(const Fit&) const = default;
  };
  [[gnu::noinline]] bool BreakNearest(const std::vector<int>& all, const char* at);
  Fit FitOf(const SchemaNode& node, const char* at);
  void AddMembers(const SchemaNode& node, const char* at, Fit* fit) const;
  bool HasItsConstants(const SchemaNode& node, const char* at) const;
  bool Matches(int index, const char* at) {
    ++quiet_;
    const bool matches = Check(index, at) != nullptr;
    --quiet_;
    return matches;
  }
  SchemaOutcome& OutcomeOf(int index, const char* at) {
    if (outcomes_.empty()) outcomes_.resize(kOutcomes);
    const uint64_t key = reinterpret_cast<uintptr_t>(at) * 31 + static_cast<uint64_t>(index);
    return outcomes_[(key * 0x9e3779b97f4a7c15 >> 32) % kOutcomes];
  }
  // Whether the object at `at` is the same text as the one that matched the node last. A node whose
  // objects differ is not asked again.
  static constexpr size_t kKnown = 16, kMaxKnown = 1024;
  static constexpr uint8_t kMaxDiffered = 16;
  SchemaKnown& KnownOf(const SchemaNode& node) {
    if (known_.empty()) known_.resize(kKnown);
    return known_[static_cast<size_t>(&node - nodes_.data()) % kKnown];
  }
  const char* Known(const SchemaNode& node, const char* at) {
    if (read_ != nullptr) return nullptr;  // what is in it must be noted
    if (node.differed >= kMaxDiffered) return nullptr;
    const SchemaKnown& known = KnownOf(node);
    const size_t size = known.text.size();
    if (known.node == &node - nodes_.data() && static_cast<size_t>(end_ - at) >= size &&
        std::memcmp(at, known.text.data(), size) == 0) {
      node.differed = 0;
      return at + size;
    }
    ++node.differed;
    return nullptr;
  }
  void Remember(const SchemaNode& node, const char* from, const char* to) {
    const auto size = static_cast<size_t>(to - from);
    if (node.differed >= kMaxDiffered || size > kMaxKnown || left_out_) return;
    SchemaKnown& known = KnownOf(node);
    known.node = static_cast<int>(&node - nodes_.data());
    known.text.assign(from, size);
  }
  // Its index, or -1.
  static int FindProperty(const SchemaNode& node, std::string_view name, size_t expected) {
    const auto& all = node.properties;
    if (expected < all.size() && all[expected].name == name) return static_cast<int>(expected);
    if (all.empty()) return -1;
    const size_t mask = node.slots.size() - 1;
    for (size_t slot = NameHash(name) & mask; node.slots[slot] != 0; slot = (slot + 1) & mask) {
      const uint32_t found = node.slots[slot] - 1;
      if (all[found].name == name) return static_cast<int>(found);
    }
    return -1;
  }

  const std::vector<SchemaNode>& nodes_;
  std::vector<uint64_t>& seen_;
  std::vector<SchemaOutcome>& outcomes_;
  std::vector<SchemaKnown>& known_;
  std::vector<std::string_view>* const read_;
  const uint64_t number_;
  const char* const end_;
  uint64_t effort_;
  bool gave_up_ = false, left_out_ = false;
  int open_ = 0;
  int exploring_ = 0, explored_ = 0;
  int quiet_ = 0;  // above 0: inside an alternative, where a mismatch is no violation
  SchemaViolation violation_;
  std::vector<std::string> path_;
};

}  // namespace midwire::wire
