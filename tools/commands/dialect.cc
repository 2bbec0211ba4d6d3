// midwire dialect: lists the built-in dialects, shows one, and detects that of a trace.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/console/paragraphs.h"
#include "tools/load_dialect.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "tools/terminal.h"
#include "trace/dialect/outline.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

constexpr char kDialectFooter[] =
    R"(A dialect describes a protocol as JSON (doc/dialects.md).

Exit status: 0 printed, 2 no such dialect or trace, or a mistake in the dialect, 3 the output cannot be
written.

Examples:
  midwire dialect list
  midwire dialect show mcp
  midwire dialect show my-protocol.json | head
  midwire dialect detect session.pcapng)";

constexpr char kListDialectsFooter[] = R"(Every command that takes --dialect takes these names.

Example:
  midwire dialect list)";

constexpr char kShowDialectFooter[] =
    R"(Revisions come first, one a line and the default one marked, then an empty line and the file.

Examples:
  midwire dialect show mcp
  midwire dialect show my-protocol.json | head)";

constexpr char kDetectDialectFooter[] =
    R"(The dialect is the one that check, show and the other commands use for the trace; behind it is how sure that
is: certain, likely or a guess.

Examples:
  midwire dialect detect session.pcapng
  midwire dialect detect - < session.jsonl)";

struct DialectArguments {
  std::string name, trace;
};

int ShowDialect(const std::string& name) {
  const Result<wire::Dialect> dialect = LoadNamedDialect(name, /*strict=*/false);
  if (!dialect) return Fail(dialect.error());
  const Result<std::string> text = DialectText(name);
  if (!text) return Fail(text.error());
  Output output;
  size_t width = 0;
  for (const auto& one : dialect->revisions) width = std::max(width, one->revision.size());
  for (const auto& one : dialect->revisions) {
    std::string line = wire::Escaped(one->revision);
    line.resize(std::max(width + 2, line.size() + 1), ' ');
    *output.text() += line + wire::Escaped(one->title) +
                      (one->revision == dialect->revision ? " (default)\n" : "\n");
  }
  if (!dialect->revisions.empty()) *output.text() += '\n';
  wire::AppendEscapedLines(*text, "", output.text());
  if (!text->ends_with('\n')) *output.text() += '\n';
  return output.Finish();
}

int Detect(std::string path) {
  if (path.empty()) {
    const Result<std::string> newest = NewestTrace();
    if (!newest) return Fail(newest.error());
    path = *newest;
  }
  const Result<trace::Detection> found = DetectTrace(path);
  if (!found) return Fail(found.error());
  Output output;
  *output.text() += found->Text() + "\n";
  return output.Finish();
}

}  // namespace

// Also for check --list.
int ListDialects() {
  Output output;
  const size_t columns = StyleOf(1, "auto").width;
  const std::vector<trace::DialectOutline>& dialects = trace::BuiltInOutlines();
  size_t width = 0;
  for (const trace::DialectOutline& dialect : dialects)
    width = std::max(width, dialect.name.size());
  for (const trace::DialectOutline& dialect : dialects) {
    AppendListed(dialect.name, width + 2, dialect.title, columns, output.text());
  }
  return output.Finish();
}

std::function<int()> DeclareDialect(ArgumentParser parser) {
  auto arguments = std::make_shared<DialectArguments>();
  ArgumentParser list = parser.AddSubcommand("list", "list the built-in dialects, one a line");
  ArgumentParser show =
      parser.AddSubcommand("show", "print the revisions of a dialect, and its file");
  show.AddOption("NAME", &arguments->name, "a built-in dialect or a file").Required();
  ArgumentParser detect = parser.AddSubcommand("detect", "print the dialect that a trace speaks");
  detect.AddOption("TRACE", &arguments->trace,
                   "tape or cassette, - for standard input (default: the newest tape)");
  parser.RequireSubcommand();
  parser.Footer(kDialectFooter);
  list.Footer(kListDialectsFooter);
  show.Footer(kShowDialectFooter);
  detect.Footer(kDetectDialectFooter);
  return [arguments, list, show] {
    if (list.parsed()) return ListDialects();
    if (show.parsed()) return ShowDialect(arguments->name);
    return Detect(arguments->trace);
  };
}

}  // namespace midwire::tools
