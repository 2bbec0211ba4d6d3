// One line of a cassette, taken apart: the bytes it stands for, and the segments they came in. Used
// by the cassette reader; knows nothing of files.
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
  bool more = false;  // the record goes on in the next line of its stream
};

struct CassetteLine {
  enum class Kind : uint8_t { kHeader, kItem, kUnknown } kind = Kind::kUnknown;
  int version = 0;       // of a header
  int64_t start_ns = 0;  // of a header
  // Of a header: what else it holds, as an event to pass on; "" if nothing. Of an item: its bytes.
  std::string bytes;
  std::vector<CassetteSegment> segments;  // of an item; their sizes add up to the bytes
};

// Times in lines are relative to the header's start; a line without one (written by hand) gets that
// of the line before it.
struct CassetteClock {
  int64_t start_ns = 0;
  int64_t latest_ns = 0;
};

// Returns nullptr, or why the line is damaged. kUnknown: nothing in it that this version knows, to
// be skipped.
const char* ParseCassetteLine(std::string_view text, const CassetteClock& clock,
                              CassetteLine* line);

}  // namespace midwire::trace
