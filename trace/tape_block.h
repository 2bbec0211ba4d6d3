// Parses one pcapng block in place: whether it is well formed, and which record it holds. Used by
// the tape reader; does not read files, own buffers or handle damage.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "trace/pcapng_format.h"
#include "trace/record.h"

namespace midwire::trace {

// The parts of an interface description that matter for reading: how to convert times.
struct TapeInterface {
  uint8_t resolution = pcapng::kNanoseconds;  // if_tsresol, unconverted
  int64_t offset_s = 0;                       // if_tsoffset
};

// The numbers of a block in the byte order of its section.
class ByteOrder {
 public:
  explicit ByteOrder(bool swapped = false) : swapped_(swapped) {}
  uint16_t Load16(const char* from) const {
    uint16_t value;
    std::memcpy(&value, from, 2);
    return swapped_ ? __builtin_bswap16(value) : value;
  }
  uint32_t Load32(const char* from) const {
    uint32_t value;
    std::memcpy(&value, from, 4);
    return swapped_ ? __builtin_bswap32(value) : value;
  }

 private:
  bool swapped_;
};

// Blocks are held whole in memory, so a longer claimed length is damage. Midwire's blocks are below
// 67 KiB; Wireshark's are below its snap length of 256 KiB.
inline constexpr size_t kMaxBlock = 1u << 20;
// A record's block is shorter than this: a segment, its tags, the packet header, and the options,
// with room for those of other programs. The search for the next block ignores longer ones.
inline constexpr size_t kMaxRecordBlock = kMaxSegment + 2048;

// The interfaces of a section that are remembered; more are damage. Midwire writes 4; merged
// captures have dozens.
inline constexpr size_t kMaxInterfaces = 256;

// What can be determined about a block from `bytes`, which begin with it.
struct BlockShape {
  enum class State : uint8_t { kWhole, kUnfinished, kBroken } state = State::kUnfinished;
  uint32_t type = 0;
  uint32_t length = 0;
  const char* reason = "";  // of kBroken
};

// Reads the type, the length and the length again at the end. A section header sets *order to its
// own byte order.
BlockShape ShapeOf(std::string_view bytes, ByteOrder* order);

// Parses a whole packet block. Returns nullptr, or why it is not a record. Verifies the CRC if
// there is one.
const char* ParsePacket(std::string_view block, ByteOrder order,
                        const std::vector<TapeInterface>& interfaces, Record* record,
                        bool* verified);

// Parses a whole interface description block. Returns nullptr, or what is wrong with it.
const char* ParseInterface(std::string_view block, ByteOrder order, TapeInterface* to);

}  // namespace midwire::trace
