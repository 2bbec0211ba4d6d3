// Which items of two arrays are the same ones: objects that have a name, an id or a uri. Only for
// the description of a difference; whether arrays are the same is decided in compare.h. Called by
// the message comparer. Has no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace midwire::replay {

// Longer arrays are not aligned: a list of their changes is not read.
inline constexpr size_t kMaxAligned = 4096;
inline constexpr size_t kUnaligned = SIZE_MAX;

struct AlignedArray {
  struct Item {
    std::string_view value;       // the object
    std::string_view name;        // what names it, JSON as spelled
    size_t partner = kUnaligned;  // its index in the other array
    bool moved = false;           // its order among those of both arrays is another one
  };
  std::string_view member;  // what names the items, with quotes
  std::vector<Item> expected, got;
};

// The arrays without blanks around them. All items of both have to be objects with a string or an
// integer of their own as `name`, or else `id`, or else `uri`. Nullopt: they do not, or have none
// of these values in common, or all they have in common are in the same places of equally long
// arrays.
std::optional<AlignedArray> Align(std::string_view expected, std::string_view got);

}  // namespace midwire::replay
