// A dialect with which the sessions of these tests have nothing to note.
#pragma once

#include <string>

#include "tests/trace/conversation.h"

namespace midwire::trace {

inline constexpr char kPlain[] = R"(
  "jsonrpc": "off", "unknown_methods": "off")";

inline std::string Plain(const std::string& conversation) { return Found(kPlain, conversation); }

// What the findings say, a line each.
inline std::string TextsOf(const std::string& members, std::string_view conversation) {
  const Result<wire::Dialect> dialect = DialectOf(members);
  if (!dialect) return dialect.error().Text();
  std::string texts;
  auto checker = check::Checker::Create(
      &*dialect, [&texts](const check::Violation& finding) { texts += finding.text + "\n"; });
  if (!checker) return checker.error().Text();
  Talk(checker->get()).Play(conversation, [&] { (*checker)->OnGap(); });
  (*checker)->Finish();
  return texts;
}

}  // namespace midwire::trace
