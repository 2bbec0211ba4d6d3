#include "view/text/printer.h"

namespace midwire::view {
namespace {

// Not kNoVersion and kDap: DAP and two of the five protocols never have "jsonrpc".
constexpr FlagName kFlagNames[] = {{wire::kOtherVersion, "other-version"},
                                   {wire::kDuplicateMember, "duplicate-member"},
                                   {wire::kResultAndError, "result-and-error"},
                                   {wire::kNeither, "neither-result-nor-error"},
                                   {wire::kMalformed, "malformed"},
                                   {wire::kTokenCut, "token-cut"}};

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
}

}  // namespace midwire::view
