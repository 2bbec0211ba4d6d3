// What a message shows by itself, independent of its place in a session. It is computed once and
// then cached by the message's bytes (caching_frame_reader.h). Called by ProtocolOracle, which
// decides what the message means in the session. Pure.
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

// About a message that midwire sends. Spans are ranges of the frame's bytes.
struct SentMessageInfo {
  wire::Message message;
  Span body;                               // without blanks around it
  const wire::MethodSpec* spec = nullptr;  // of its method; null: none
  bool known = false;                      // the protocol has the method
  bool json = false;                       // the body is JSON
  bool clear_id = false;                   // every peer reads the same id from it
  bool well_formed = false;  // every correct peer can read it, so it must have its effect
  bool answerable = false;   // well formed, and every correct peer can echo its id
  bool keeps_sync = true;    // every peer finds the start of the next message
  bool cancels = false;      // it cancels a request, which then has no answer; not of a batch
  bool ends_line = true;     // otherwise the rest of its line is read separately
};

// About a message of the peer.
struct ReceivedMessageInfo {
  wire::Message message;
  Span body;            // as above
  bool json = false;    // the body is loose JSON (wire::IsLooseJson) and complete
  bool broken = false;  // the frame is not a message, or not JSON
  bool utf8 = true;
  Span value;          // the value of its params (DAP: arguments) or result; empty: it has none
  uint64_t shape = 0;  // ShapeOf(value), see features.h
};

struct ProtocolOracleOptions {
  const wire::Dialect* dialect = nullptr;  // null: JSON-RPC 2.0 without schemas
  OracleSet oracles = DefaultOracles();
};

// Whether it cancels a request. Without a dialect that is not known of any protocol, but its
// methods mostly have such names.
bool CancelsAnswer(const wire::Message& message, const wire::Dialect* dialect);

SentMessageInfo InspectSent(const wire::Frame& frame, const wire::Message& message,
                            const Seeds& seeds, const ProtocolOracleOptions& options);
ReceivedMessageInfo InspectReceived(const wire::Frame& frame, const wire::Message& message);

// The length of the frame at the start of `bytes`, if it is complete and in its simplest form;
// otherwise 0. That is a line with its end, or `Content-Length: N`, an empty line and a body.
size_t PlainFrame(std::string_view bytes, wire::Framing framing);

}  // namespace midwire::fuzz
