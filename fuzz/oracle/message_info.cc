#include "fuzz/oracle/message_info.h"

#include <algorithm>
#include <charconv>

#include "fuzz/oracle/body.h"
#include "fuzz/oracle/features.h"
#include "fuzz/oracle/well_formed.h"
#include "wire/contains.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

using wire::Id;
using wire::Kind;

// Oddities of a frame that every peer accepts.
constexpr wire::Oddities kHarmless = wire::kExtraHeader | wire::kCrLf;
// With these flags, a peer may read another id than midwire does.
constexpr uint16_t kAmbiguousFlags = wire::kMalformed | wire::kDuplicateMember | wire::kTokenCut;
// A peer may have a limit for headers; this is below any.
constexpr size_t kMaxHead = 128;

Span SpanOf(std::string_view part, std::string_view bytes) {
  if (part.empty()) return {};
  return {static_cast<size_t>(part.data() - bytes.data()), part.size()};
}

// Whether every correct peer echoes the id unchanged, under this dialect.
bool IsEchoed(const Id& id, const ProtocolOracleOptions& options) {
  if (options.dialect != nullptr) {
    const auto& types = options.dialect->id_types;
    if (!types.empty() && std::find(types.begin(), types.end(), id.type) == types.end()) {
      return false;
    }
  }
  const bool big_ids = options.oracles[static_cast<int>(Oracle::kBigId)];
  return IsBig(id) ? big_ids : IsPlain(id);
}

bool HasResult(std::string_view body) {
  const auto has = [&](std::string_view name) {
    return wire::Contains(body, name) && !Member(body, name).empty();
  };
  return has("\"result\"") || has("\"error\"");
}

}  // namespace

bool CancelsAnswer(const wire::Message& message, const wire::Dialect* dialect) {
  if (message.IsAnswer()) return false;
  if (dialect == nullptr) return wire::Contains(message.method, "ancel");
  const auto& places = dialect->cancellation.at;
  return !dialect->cancellation.answered &&
         std::any_of(places.begin(), places.end(),
                     [&](const auto& place) { return place.OfMethod(message.method); });
}

SentMessageInfo InspectSent(const wire::Frame& frame, const wire::Message& message,
                            const Seeds& seeds, const ProtocolOracleOptions& options) {
  SentMessageInfo info = {.message = message};
  const std::string_view body = wire::Trimmed(frame.body());
  info.body = SpanOf(body, frame.bytes);
  const wire::Dialect* const dialect = options.dialect;
  if (dialect != nullptr) info.spec = dialect->Find(message.method);
  info.known = info.spec != nullptr || seeds.methods.contains(message.method);
  const bool unusual = (frame.oddities & ~kHarmless) != 0;
  info.json = wire::IsJson(body);
  info.clear_id =
      !unusual && (message.flags & kAmbiguousFlags) == 0 && info.json && !HasAmbiguousId(body);
  const bool too_large =
      dialect != nullptr && dialect->max_body != 0 && body.size() > dialect->max_body;
  info.well_formed = info.clear_id && !too_large && (message.flags & ~seeds.usual_flags) == 0 &&
                     !ExceedsCommonLimits(body) && !RepeatsName(body);
  // Params by name or by position (JSON-RPC 2.0, clause 4.2).
  const bool calls = !message.IsAnswer() && message.kind != Kind::kBatch;
  const std::string_view params =
      info.well_formed && calls ? Member(body, "\"params\"") : std::string_view();
  if (!params.empty() && params[0] != '{' && params[0] != '[') info.well_formed = false;
  // Some peers take what has a result for an answer, also if it has a method.
  if (info.well_formed && calls && HasResult(body)) info.well_formed = false;
  info.answerable = info.well_formed && IsEchoed(message.id, options);
  info.cancels = message.kind != Kind::kBatch && CancelsAnswer(message, dialect);
  info.ends_line = frame.framing != wire::Framing::kLine || frame.bytes.ends_with('\n');
  const bool long_head = frame.bytes.size() - frame.body().size() > kMaxHead;
  info.keeps_sync = frame.framing != wire::Framing::kContentLength || (!unusual && !long_head);
  return info;
}

ReceivedMessageInfo InspectReceived(const wire::Frame& frame, const wire::Message& message) {
  ReceivedMessageInfo info = {.message = message};
  const std::string_view body = wire::Trimmed(frame.body());
  info.body = SpanOf(body, frame.bytes);
  info.json = frame.whole() && wire::IsLooseJson(body);
  info.broken =
      message.kind == Kind::kInvalid || (frame.whole() && !info.json && !wire::IsJson(body));
  info.utf8 = (frame.oddities & wire::kInvalidUtf8) == 0;
  if (!info.json) return info;
  const bool dap = (message.flags & wire::kDap) != 0;
  const char* const name = message.IsAnswer() ? "\"result\"" : dap ? "\"arguments\"" : "\"params\"";
  const std::string_view value = Member(body, name);
  info.value = SpanOf(value, frame.bytes);
  info.shape = ShapeOf(value);
  return info;
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
