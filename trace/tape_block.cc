#include "trace/tape_block.h"

#include <libdeflate.h>

#include <algorithm>
#include <limits>

namespace midwire::trace {
namespace {

using namespace pcapng;

uint16_t LoadBig16(const char* from) {
  return static_cast<uint16_t>(static_cast<unsigned char>(from[0]) << 8 |
                               static_cast<unsigned char>(from[1]));
}

// Calls on_option(code, value) for each. False: an option runs over the end of the block.
template <typename OnOption>
bool ForEachOption(std::string_view options, ByteOrder order, OnOption on_option) {
  const char* p = options.data();
  const char* end = p + options.size();
  while (end - p >= 4) {
    uint16_t code = order.Load16(p), size = order.Load16(p + 2);
    p += 4;
    if (code == kEndOfOptions) return true;
    if (static_cast<size_t>(end - p) < Padded(size)) return false;
    on_option(code, std::string_view(p, size));
    p += Padded(size);
  }
  return p == end;
}

__extension__ typedef __int128 Wide;  // 64-bit ticks times 10^9

// Ticks of an interface to Unix nanoseconds; a time out of range becomes the nearest that fits.
int64_t ToNanoseconds(uint64_t ticks, const TapeInterface& interface) {
  if (interface.resolution == kNanoseconds && interface.offset_s == 0) {
    return static_cast<int64_t>(ticks);
  }
  constexpr Wide kSecond = 1'000'000'000;
  Wide value = static_cast<Wide>(ticks) * kSecond;
  unsigned exponent = interface.resolution & 0x7F;
  if (interface.resolution & 0x80) {
    value = exponent < 120 ? value >> exponent : 0;
  } else {
    for (; exponent > 0 && value > 0; --exponent) value /= 10;
  }
  value += static_cast<Wide>(interface.offset_s) * kSecond;
  constexpr Wide kLatest = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::max(-kLatest, std::min(value, kLatest)));
}

// The exported-PDU tags in front of a segment: they identify the stream. Nullptr, or what is wrong.
const char* ParseSegment(std::string_view packet, Record* record) {
  const char* p = packet.data();
  const char* end = p + packet.size();
  std::string_view dissector;
  int direction = -1;
  record->head = {};
  for (;;) {
    if (end - p < 4) return "the tags of a record exceed the record";
    uint16_t tag = LoadBig16(p), size = LoadBig16(p + 2);
    p += 4;
    if (tag == kTagEnd) break;
    if (end - p < size) return "the tags of a record exceed the record";
    if (tag == kTagHead) {
      record->head = std::string_view(p, size);
    } else if (tag == kTagDissector) {
      dissector = std::string_view(p, size);
    } else if (tag == kTagDirection && size == 4) {
      direction = p[3];
    }
    p += size;
  }
  record->body = std::string_view(p, end - p);
  if (record->head.size() + record->body.size() > kMaxSegment)
    return "a segment larger than 64 KiB";

  auto is = [dissector](std::string_view name) {  // padded with NULs
    return dissector.size() == Padded(name.size()) && dissector.substr(0, name.size()) == name;
  };
  if (is(kDissectorJson)) {
    record->hint = Hint::kJson;
  } else if (is(kDissectorText)) {
    record->hint = Hint::kText;
  } else {
    return "a packet that is not a midwire record";
  }
  switch (direction) {
    case kSent:
      record->stream = Stream::kHostToPlugin;
      return nullptr;
    case kReceived:
      record->stream = Stream::kPluginToHost;
      return nullptr;
    case -1:
      record->stream = record->hint == Hint::kJson ? Stream::kEvents : Stream::kStderr;
      return nullptr;
  }
  return "a packet that is not a midwire record";
}

}  // namespace

BlockShape ShapeOf(std::string_view bytes, ByteOrder* order) {
  using State = BlockShape::State;
  BlockShape shape;
  if (bytes.size() < kBlockOverhead) return shape;
  ByteOrder own = *order;
  shape.type = own.Load32(bytes.data());
  if (shape.type == kSectionHeader) {
    uint32_t magic = ByteOrder().Load32(bytes.data() + 8);
    own = ByteOrder(magic != kByteOrderMagic);
    if (own.Load32(bytes.data() + 8) != kByteOrderMagic) {
      shape.state = State::kBroken;
      shape.reason = "a section header without its byte-order magic";
      return shape;
    }
  }
  shape.length = own.Load32(bytes.data() + 4);
  size_t least = shape.type == kSectionHeader ? 28 : kBlockOverhead;
  if (shape.length < least || shape.length % 4 != 0 || shape.length > kMaxBlock) {
    shape.state = State::kBroken;
    shape.reason = "an impossible block length";
    return shape;
  }
  if (bytes.size() < shape.length) return shape;
  if (own.Load32(bytes.data() + shape.length - 4) != shape.length) {
    shape.state = State::kBroken;
    shape.reason = "a block whose two lengths differ";
    return shape;
  }
  if (shape.type == kSectionHeader) *order = own;
  shape.state = State::kWhole;
  return shape;
}

const char* ParsePacket(std::string_view block, ByteOrder order,
                        const std::vector<TapeInterface>& interfaces, Record* record,
                        bool* verified) {
  *verified = false;
  constexpr size_t kLeast = kBlockOverhead + kPacketHeader;
  if (block.size() < kLeast) return "a packet block without its header";
  const char* p = block.data();
  uint32_t captured = order.Load32(p + 20);
  size_t room = block.size() - kLeast;
  if (captured > room || Padded(captured) > room) return "a packet longer than its block";
  // Also prevents a damaged length from hiding the CRC behind it.
  if (order.Load32(p + 24) != captured)
    return "a packet that was cut, or whose lengths are damaged";
  std::string_view packet = block.substr(8 + kPacketHeader, captured);
  std::string_view options = block.substr(8 + kPacketHeader + Padded(captured));
  options.remove_suffix(4);

  bool matches = true;
  bool ended = ForEachOption(options, order, [&](uint16_t code, std::string_view value) {
    if (code != kPacketHash || value.size() != 5 || value[0] != kCrc32) return;
    matches = order.Load32(value.data() + 1) == libdeflate_crc32(0, packet.data(), packet.size());
    *verified = matches;
  });
  if (!ended) return "the options of a packet exceed its block";
  if (!matches) return "a packet whose CRC32 does not match";

  uint64_t ticks = static_cast<uint64_t>(order.Load32(p + 12)) << 32 | order.Load32(p + 16);
  uint32_t number = order.Load32(p + 8);
  record->time_ns =
      ToNanoseconds(ticks, number < interfaces.size() ? interfaces[number] : TapeInterface());
  return ParseSegment(packet, record);
}

const char* ParseInterface(std::string_view block, ByteOrder order, TapeInterface* to) {
  constexpr size_t kHeader = 8 + 8;
  *to = TapeInterface();
  if (block.size() < kHeader + 4) return "an interface without its header";
  uint8_t resolution = 6;  // microseconds unless specified (pcapng, if_tsresol)
  int64_t offset_s = 0;
  std::string_view options = block.substr(kHeader, block.size() - kHeader - 4);
  bool ended = ForEachOption(options, order, [&](uint16_t code, std::string_view value) {
    if (code == kInterfaceResolution && value.size() == 1) resolution = value[0];
    if (code == kInterfaceOffset && value.size() == 8) {
      uint64_t first = order.Load32(value.data()), second = order.Load32(value.data() + 4);
      bool low_first = order.Load16("\x01\0") == 1;
      offset_s = static_cast<int64_t>(low_first ? second << 32 | first : first << 32 | second);
    }
  });
  if (!ended) return "the options of an interface exceed its block";
  *to = {resolution, offset_s};
  return nullptr;
}

}  // namespace midwire::trace
