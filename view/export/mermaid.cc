// The same text as "copy Mermaid" of the page gives (view/page/scripts/55_sequence.js).
#include "view/export/export_trace.h"
#include "wire/json/ascii.h"
#include "wire/json/escape.h"
#include "wire/json/utf8.h"

namespace midwire::view {
namespace {

constexpr size_t kMaxText = 120;  // of an arrow, in characters
constexpr size_t kMaxOpen = 20;   // calls without an answer that have a note each

// Mermaid reads ; # and : as syntax, so everything but plain text is written as entities.
std::string Safe(const std::string& text) {
  constexpr std::string_view kPlain = " /.,()-$_";
  std::string safe;
  const std::string escaped = wire::Escaped(text);
  std::string_view rest = escaped;
  for (size_t characters = 0; !rest.empty(); ++characters) {
    if (characters == kMaxText) return safe + "#8230;";
    const wire::Character character = wire::FirstCharacter(rest);
    const char c = rest[0];
    if (wire::IsAlphanumeric(c) || kPlain.find(c) != kPlain.npos) {
      safe += c;
    } else {
      safe += '#' + std::to_string(character.code) + ';';
    }
    rest.remove_prefix(character.length);
  }
  return safe;
}

// Behind the arrows of a session, rows `from` up to `to`.
std::string NotesAtEnd(const ExportTrace& trace, size_t from, size_t to) {
  std::string text;
  size_t open = 0;
  for (size_t i = from; i < to; ++i) {
    const ExportRow& row = trace.rows[i];
    if (row.kind != RowKind::kRequest || row.answer != kNoExport || row.cancelled) continue;
    if (++open > kMaxOpen) continue;
    text += "  Note over host,plugin: no answer to " +
            Safe(std::to_string(row.number) + " " + NameOf(row)) + "\n";
  }
  if (open > kMaxOpen) {
    text += "  Note over host,plugin: no answer to " + std::to_string(open - kMaxOpen) +
            (open == kMaxOpen + 1 ? " more call\n" : " more calls\n");
  }
  const std::string& exit = trace.sessions[trace.rows[from].session].exit;
  if (!exit.empty()) text += "  Note over plugin: " + Safe(exit) + "\n";
  return text;
}

}  // namespace

std::string MermaidText(const ExportTrace& trace) {
  std::string text = "sequenceDiagram\n  participant host\n  participant plugin\n";
  size_t drawn = 0, first = 0;  // of the session
  for (const ExportRow& row : trace.rows) {
    if (row.session != trace.rows[first].session) {
      text += NotesAtEnd(trace, first, drawn);
      first = drawn;
    }
    if (++drawn > kMaxArrows) {
      text += "  Note over host,plugin: " + std::to_string(trace.rows.size()) +
              " messages, of which the first " + std::to_string(kMaxArrows) + " are drawn\n";
      return text;
    }
    const bool answer = row.kind == RowKind::kResponse || row.kind == RowKind::kError;
    std::string_view arrow = "->>";
    if (answer) {
      arrow = row.failed ? "--x" : "-->>";
    } else if (row.kind == RowKind::kNotification) {
      arrow = "-)";
    }
    text += row.direction == 0 ? "  host" : "  plugin";
    text += arrow;
    text += row.direction == 0 ? "plugin: " : "host: ";
    text += Safe(std::to_string(row.number) + " " + NameOf(row) +
                 (row.failure.empty() ? "" : ": " + row.failure)) +
            "\n";
  }
  return first < drawn ? text + NotesAtEnd(trace, first, drawn) : text;
}

}  // namespace midwire::view
