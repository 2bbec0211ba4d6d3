// The test language of saved findings: an error, a note, and what a printer makes of a list.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "view/findings/saved_findings.h"

namespace midwire::view {

inline SavedFinding CrashFound() {
  return {.cassette = "f/signal-1.jsonl",
          .severity = "error",
          .kind = "memory error",
          .oracle = "signal",
          .key = "signal SIGSEGV after open",
          .text = "ended by SIGSEGV, after request open",
          .err = "reading <0>",
          .input = {R"({"id":1,"method":"open"})"},
          .sent = "1 message, 25 bytes, lockstep",
          .flaky = "",
          .command = "midwire replay f/signal-1.jsonl -- plugin",
          .dialect = "mcp"};
}

inline SavedFinding NoteFound() {
  SavedFinding note = CrashFound();
  note.severity = "note";
  note.kind = "style";
  note.oracle = "pollution";
  note.key = "pollution x";
  return note;
}

using PrintsSaved = void (*)(std::span<const SavedFinding>, std::string*);
inline std::string Printed(PrintsSaved print, const std::vector<SavedFinding>& findings) {
  std::string text;
  print(findings, &text);
  return text;
}

}  // namespace midwire::view
