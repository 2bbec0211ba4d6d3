// Picks a random value of a JSON text as a span: no document is built, so all other bytes stay as
// they are. Called by the mutators. One pass without recursion or a stack. Takes any bytes; in a
// text that is not JSON it finds what looks like values.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "fuzz/random.h"
#include "fuzz/span.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {

struct Node {
  size_t at = 0, size = 0;
  size_t name_at = 0, name_size = 0;  // of a member, with its quotes
  wire::JsonType type = wire::JsonType::kNull;
  bool root = false;

  bool member() const { return name_size != 0; }
  bool element() const { return !member() && !root; }
  size_t end() const { return at + size; }
  std::string_view text(std::string_view in) const { return in.substr(at, size); }
  std::string_view name(std::string_view in) const { return in.substr(name_at, name_size); }
};

// Which values may be picked: bits of types, and of places.
constexpr unsigned Of(wire::JsonType type) { return 1u << static_cast<int>(type); }
inline constexpr unsigned kScalars = Of(wire::JsonType::kNull) | Of(wire::JsonType::kBool) |
                                     Of(wire::JsonType::kNumber) | Of(wire::JsonType::kString);
inline constexpr unsigned kContainers = Of(wire::JsonType::kArray) | Of(wire::JsonType::kObject);
inline constexpr unsigned kAnyType = kScalars | kContainers;
inline constexpr unsigned kRoot = 1u << 8, kMember = 1u << 9, kElement = 1u << 10;
inline constexpr unsigned kInside = kMember | kElement, kAnyPlace = kInside | kRoot;

// Picks each candidate with equal probability. `name`: only members of that name, as spelled.
std::optional<Node> PickNode(std::string_view text, unsigned types, unsigned places, Random* random,
                             std::string_view name = {});

// A member or an element with the comma that is removed together with it.
Span WithComma(std::string_view text, const Node& node);

// The number of members or elements, up to `most`; and the one at `index`, as spans of `container`.
size_t CountParts(std::string_view container, size_t most);

}  // namespace midwire::fuzz
