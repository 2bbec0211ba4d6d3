// The top level of a payload that travels as base64: JSON, or MessagePack
// (github.com/msgpack/msgpack/blob/master/spec.md), which snapshots of ainb plugins consist of.
// Used by rules that look into payloads (check/rules/chunks.cc); never decodes below the first
// level.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace midwire::trace {

// Members of a map that are kept: those that describe the payload come first and are few.
inline constexpr size_t kMaxPayloadMembers = 256;

// For a JSON string (with its quotes) of base64: the JSON object in it. For a MessagePack map: an
// object of those members that are a name with an integer, a bool, nil or a string. Nothing if it
// is neither or is cut off.
std::optional<std::string> TopOfPayload(std::string_view quoted);
// The same for MessagePack itself.
std::optional<std::string> TopOfMessagePack(std::string_view bytes);

}  // namespace midwire::trace
