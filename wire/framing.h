// The vocabulary of framing: how a stream is cut into messages, and what was unusual about a cut.
// Used by the splitter, the decoder, the tape and every report. Holds no logic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

// kAuto: detected at each frame start. A JSON text at the start of a line is a line frame; a header
// block with Content-Length is a content-length frame. After the first of those, only a line that
// is a JSON-RPC message is a line frame.
enum class Framing : uint8_t { kAuto, kLine, kContentLength };

std::string_view Name(Framing framing);                 // "auto", "line", "content-length"
bool ParseFraming(std::string_view text, Framing* to);  // false: no such framing

// What is unusual but unambiguous about a frame. Bits of one word.
enum Oddity : uint32_t {
  kLfOnly = 1u << 0,           // header lines end in LF, not CRLF
  kExtraHeader = 1u << 1,      // a header other than Content-Length
  kLeadingZeros = 1u << 2,     // Content-Length: 0042
  kSignedLength = 1u << 3,     // Content-Length: +42
  kHeaderCase = 1u << 4,       // content-length: 42
  kHeaderSpacing = 1u << 5,    // blanks before the colon, or other than one after it
  kRepeatedLength = 1u << 6,   // Content-Length twice, same value
  kEmptyBody = 1u << 7,        // Content-Length: 0
  kCrLf = 1u << 8,             // a line frame that ends in CRLF
  kSharedLine = 1u << 9,       // more than one JSON text on this line
  kUnterminated = 1u << 10,    // last line, ended by end of stream
  kByteOrderMark = 1u << 11,   // EF BB BF before the body
  kBlanksAround = 1u << 12,    // blanks before or after the JSON text
  kInvalidUtf8 = 1u << 13,     // body is not UTF-8 (RFC 3629)
  kNulByte = 1u << 14,         // body holds a NUL
  kTrailingBytes = 1u << 15,   // bytes follow the JSON text in the body
  kResynchronised = 1u << 16,  // header found in the middle of a line of junk
  kDoubledCr = 1u << 17,       // header lines end in CR CR LF
  kLongLength = 1u << 18,      // the length counts the start of the next header
  kOtherFraming = 1u << 19,    // a line with a message in a stream of content-length frames
  kIndentedHeader = 1u << 20,  // blanks before a header's name
};
using Oddities = uint32_t;

// Comma-separated names of the bits set, "" for none. Stable spelling: reports carry it.
std::string OdditiesText(Oddities oddities);

// Why bytes are not a frame.
enum class JunkReason : uint8_t {
  kText,        // a line that is neither a message nor a header: banner, log line, print
  kBlank,       // an empty line among lines, where it is harmless
  kStrayBlank,  // one between Content-Length frames, where a header must begin
  kBadHeader,   // a header block with no usable Content-Length
  kTruncated,   // a frame that the end of the stream (or a gap in the trace) cut off
};
std::string_view Name(JunkReason reason);

// A header block longer than this is junk. ainb-v2 allows 8 KiB; four times that is generous.
inline constexpr size_t kMaxUndecided = 32 * 1024;
// A claimed body length above this is a damaged header: no peer sends 4 GiB, and waiting for it
// would swallow the rest of the session.
inline constexpr uint64_t kMaxBody = uint64_t{1} << 32;

}  // namespace midwire::wire
