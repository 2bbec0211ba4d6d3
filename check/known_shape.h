// A message that was checked, kept so that a later one of the same shape is recognized. That has
// the same members, in the same order and spelling, with values of the same types. Most messages of
// a session are like an earlier one of their method. Of such a message only what differs is read,
// and only the rules to which that matters see it. Called by Checker, which keeps a few per method.
// Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/rules/rule.h"
#include "wire/exchange.h"
#include "wire/message.h"

namespace midwire::check {

// What else must be the same.
struct ShapeKey {
  wire::Kind kind = wire::Kind::kInvalid;
  wire::Direction direction = wire::Direction::kHostToPlugin;
  uint16_t flags = 0;   // of wire::Message
  bool paired = false;  // an answer whose request was seen
  bool operator==(const ShapeKey&) const = default;
};

class KnownShape {
 public:
  // Longer texts are mostly strings, which are read quickly, or lists, whose lengths differ.
  static constexpr size_t kMaxText = 4096;
  // A protocol has hundreds of methods, and a hostile peer can fill the memory for all.
  static constexpr size_t kMaxScalars = 256;

  // `text` is loose JSON that begins with '{', and `values` has what is in it; no name is repeated.
  // False: it has too many values, and nothing is known now.
  bool Learn(const ShapeKey& key, std::string_view text, const PlaceValues& values);
  // Whether `text` has this shape. If so, it is loose JSON too; Fill and changed are about it.
  bool Matches(const ShapeKey& key, std::string_view text);
  // What the text has at each node.
  void Fill(std::string_view text, PlaceValues* values) const;

  // The rules of messages with this shape, in order.
  struct Reader {
    uint32_t rule;
    bool always;  // else only if a value with the bit has changed, or the state of the rule
    bool stateful;
    uint64_t bit, state;
  };
  bool has_readers(uint64_t epoch) const { return epoch_ == epoch; }
  std::vector<Reader>& readers() { return readers_; }
  // The text that was learned.
  const std::string& text() const { return text_; }
  // The bits of values that the text has otherwise than the one that the rules have seen.
  uint64_t changed() const { return changed_; }
  // Starts over. They hold in this epoch only.
  void StartReaders(uint64_t epoch);
  void AddReader(uint32_t rule) { readers_.push_back({rule, true, false, 0, 0}); }
  // A rule that reads only this of `text`, which has this shape. Where that is nothing, it need not
  // see a message of this shape at all.
  void AddReader(uint32_t rule, std::string_view text, const RuleReads& reads, uint64_t state);
  void DropReaders() { epoch_ = 0; }

 private:
  // A string or a number. Other values are compared with the text around them.
  struct Scalar {
    uint32_t from, to;
    bool number, fraction;
    uint64_t bits;
  };
  struct Place {
    uint32_t node, from, to;
  };
  // A scalar that the latest text has otherwise: where it ended, and how far what follows it has
  // moved.
  struct Difference {
    uint32_t to;
    int64_t shift;
  };
  class Sink;
  static const char* EndOf(const Scalar& scalar, const char* at, const char* end);

  ShapeKey key_;
  std::string text_;
  std::vector<Scalar> scalars_;
  std::vector<Place> places_;  // by `from`
  std::vector<Difference> differences_;
  std::vector<Reader> readers_;
  uint64_t epoch_ = 0;  // 0: readers_ are not known
  uint64_t changed_ = 0;
  unsigned bits_ = 0;  // that have been given to readers
};

// Those of one method.
class KnownShapes {
 public:
  // The one of this text; null: it is a new one.
  KnownShape* Find(const ShapeKey& key, std::string_view text);
  // To learn the shape of a text that has none; null: it is not worth it. Learning takes about as
  // long as two messages of a known shape save. *left: how many further shapes a checker may keep.
  KnownShape* Next(std::string_view text, size_t* left);
  void DropReaders();

 private:
  // A method that calls tools has a shape for each of them.
  static constexpr size_t kShapes = 16;
  static constexpr int kMostCredit = 32, kPrice = 2;
  // Misses in a row after which only one message in kSometimes is looked up.
  static constexpr uint64_t kManyMisses = 32, kSometimes = 16;
  bool asleep() const { return misses_ > kManyMisses && misses_ % kSometimes != 0; }

  std::vector<KnownShape> shapes_;
  std::vector<size_t> after_;         // by shape: the one that came after it
  size_t latest_ = 0, replaced_ = 0;  // found or learned last; by a new one
  uint64_t misses_ = 0;               // in a row
  int credit_ = 8;
};

}  // namespace midwire::check
