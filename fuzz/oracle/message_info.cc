#include "fuzz/oracle/message_info.h"

#include <algorithm>
#include <charconv>

#include "fuzz/oracle/body.h"
#include "fuzz/oracle/features.h"
#include "fuzz/oracle/well_formed.h"
#include "wire/json/parts.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

using wire::Id;
using wire::Kind;

// How odd a frame may be and still be read by everybody.
constexpr wire::Oddities kHarmless = wire::kExtraHeader | wire::kCrLf;
// With these the id that we see may not be the one that others see.
constexpr uint16_t kVagueFlags = wire::kMalformed | wire::kDuplicateMember | wire::kTokenCut;
// Longer headers are refused, and rightly, by whoever has a limit.
constexpr size_t kMaxHead = 128;

Span SpanOf(std::string_view part, std::string_view bytes) {
  if (part.empty()) return {};
  return {static_cast<size_t>(part.data() - bytes.data()), part.size()};
}

// An id that any peer in order gives back as it was, under this dialect.
bool ComesBack(const Id& id, const ProtocolOracleOptions& options) {
  if (options.dialect != nullptr) {
    const auto& types = options.dialect->id_types;
    if (!types.empty() && std::find(types.begin(), types.end(), id.type) == types.end()) {
      return false;
    }
  }
  const bool big_ids = options.oracles[static_cast<int>(Oracle::kBigId)];
  return IsBig(id) ? big_ids : IsPlain(id);
}

}  // namespace

SentMessageInfo InspectSent(const wire::Frame& frame, const wire::Message& message,
                            const Seeds& seeds, const ProtocolOracleOptions& options) {
  SentMessageInfo reading = {.message = message};
  const std::string_view body = wire::Trimmed(frame.body());
  reading.body = SpanOf(body, frame.bytes);
  const wire::Dialect* const dialect = options.dialect;
  if (dialect != nullptr) reading.spec = dialect->Find(message.method);
  reading.known = reading.spec != nullptr || seeds.methods.contains(message.method);
  const bool odd = (frame.oddities & ~kHarmless) != 0;
  reading.clear =
      !odd && (message.flags & kVagueFlags) == 0 && wire::IsJson(body) && !HasAmbiguousId(body);
  const bool too_large =
      dialect != nullptr && dialect->max_body != 0 && body.size() > dialect->max_body;
  reading.sound = reading.clear && !too_large && (message.flags & ~seeds.usual_flags) == 0 &&
                  !ExceedsCommonLimits(body) && !RepeatsName(body);
  // Params by name or by position (JSON-RPC 2.0, clause 4.2).
  const bool calls = !message.IsAnswer() && message.kind != Kind::kBatch;
  const std::string_view params =
      reading.sound && calls ? Member(body, "\"params\"") : std::string_view();
  if (!params.empty() && params[0] != '{' && params[0] != '[') reading.sound = false;
  reading.answerable = reading.sound && ComesBack(message.id, options);
  reading.ends_line = frame.framing != wire::Framing::kLine || frame.bytes.ends_with('\n');
  const bool long_head = frame.bytes.size() - frame.body().size() > kMaxHead;
  reading.keeps_sync = frame.framing != wire::Framing::kContentLength || (!odd && !long_head);
  return reading;
}

ReceivedMessageInfo InspectReceived(const wire::Frame& frame, const wire::Message& message) {
  ReceivedMessageInfo reading = {.message = message};
  const std::string_view body = wire::Trimmed(frame.body());
  reading.body = SpanOf(body, frame.bytes);
  reading.json = frame.whole() && wire::IsLooseJson(body);
  reading.broken =
      message.kind == Kind::kInvalid || (frame.whole() && !reading.json && !wire::IsJson(body));
  reading.utf8 = (frame.oddities & wire::kInvalidUtf8) == 0;
  if (!reading.json) return reading;
  const bool dap = (message.flags & wire::kDap) != 0;
  const char* const name = message.IsAnswer() ? "\"result\"" : dap ? "\"arguments\"" : "\"params\"";
  const std::string_view value = Member(body, name);
  reading.value = SpanOf(value, frame.bytes);
  reading.shape = ShapeOf(value);
  return reading;
}

size_t PlainFrame(std::string_view bytes, wire::Framing framing) {
  if (framing != wire::Framing::kContentLength) return bytes.find('\n') + 1;
  constexpr std::string_view kName = "Content-Length: ", kEnd = "\r\n\r\n";
  if (!bytes.starts_with(kName)) return 0;
  size_t length = 0;
  const char* const end = bytes.data() + bytes.size();
  const auto digits = std::from_chars(bytes.data() + kName.size(), end, length);
  const std::string_view rest(digits.ptr, static_cast<size_t>(end - digits.ptr));
  if (digits.ec != std::errc() || !rest.starts_with(kEnd)) return 0;
  if (length > rest.size() - kEnd.size()) return 0;
  return static_cast<size_t>(rest.data() - bytes.data()) + kEnd.size() + length;
}

}  // namespace midwire::fuzz
