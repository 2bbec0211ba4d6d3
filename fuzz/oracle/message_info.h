// Readings: all that a message tells by itself, whoever says it and whenever, read once and then
// known by its bytes (memo.h). What it means at its place in a session is the oracle's to judge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/finding.h"
#include "fuzz/seeds.h"
#include "fuzz/span.h"
#include "wire/decoder.h"
#include "wire/dialect/dialect.h"
#include "wire/message.h"

namespace midwire::fuzz {

// Of a message of ours. Spans are of the frame's bytes.
struct SentMessageInfo {
  wire::Message message;
  Span body;                               // without blanks around it
  const wire::MethodSpec* spec = nullptr;  // of its method; null: none
  bool known = false;                      // the protocol has the method
  bool clear = false;                      // its id is the same for whoever reads it
  bool sound = false;       // any peer in order can read it, so that it is owed what it asks for
  bool answerable = false;  // and can give its id back
  bool keeps_sync = true;   // who reads it knows where the next one begins
  bool ends_line = true;    // or else the rest of its line is something of its own
};

// Of a message of the peer's.
struct ReceivedMessageInfo {
  wire::Message message;
  Span body;            // as above
  bool json = false;    // loose JSON (wire/json_parts.h), and all of it is here
  bool broken = false;  // a frame that is no message, or no JSON
  bool utf8 = true;
  Span value;          // of its params (DAP: arguments), else of its result; empty without
  uint64_t shape = 0;  // of that (features.h)
};

struct ProtocolOracleOptions {
  const wire::Dialect* dialect = nullptr;  // null: what JSON-RPC 2.0 asks for, no schemas
  OracleSet oracles = DefaultOracles();
};

SentMessageInfo InspectSent(const wire::Frame& frame, const wire::Message& message,
                            const Seeds& seeds, const ProtocolOracleOptions& options);
ReceivedMessageInfo InspectReceived(const wire::Frame& frame, const wire::Message& message);

// How many bytes at the start of a stream are one frame in its plainest form, whole: a line with
// its end, or `Content-Length: N`, an empty line and a body. 0: not known.
size_t PlainFrame(std::string_view bytes, wire::Framing framing);

}  // namespace midwire::fuzz
