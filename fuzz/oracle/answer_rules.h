// Which request an answer of the peer belongs to, and whether it is a fault: an ordered table of
// conditions, of which the first that holds decides. doc/fuzz.md shows it. Called by
// ProtocolOracle, which applies the verdict. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fuzz/oracle/pending_requests.h"
#include "fuzz/oracle/sync_state.h"

namespace midwire::fuzz {

enum class AnswerVerdict : uint8_t {
  kExpected,  // the answer to a request that must be answered
  kOptional,  // the answer to a request that may be answered
  kRefusal,   // it may refuse a large request, so that this one needs no other answer
  kIdType,    // a fault: the answer to a request, under an id of another type
  kLate,      // the answer to a request of an earlier run
  kAccepted,  // no request is known, but it may be right
  kDouble,    // faults, named as their oracles
  kNotification,
  kUnknown,
};
std::string_view Name(AnswerVerdict verdict);
// The oracle that reports it; nullopt: it is no fault.
std::optional<Oracle> FaultOf(AnswerVerdict verdict);

// An answer, and all that decides about it.
struct AnswerCase {
  const PendingRequests& pending;
  std::string_view id;             // its token
  bool anonymous = false;          // the id is null, or there is none
  bool any_answer = false;         // something was sent that may be answered in any way
  bool notification_sent = false;  // in this run, a well-formed one
  SyncState sync = SyncState::kInSync;
};

struct AnswerRule {
  bool (*holds)(const AnswerCase&);
  AnswerVerdict verdict;
  const char* condition;  // of `holds`, for people
  const char* reason;     // why nothing is reported; "" of a fault
};
std::span<const AnswerRule> AnswerRules();
// The first rule that holds.
const AnswerRule& RuleFor(const AnswerCase& answer);

}  // namespace midwire::fuzz
