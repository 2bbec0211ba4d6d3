#include "trace/tape_encoder.h"

#include <libdeflate.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "trace/pcapng_format.h"

namespace midwire::trace {
namespace {

using namespace pcapng;

// Tapes are little-endian, as is practically every machine that Debian builds for.
static_assert(std::endian::native == std::endian::little);

char* Put16(char* to, uint16_t value) { return static_cast<char*>(std::memcpy(to, &value, 2)) + 2; }
char* Put32(char* to, uint32_t value) { return static_cast<char*>(std::memcpy(to, &value, 4)) + 4; }
char* PutBig16(char* to, uint16_t value) { return Put16(to, __builtin_bswap16(value)); }

void Append32(uint32_t value, std::string* out) {
  char bytes[4];
  Put32(bytes, value);
  out->append(bytes, 4);
}

void AppendOption(uint16_t code, std::string_view value, std::string* out) {
  char header[4];
  Put16(Put16(header, code), static_cast<uint16_t>(value.size()));
  out->append(header, 4);
  out->append(value);
  out->append(Padded(value.size()) - value.size(), '\0');
}

void AppendBlock(uint32_t type, std::string_view body, std::string* out) {
  uint32_t length = static_cast<uint32_t>(body.size() + kBlockOverhead);
  Append32(type, out);
  Append32(length, out);
  out->append(body);
  Append32(length, out);
}

// The tags that all segments of a stream share. Constant, so that a record costs one memcpy.
struct Prefix {
  char bytes[32];
  size_t size;
};

constexpr size_t kHints = 2;

Prefix MakePrefix(Stream stream, Hint hint) {
  Prefix prefix{};
  std::string_view dissector = hint == Hint::kJson ? kDissectorJson : kDissectorText;
  char* p = PutBig16(prefix.bytes, kTagDissector);
  p = PutBig16(p, static_cast<uint16_t>(Padded(dissector.size())));
  std::memcpy(p, dissector.data(), dissector.size());
  p += Padded(dissector.size());
  if (stream == Stream::kHostToPlugin || stream == Stream::kPluginToHost) {
    p = PutBig16(PutBig16(p, kTagDirection), 4);
    p[3] = stream == Stream::kHostToPlugin ? kSent : kReceived;
    p += 4;
  }
  prefix.size = p - prefix.bytes;
  return prefix;
}

const Prefix& PrefixOf(Stream stream, Hint hint) {
  static const std::array<Prefix, kStreams* kHints> kPrefixes = [] {
    std::array<Prefix, kStreams * kHints> all;
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = MakePrefix(static_cast<Stream>(i / kHints), static_cast<Hint>(i % kHints));
    }
    return all;
  }();
  return kPrefixes[static_cast<size_t>(stream) * kHints + static_cast<size_t>(hint)];
}

Hint HintOf(const Record& record) {
  if (record.stream == Stream::kStderr) return Hint::kText;
  return record.stream == Stream::kEvents ? Hint::kJson : record.hint;
}

uint32_t FlagsOf(Stream stream) {
  if (stream == Stream::kHostToPlugin) return kOutbound;
  return stream == Stream::kPluginToHost ? kInbound : 0;
}

// Flags option, hash option, end of options, block length.
constexpr size_t kTrailer = 8 + 12 + 4 + 4;
constexpr size_t kMaxTag = 0xFFFF;

// An event must fit one record. Arguments can take 2 MB (ARG_MAX); the first ones identify what was
// started.
constexpr size_t kMaxEventText = kMaxSegment / 8;

std::string FittingJson(const Event& event) {
  std::string json = ToJson(event);
  if (json.size() <= kMaxSegment) return json;
  if (const auto* spawn = std::get_if<SpawnEvent>(&event)) {
    SpawnEvent cut = *spawn;
    cut.argv_cut = true;
    size_t kept = 0, left = kMaxEventText;
    while (kept < cut.argv.size() && cut.argv[kept].size() + 8 < left) {
      left -= cut.argv[kept++].size() + 8;  // quotes and a comma, for any argument
    }
    cut.argv.resize(kept);
    json = ToJson(cut);
  } else if (const auto* start = std::get_if<CannotStartEvent>(&event)) {
    CannotStartEvent cut = *start;
    cut.file = cut.file.substr(0, kMaxEventText / 2);
    cut.path = cut.path.substr(0, kMaxEventText / 2);
    json = ToJson(cut);
  } else if (const auto* note = std::get_if<NoteEvent>(&event)) {
    json = ToJson(NoteEvent{note->text.substr(0, kMaxEventText)});
  }
  return json;
}

}  // namespace

void AppendTapeStart(std::string* out) {
  std::string body;
  Append32(kByteOrderMagic, &body);
  Append32(1, &body);      // version 1.0
  body.append(8, '\xFF');  // section length: not known
  AppendOption(kSectionUserApplication, "midwire " MIDWIRE_VERSION, &body);
  AppendOption(kEndOfOptions, "", &body);
  AppendBlock(kSectionHeader, body, out);
  for (int i = 0; i < kStreams; ++i) {
    body.clear();
    Append32(kLinkType, &body);
    Append32(kSnapLength, &body);
    AppendOption(kInterfaceName, Name(static_cast<Stream>(i)), &body);
    AppendOption(kInterfaceResolution,
                 std::string_view(reinterpret_cast<const char*>(&kNanoseconds), 1), &body);
    AppendOption(kEndOfOptions, "", &body);
    AppendBlock(kInterface, body, out);
  }
}

void AppendRecord(const Record& record, std::string* out) {
  std::string_view head = record.head, more;
  if (head.size() + record.body.size() > kMaxSegment)
    std::abort();  // the caller's bug: see the header
  // A tag holds 65,535 bytes. Only dissectors use the split between head and body.
  if (head.size() > kMaxTag) {
    more = head.substr(kMaxTag);
    head = head.substr(0, kMaxTag);
  }
  const Prefix& prefix = PrefixOf(record.stream, HintOf(record));
  size_t head_tag = head.empty() ? 0 : 4 + head.size();
  size_t captured = prefix.size + head_tag + 4 + more.size() + record.body.size();
  size_t padding = Padded(captured) - captured;
  uint32_t length =
      static_cast<uint32_t>(kBlockOverhead + kPacketHeader + captured + padding + kTrailer - 4);
  uint64_t time = static_cast<uint64_t>(record.time_ns);

  char start[8 + kPacketHeader + sizeof(Prefix::bytes) + 4];
  char* p = Put32(Put32(start, kEnhancedPacket), length);
  p = Put32(p, static_cast<uint32_t>(record.stream));
  p = Put32(Put32(p, static_cast<uint32_t>(time >> 32)), static_cast<uint32_t>(time));
  p = Put32(Put32(p, static_cast<uint32_t>(captured)), static_cast<uint32_t>(captured));
  std::memcpy(p, prefix.bytes, sizeof prefix.bytes);  // all of it: a constant size is two moves
  p += prefix.size;
  size_t packet = out->size() + 8 + kPacketHeader;
  if (!head.empty()) {
    p = PutBig16(PutBig16(p, kTagHead), static_cast<uint16_t>(head.size()));
    out->append(start, p - start);
    out->append(head);
    out->append(4, '\0');  // kTagEnd
  } else {
    p = Put32(p, 0);  // kTagEnd
    out->append(start, p - start);
  }
  if (!more.empty()) out->append(more);
  out->append(record.body);
  uint32_t crc = libdeflate_crc32(0, out->data() + packet, captured);

  char end[4 + kTrailer] = {};
  p = end + padding;
  p = Put32(Put16(Put16(p, kPacketFlags), 4), FlagsOf(record.stream));
  p = Put16(Put16(p, kPacketHash), 5);
  *p = kCrc32;
  Put32(p + 1, crc);
  p += 8 + 4;  // the hash is padded to 8; then the end of options
  p = Put32(p, length);
  out->append(end, p - end);
}

void AppendEvent(int64_t time_ns, const Event& event, std::string* out) {
  std::string json = FittingJson(event);
  AppendRecord({.stream = Stream::kEvents, .hint = Hint::kJson, .time_ns = time_ns, .body = json},
               out);
}

}  // namespace midwire::trace
