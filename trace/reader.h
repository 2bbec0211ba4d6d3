// Reads either format as a sequence of records. Called by Play (session.h), by the writers that
// convert a trace, and by redact. Damage never stops it: what cannot be read is skipped and
// reported with its size. A growing tape can be followed: kWait now, more later.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "trace/record.h"
#include "trace/source.h"
#include "wire/outcome/result.h"

namespace midwire::trace {

struct Damage {
  uint64_t offset = 0;  // in the file
  uint64_t bytes = 0;   // skipped
  std::string reason;
  uint64_t line = 0;  // of a cassette, from 1; 0: of a tape

  // "line 12" or "offset 345": where people find it.
  std::string Place() const {
    return line != 0 ? "line " + std::to_string(line) : "offset " + std::to_string(offset);
  }
};

enum class Step : uint8_t {
  kRecord,   // *record is filled
  kSection,  // a new session begins (another section header, or a second cassette header)
  kDamage,   // see damage(); every stream may have a gap here
  kWait,     // nothing more for now; at the end of a file that no longer grows, this is the end
};

class TraceReader {
 public:
  virtual ~TraceReader() = default;
  virtual Result<Step> Next(Record* record) = 0;
  virtual const Damage& damage() const = 0;  // the latest
  // After the last kWait: bytes of an unfinished record at the end (the writer was killed; not
  // reported as damage), and the sum of all damage reported.
  virtual uint64_t torn_bytes() const = 0;
  virtual uint64_t damaged_bytes() const = 0;
};

enum class Format : uint8_t { kTape, kCassette };

// Detects the format from the first bytes. Fails if the source cannot be read or has neither
// format.
Result<std::unique_ptr<TraceReader>> OpenTrace(std::unique_ptr<Source> source);
Result<std::unique_ptr<TraceReader>> OpenTrace(const std::string& path);

}  // namespace midwire::trace
