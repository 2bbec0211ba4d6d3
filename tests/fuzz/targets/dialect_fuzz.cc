// Any bytes as a dialect, and any bytes as a session checked against it: neither the loader nor the
// checker may crash, hang or report more than they promise. Input: a dialect's text, a NUL, then
// the messages, lines that begin with `>` (host) or anything else (plugin).
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/checker.h"
#include "tests/fuzz/require.h"
#include "trace/dialect/detect.h"
#include "trace/session.h"
#include "wire/dialect/built_in.h"
#include "wire/dialect/dialect.h"

namespace midwire::trace {
namespace {

using check::Checker;
using trace::Violation;

// How much of a value a finding may show, with some room for text around it.
constexpr size_t kMaxFindingText = 1024;

void Say(std::string_view said, SessionHandler* handler) {
  Session session(handler);
  int64_t now = 1'000'000'000;
  while (!said.empty()) {
    const size_t end = std::min(said.find('\n'), said.size() - 1) + 1;
    std::string_view line = said.substr(0, end);
    said.remove_prefix(end);
    now += 1'000'000;
    if (line == "!\n") {
      session.OnSection();
      continue;
    }
    Stream stream = Stream::kPluginToHost;
    if (line.starts_with('>')) stream = Stream::kHostToPlugin;
    if (line.starts_with('!')) stream = Stream::kEvents;
    if (stream != Stream::kPluginToHost) line.remove_prefix(1);
    session.OnRecord({.stream = stream, .time_ns = now, .body = line});
  }
  session.OnEnd();
}

void Try(std::string_view text, std::string_view said) {
  const Result<wire::Dialect> tolerant =
      wire::LoadDialect(text, "fuzz", /*strict=*/false, wire::BuiltInDialect);
  const Result<wire::Dialect> strict =
      wire::LoadDialect(text, "fuzz", /*strict=*/true, wire::BuiltInDialect);
  for (const auto* dialect : {&tolerant, &strict}) {
    if (!*dialect) {
      Require((*dialect).error().Text().find("fuzz") != std::string::npos,
              "an error names its file");
      continue;
    }
    const auto checker = Checker::Create(&**dialect, [](const Violation& finding) {
      Require(!finding.rule.empty(), "a finding has its rule");
      Require(finding.severity != wire::Severity::kOff, "what is off is not reported");
      Require(finding.expected.size() + finding.got.size() < kMaxFindingText, "values are cut");
    });
    if (!checker) continue;
    Say(said, checker->get());
    (*checker)->Finish();
  }
  if (!tolerant) return;
  Opening opening;
  Say(said, &opening);
  Require(opening.calls().size() <= Opening::kMessages, "an opening is short");
  const std::vector<DialectOutline> candidates = {OutlineOf(text, wire::BuiltInDialect)};
  const Detection found = Detect(opening, candidates);
  Require(found.dialect == nullptr || found.dialect == candidates.data(), "one of the candidates");
  Require(!found.Text().empty(), "a detection has a text");
}

}  // namespace
}  // namespace midwire::trace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t nul = std::min(bytes.find('\0'), bytes.size());
  const std::string_view said = bytes.substr(std::min(nul + 1, bytes.size()));
  const std::string_view text = bytes.substr(0, nul);
  // "@mcp" is the built-in one: a fuzzer would not write it by itself.
  const std::string_view built_in =
      text.starts_with('@') ? midwire::wire::BuiltInDialect(text.substr(1)) : "";
  midwire::trace::Try(built_in.empty() ? text : built_in, said);
  return 0;
}
