// One pcapng block, taken apart in place: is it well formed, and which record does it hold. Used by
// the tape reader; knows nothing of files, buffers or what to do about damage.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "trace/pcapng_format.h"
#include "trace/record.h"

namespace midwire::trace {

// What a section's interface description says that matters for reading: how times are to be taken.
struct TapeInterface {
  uint8_t resolution = pcapng::kNanoseconds;  // if_tsresol as it stands
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

// Blocks are held whole in memory, so a claimed length above this is damage. Ours are below 67 KiB;
// Wireshark's own are below its snap length of 256 KiB.
inline constexpr size_t kMaxBlock = 1u << 20;
// A record's block is below this: a segment, its tags, the packet header and the options, with room
// for options of others. While looking for the next block, longer ones are not believed.
inline constexpr size_t kMaxRecordBlock = kMaxSegment + 2048;

// Interfaces of a section that are remembered; those beyond are damage. We write 4; merged captures
// have some dozens.
inline constexpr size_t kMaxInterfaces = 256;

// How much of a block can be told from `bytes`, which begin with it.
struct BlockShape {
  enum class State : uint8_t { kWhole, kUnfinished, kBroken } state = State::kUnfinished;
  uint32_t type = 0;
  uint32_t length = 0;
  const char* reason = "";  // of kBroken
};

// Type, length, and the length again at the end. A section header's own byte order is `*order`
// after.
BlockShape ShapeOf(std::string_view bytes, ByteOrder* order);

// The whole packet block as a record; nullptr, or why it is none. Verifies the CRC if there is one.
const char* ParsePacket(std::string_view block, ByteOrder order,
                        const std::vector<TapeInterface>& interfaces, Record* record,
                        bool* verified);

// The whole interface description block; nullptr, or what is wrong with it.
const char* ParseInterface(std::string_view block, ByteOrder order, TapeInterface* to);

}  // namespace midwire::trace
