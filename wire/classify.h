// Turns the members that a scan found into a classified Message: the one place that decides what is
// a request, an answer or a notification. Called by MessageScanner; pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/message.h"

namespace midwire::wire {

// The members that classification reads; those of the error object come last.
enum class Field : uint8_t {
  kNone,
  kJsonrpc,
  kId,
  kMethod,
  kResult,
  kError,  // JSON-RPC 2.0
  kSeq,
  kType,
  kRequestSeq,
  kCommand,
  kEvent,
  kSuccess,
  kText,  // DAP
  kErrorCode,
  kErrorMessage,
};
inline constexpr int kFields = 15;

// kNone for a name that does not matter. in_error: a member of the error object.
Field FieldOf(std::string_view name, bool in_error);

// Whether a string in this field keeps its quotes: it is an id, or a string where another type
// belongs. "4" is not 4.
constexpr bool KeepsQuotes(Field field) {
  return field == Field::kId || field == Field::kSeq || field == Field::kRequestSeq ||
         field == Field::kSuccess || field == Field::kErrorCode;
}

// The members of one JSON object. A token is raw JSON text; a string is unescaped and has no quotes
// unless KeepsQuotes(field).
struct Members {
  uint16_t seen = 0;        // bit per Field
  uint16_t not_string = 0;  // bit per Field: its value is not a string
  uint16_t kept = 0;        // bit per Field: its token is in `token`; otherwise it is in `whole`
  uint16_t flags = 0;       // MessageFlag bits found while scanning
  bool error_is_null = false;
  std::string token[kFields];
  std::string_view whole[kFields];  // in a text that is read at once, only of fields that are seen

  static constexpr uint16_t BitOf(Field field) {
    return static_cast<uint16_t>(1u << static_cast<int>(field));
  }
  bool has(Field field) const { return seen & BitOf(field); }
  bool text(Field field) const { return has(field) && !(not_string & BitOf(field)); }
  std::string_view of(Field field) const {
    if (!has(field)) return {};
    return kept & BitOf(field) ? token[static_cast<int>(field)] : whole[static_cast<int>(field)];
  }
  // To be filled.
  std::string& Keep(Field field) {
    kept |= BitOf(field);
    return token[static_cast<int>(field)];
  }
  // Moves a token out: swaps, so that neither side allocates, or copies. *to is empty.
  void Take(Field field, std::string* to);
  void Clear();  // keeps the capacity of its strings
};

// Moves tokens out of `members`. *message is cleared.
void Classify(Members* members, Message* message);

}  // namespace midwire::wire
