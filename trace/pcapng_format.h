// The tape's constants: doc/trace-format.md in code. Used only by the tape's encoder and reader.
// Block and option numbers are those of pcapng (draft-ietf-opsawg-pcapng), tags those of
// Wireshark's exported-PDU header (wsutil/exported_pdu).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace midwire::trace::pcapng {

inline constexpr uint32_t kSectionHeader = 0x0A0D0D0A;
inline constexpr uint32_t kInterface = 1;
inline constexpr uint32_t kEnhancedPacket = 6;

inline constexpr uint32_t kByteOrderMagic = 0x1A2B3C4D;
inline constexpr uint16_t kLinkType = 252;  // LINKTYPE_WIRESHARK_UPPER_PDU
// tshark 4.0 refuses a captured length above this on our link type.
inline constexpr uint32_t kSnapLength = 262144;

// Options: 16-bit code and length in the section's byte order, value padded to 4 bytes.
inline constexpr uint16_t kEndOfOptions = 0;
inline constexpr uint16_t kSectionUserApplication = 4;
inline constexpr uint16_t kInterfaceName = 2;
inline constexpr uint16_t kInterfaceResolution = 9;
inline constexpr uint16_t kInterfaceOffset = 14;  // if_tsoffset: seconds to add; we write none
inline constexpr uint16_t kPacketFlags = 2;
inline constexpr uint16_t kPacketHash = 3;

inline constexpr uint8_t kNanoseconds = 9;  // if_tsresol: 10^-9
inline constexpr uint32_t kInbound = 1;     // epb_flags, bits 0 and 1: as the host sees it
inline constexpr uint32_t kOutbound = 2;
inline constexpr uint8_t kCrc32 = 2;  // epb_hash: algorithm, then the value in 4 bytes

// Exported-PDU tags: 16-bit type and length, always big-endian.
inline constexpr uint16_t kTagEnd = 0;
inline constexpr uint16_t kTagDissector = 12;
inline constexpr uint16_t kTagDirection = 35;
inline constexpr uint16_t kTagHead = 0x6D77;  // "mw": our own, the framing header, not padded
inline constexpr std::string_view kDissectorJson = "json";
inline constexpr std::string_view kDissectorText = "data-text-lines";
inline constexpr uint8_t kSent = 0;  // of kTagDirection: host to plugin
inline constexpr uint8_t kReceived = 1;

inline constexpr size_t kBlockOverhead = 12;  // type, length, and the length again at the end
inline constexpr size_t kPacketHeader = 20;   // interface, time (2), captured and original length

constexpr size_t Padded(size_t size) { return (size + 3) & ~size_t{3}; }

}  // namespace midwire::trace::pcapng
