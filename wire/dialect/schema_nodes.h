// A compiled schema: an array of nodes that name each other by index, so that a schema may contain
// itself. Written by SchemaCompiler; read by SchemaRun (to validate), schema_text.cc (to describe)
// and schema_words.cc (to list names and values for fuzzing). Never used outside wire/dialect.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/pattern.h"
#include "wire/dialect/schema.h"
#include "wire/dialect/schema_reference.h"
#include "wire/json/hash.h"
#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

enum TypeBit : uint8_t {
  kNullBit = 1,
  kBoolBit = 2,
  kIntegerBit = 4,
  kFractionBit = 8,
  kStringBit = 16,
  kArrayBit = 32,
  kObjectBit = 64,
  kAnyType = 127,
};

// In place of a node's index.
inline constexpr int kAnything = -1;
inline constexpr int kForbidden = -2;

struct SchemaProperty {
  std::string name;
  bool described = false;  // in "properties"; else only required or depended on
  bool required = false;
  int schema = kAnything;
  mutable uint32_t next = 0;  // see SchemaNode::first
};

struct SchemaPatternProperty {
  std::shared_ptr<const Pattern> name;
  int schema = kAnything;
};

struct SchemaDependency {
  uint32_t property = 0;         // an object that has this one
  std::vector<uint32_t> others;  // must have these
  int schema = kAnything;        // and match this
};

struct SchemaNode {
  std::string rule;  // pointer
  uint8_t types = kAnyType;
  bool whole = false;     // 1.0 is an integer (draft 6 and later)
  bool anything = true;   // requires nothing at all
  bool lengths = false;   // has minLength or maxLength
  bool in_place = false;  // has allOf, anyOf, oneOf, not or if
  bool has_enum = false;
  std::vector<std::string> strings;  // of the enum, unescaped, sorted
  std::vector<ValueHash> others;     // of the enum, sorted
  std::vector<std::string> spelt;    // the whole enum in order, as JSON

  std::string minimum, maximum, multiple_of;  // empty: none
  bool exclusive_minimum = false, exclusive_maximum = false;
  uint64_t min_length = 0, max_length = UINT64_MAX;
  std::shared_ptr<const Pattern> pattern;  // null: none

  int items = kAnything;  // of each element beyond the tuple
  std::vector<int> tuple;
  std::string_view items_keyword = "items";  // forbids an element beyond the tuple
  uint64_t min_items = 0, max_items = UINT64_MAX;
  bool unique = false;
  int contains = kAnything;  // of so many elements
  uint64_t min_contains = 1, max_contains = UINT64_MAX;

  std::vector<SchemaProperty> properties;
  std::vector<uint32_t> slots;  // open hash of properties: index + 1; size a power of two
  std::vector<SchemaPatternProperty> pattern_properties;
  // The property that came first in the latest object, and next after each: guesses that save a
  // look-up, because a sender keeps its order.
  mutable uint32_t first = 0;
  // Objects in a row that were not the same text as the one before (SchemaRun::Known).
  mutable uint8_t differed = 0;
  bool any_required = false;
  uint64_t required_bits = 0;  // of the first 64 properties
  bool any_members = false;    // no keyword is about members: they need not be read
  int additional = kAnything;
  uint64_t min_properties = 0, max_properties = UINT64_MAX;
  int names = kAnything;  // of each member's name
  std::vector<SchemaDependency> dependencies;

  std::vector<int> all_of, any_of, one_of;
  int not_this = kAnything;
  int condition = kAnything, then_this = kAnything, else_this = kAnything;
};

// std::hash, because colliding names are hard to construct for it.
inline uint32_t NameHash(std::string_view name) {
  return static_cast<uint32_t>(std::hash<std::string_view>()(name));
}

// Compiles a schema, of the draft that its "$schema" names; node 0 is its root.
Result<std::vector<SchemaNode>> CompileNodes(const Json& schema, const Json* definitions,
                                             PatternCache* patterns);

// Describes for people what a keyword of the node requires.
std::string DescribeNode(const std::vector<SchemaNode>& nodes, const SchemaNode& node,
                         std::string_view keyword);
// "a string, 5 or null".
std::string EitherText(const std::vector<std::string>& all);

SchemaWords WordsOf(const std::vector<SchemaNode>& nodes);

// How deep alternatives of the same value may nest, references included. Real schemas have three
// levels. Bounds the call stack, together with kMaxLooseDepth.
inline constexpr int kMaxInPlace = 16;

}  // namespace midwire::wire
