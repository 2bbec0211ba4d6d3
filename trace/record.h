// What a trace consists of: records in the order in which they were written. Both formats, tape and
// cassette, are read and written as records. Frames are derived from them by wire::Decoder and
// never stored.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "wire/exchange.h"

namespace midwire::trace {

// Also the tape's interface numbers, in this order.
enum class Stream : uint8_t { kHostToPlugin = 0, kPluginToHost = 1, kStderr = 2, kEvents = 3 };
inline constexpr int kStreams = 4;
constexpr std::string_view Name(Stream stream) {
  constexpr std::string_view kNames[] = {"host-to-plugin", "plugin-to-host", "stderr", "events"};
  return kNames[static_cast<int>(stream)];
}

constexpr Stream StreamOf(wire::Direction d) {
  return d == wire::Direction::kHostToPlugin ? Stream::kHostToPlugin : Stream::kPluginToHost;
}

// What a segment holds, as far as it was known when it was written: a hint for dissectors (tshark),
// not for readers of the trace. A tape writes stderr as text and events as JSON, regardless of the
// record's hint, to distinguish the two.
enum class Hint : uint8_t { kJson, kText };

// The bytes of a record from `at` on are in this line of the cassette, from 1.
struct LinePlace {
  uint64_t at = 0;
  uint64_t line = 0;
};

// A segment of a direction, a piece of stderr, or one event (a JSON object, see event.h). The views
// belong to the object that returned the record and are valid until its next call.
struct Record {
  Stream stream = Stream::kEvents;
  Hint hint = Hint::kJson;
  int64_t time_ns = 0;    // Unix time, nanoseconds
  std::string_view head;  // framing header bytes that came in this segment
  std::string_view body;  // the bytes after it; the segment is head + body
  // In order; several if one segment held several messages. Empty: read from a tape.
  std::span<const LinePlace> lines = {};
};

// The largest segment. tshark 4.0 refuses captured lengths above 262,144 on this link type; a pipe
// returns at most 64 KiB by default.
inline constexpr size_t kMaxSegment = 64 * 1024;

}  // namespace midwire::trace
