// Any bytes as JSON, and as a JSON Schema with a value (a NUL between): the readers agree with each
// other, and none of them crashes, hangs or reports more than it promises.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/require.h"
#include "wire/dialect/schema.h"
#include "wire/json/format.h"
#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::wire {
namespace {

void TryText(std::string_view text) {
  const bool strict = IsJson(text);
  const Result<Json> parsed = ParseJson(text);
  Require(!parsed || strict, "what parses is JSON");
  Require(!strict || IsUtf8(text), "JSON is UTF-8");
  std::vector<RawMember> members;
  const bool object = RawMembers(text, &members);
  Require(!object || strict, "what has members is JSON");
  for (const RawMember& member : members) {
    Require(member.value.data() >= text.data() &&
                member.value.data() + member.value.size() <= text.data() + text.size(),
            "a raw value lies in the text");
    Require(IsJson(member.value), "a raw value is JSON");
  }
  std::string pretty;
  PrettyJson(text, [&pretty](std::string_view piece) { pretty += piece; });
  if (!strict) Require(pretty == text, "what is no JSON stays as it is");
  if (strict) Require(IsJson(pretty), "what is indented is JSON still");
  std::string unescaped;
  if (strict && AppendUnescaped(Trimmed(text), &unescaped)) {
    std::string again;
    AppendJsonString(unescaped, &again);
    std::string back;
    Require(AppendUnescaped(again, &back) && back == unescaped, "a string survives its spelling");
  }
}

void TrySchema(std::string_view text, std::string_view value) {
  const Result<Json> json = ParseJson(text);
  if (!json) return;
  Result<Schema> schema = Schema::Compile(*json, nullptr);
  if (!schema) {
    Require(!schema.error().what.empty(), "a mistake is told");
    return;
  }
  schema->Words();
  if (!IsLooseJson(value)) return;
  const auto first = schema->Validate(value);
  const auto second = schema->Validate(value);
  Require(first.has_value() == second.has_value(), "the same value is compared with itself");
  if (!first) return;
  Require(first->pointer == second->pointer && first->rule == second->rule, "and breaks the same");
  Require(!schema->Expectation(*first).empty(), "what is asked for has words");
}

}  // namespace
}  // namespace midwire::wire

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t nul = std::min(bytes.find('\0'), bytes.size());
  midwire::wire::TryText(bytes);
  if (nul < bytes.size()) {
    midwire::wire::TrySchema(bytes.substr(0, nul), bytes.substr(nul + 1));
  }
  return 0;
}
