// What a payload that travels as base64 says at its top: JSON, or MessagePack
// (github.com/msgpack/msgpack/blob/master/spec.md), which snapshots of ainb plugins are made of.
// For rules that look into one (check_chunks.cc); never decodes what lies below the first level.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace midwire::trace {

// Members of a map that are kept: the ones that tell about the payload come first and are few.
inline constexpr size_t kMaxPayloadMembers = 256;

// Of a JSON string (with its quotes) of base64: the JSON object that it holds; or, of a MessagePack
// map, an object of those members that are a name with an integer, a bool, nil or a string.
// Nothing: it is neither, or is cut off.
std::optional<std::string> TopOfPayload(std::string_view quoted);
// Of MessagePack itself.
std::optional<std::string> TopOfMessagePack(std::string_view bytes);

}  // namespace midwire::trace
