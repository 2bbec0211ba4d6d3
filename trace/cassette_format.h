// Names and limits of the cassette format: doc/trace-format.md in code. Used only by the cassette's
// writer and reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "wire/exchange.h"
#include "wire/framing.h"

namespace midwire::trace::cassette {

inline constexpr int kVersion = 1;
// Each cassette that midwire writes starts with this; OpenTrace recognises it by it.
inline constexpr std::string_view kMagic = "{\"midwire\":\"cassette\"";

// The header's members that this version knows. Others are kept and passed on.
constexpr bool IsHeaderName(std::string_view name) {
  return name == "midwire" || name == "version" || name == "start";
}

// A larger frame is written in parts, on several lines, so that a frame does not grow the memory.
// Real messages above this are rare, and awkward to read with jq.
inline constexpr size_t kMaxPending = 1u << 20;
// For the same reason, a frame in more segments than this (a peer that writes byte by byte).
inline constexpr size_t kMaxPieces = 4096;
// A longer line is damage. The writer's longest is below 7 MiB: kMaxPending and a last segment, six
// bytes for each byte if all must be escaped, and the list of pieces.
inline constexpr size_t kMaxLine = 8u << 20;

constexpr std::string_view NameOfPeer(wire::Direction from) {
  return from == wire::Direction::kHostToPlugin ? "host" : "plugin";
}

// The head and tail of a frame unless its line has others.
inline std::string UsualHead(wire::Framing framing, size_t body_size) {
  if (framing != wire::Framing::kContentLength) return "";
  return "Content-Length: " + std::to_string(body_size) + "\r\n\r\n";
}
constexpr std::string_view UsualTail(wire::Framing framing) {
  return framing == wire::Framing::kContentLength ? "" : "\n";
}

// "2026-11-21T10:45:00.000000001Z" and back. Text, because JSON tools round numbers above 2^53.
std::string FormatTime(int64_t time_ns);
bool ParseTime(std::string_view text, int64_t* time_ns);

}  // namespace midwire::trace::cassette
