// A message: the top-level members of one frame. Made by MessageScanner, read by everything that
// shows, pairs or checks messages. Holds nothing of the content of params or result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::wire {

enum class Kind : uint8_t { kRequest, kResponse, kError, kNotification, kBatch, kInvalid };
std::string_view Name(Kind kind);  // "request", "response", ...
constexpr bool IsAnswer(Kind kind) { return kind == Kind::kResponse || kind == Kind::kError; }

// The id as it was spelt: 1, 1.0, "1" and null are four different ids (JSON-RPC 2.0, clause 4).
struct Id {
  enum class Type : uint8_t { kAbsent, kNull, kInteger, kFraction, kString, kOther };
  Type type = Type::kAbsent;
  std::string token;  // raw JSON text, quotes included; at most kMaxToken bytes are kept

  bool present() const { return type != Type::kAbsent; }
  bool operator==(const Id& other) const { return type == other.type && token == other.token; }
};

// A token (id, method, error text) is kept up to this length: real ones are under 100 bytes, and a
// hostile one must not grow our memory.
inline constexpr size_t kMaxToken = 4096;
// Elements of a batch that are classified one by one; further ones are only counted.
inline constexpr size_t kMaxBatchElements = 4096;

enum MessageFlag : uint16_t {
  kNoVersion = 1u << 0,        // no "jsonrpc" member (DAP never has one)
  kOtherVersion = 1u << 1,     // "jsonrpc" is not "2.0"
  kDap = 1u << 2,              // Debug Adapter Protocol: seq/type
  kDuplicateMember = 1u << 3,  // a top-level name twice; the last one counts
  kResultAndError = 1u << 4,   // an answer with both
  kNeither = 1u << 5,          // an answer with neither
  kMalformed = 1u << 6,        // not well-formed JSON as far as the scanner looked
  kTokenCut = 1u << 7,         // a token above kMaxToken was cut
};

struct Message {
  Kind kind = Kind::kInvalid;
  uint16_t flags = 0;                 // MessageFlag bits
  Id id;                              // DAP: seq of a request, request_seq of a response
  std::string method;                 // unescaped; DAP: command or event
  std::optional<int64_t> error_code;  // of an error, when it is an integer
  std::string error_message;          // unescaped
  std::vector<Message> elements;      // of a batch

  bool IsAnswer() const { return wire::IsAnswer(kind); }
  void Clear();  // keeps the capacity of its strings
};

}  // namespace midwire::wire
