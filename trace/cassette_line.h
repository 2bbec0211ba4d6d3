// Parses one line of a cassette: the bytes that it holds, and the segments in which they came.
// Called by the cassette reader; does not read files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/record.h"

namespace midwire::trace {

struct CassetteSegment {
  Stream stream = Stream::kEvents;
  Hint hint = Hint::kJson;
  int64_t time_ns = 0;
  size_t size = 0;  // head included; at most kMaxSegment
  size_t head = 0;
  bool more = false;  // the record continues in the next line of its stream
};

struct CassetteLine {
  enum class Kind : uint8_t { kHeader, kItem, kUnknown } kind = Kind::kUnknown;
  int version = 0;       // of a header
  int64_t start_ns = 0;  // of a header
  // Of a header: its other members, as an event to pass on; "" if none. Of an item: its bytes.
  std::string bytes;
  std::vector<CassetteSegment> segments;  // of an item; their sizes add up to the bytes
};

// Times in lines are relative to the header's start. A line without a time (written by hand) has
// the time of the line before it.
struct CassetteClock {
  int64_t start_ns = 0;
  int64_t latest_ns = 0;
};

// Returns nullptr, or why the line is damaged. kUnknown: the line holds nothing that this version
// knows and is to be skipped.
const char* ParseCassetteLine(std::string_view text, const CassetteClock& clock,
                              CassetteLine* line);

}  // namespace midwire::trace
