#include "view/text/printer.h"

namespace midwire::view {
namespace {

// Not every flag: that DAP and two of the five protocols have no "jsonrpc" is no news.
constexpr FlagName kFlagNames[] = {{wire::kOtherVersion, "other-version"},
                                   {wire::kDuplicateMember, "duplicate-member"},
                                   {wire::kResultAndError, "result-and-error"},
                                   {wire::kNeither, "neither-result-nor-error"},
                                   {wire::kMalformed, "malformed"},
                                   {wire::kTokenCut, "token-cut"}};

}  // namespace

std::span<const FlagName> RemarkedFlags() { return kFlagNames; }

std::string_view MethodOf(const trace::SaidMessage& said) {
  if (said.request && !said.request->method.empty()) return said.request->method;
  return said.message->method;
}

std::optional<int64_t> LatencyOf(const trace::SaidMessage& said) {
  if (!said.request || said.request->time_ns == 0 || said.time_ns == 0) return std::nullopt;
  return said.time_ns - said.request->time_ns;
}

void AppendRemarks(const trace::SaidMessage& said, std::string* out) {
  const size_t start = out->size();
  if (said.frame->oddities != 0) *out += wire::OdditiesText(said.frame->oddities);
  for (const FlagName& row : kFlagNames) {
    if (!(said.message->flags & row.flag)) continue;
    if (out->size() > start) *out += ',';
    *out += row.name;
  }
}

}  // namespace midwire::view
