#include "view/text/printer.h"

#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::view {
namespace {

// Not kNoVersion and kDap: DAP and two of the five protocols never have "jsonrpc".
constexpr FlagName kFlagNames[] = {{wire::kOtherVersion, "other-version"},
                                   {wire::kDuplicateMember, "duplicate-member"},
                                   {wire::kResultAndError, "result-and-error"},
                                   {wire::kNeither, "neither-result-nor-error"},
                                   {wire::kMalformed, "malformed"},
                                   {wire::kTokenCut, "token-cut"}};

// Oddities that say by themselves why the body is not JSON.
constexpr wire::Oddities kNoJson = wire::kTrailingBytes | wire::kNulByte | wire::kByteOrderMark;

// Whether it was read as a message, but parsers refuse it: NaN, a comma before a bracket. Of what
// is no message, the text is shown.
bool IsNoJson(const trace::RecordedMessage& recorded) {
  const wire::Frame& frame = *recorded.frame;
  const wire::Message& message = *recorded.message;
  if (message.kind == wire::Kind::kInvalid || (message.flags & wire::kMalformed)) return false;
  if (!frame.whole() || (frame.oddities & kNoJson)) return false;
  const std::string_view body = wire::Trimmed(frame.body());
  if (body.empty() || wire::IsLooseJson(body)) return false;
  return !wire::IsJson(body);  // nested deeper than the former reads
}

}  // namespace

std::span<const FlagName> RemarkedFlags() { return kFlagNames; }

std::string_view MethodOf(const trace::RecordedMessage& recorded) {
  if (recorded.request && !recorded.request->method.empty()) return recorded.request->method;
  return recorded.message->method;
}

std::optional<int64_t> LatencyOf(const trace::RecordedMessage& recorded) {
  if (!recorded.request || recorded.request->time_ns == 0 || recorded.time_ns == 0)
    return std::nullopt;
  return recorded.time_ns - recorded.request->time_ns;
}

void AppendRemarks(const trace::RecordedMessage& recorded, std::string* out) {
  const size_t start = out->size();
  if (recorded.frame->oddities != 0) *out += wire::OdditiesText(recorded.frame->oddities);
  for (const FlagName& row : kFlagNames) {
    if (!(recorded.message->flags & row.flag)) continue;
    if (out->size() > start) *out += ',';
    *out += row.name;
  }
  if (IsNoJson(recorded)) *out += out->size() > start ? ",not-json" : "not-json";
}

}  // namespace midwire::view
