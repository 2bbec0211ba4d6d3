// midwire import: writes a log of another program as a cassette or a tape.
#include <memory>

#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/import_log.h"

namespace midwire::tools {
namespace {

constexpr char kImportFooter[] =
    R"(The format is found by content: VS Code's LSP trace (text and JSON), Neovim's lsp.log, clangd
--log=verbose, Claude Desktop's mcp-server-NAME.log, mcpsnoop, the MCP Inspector's export, lines with a
direction in front of JSON. Two LOGs are the bytes of both directions, such as tee writes in a wrapper
script: the host's and the plugin's. What the log lacks is printed on stderr and noted in the trace.

Exit status: 0 imported, 3 imported, but some messages could not be read.

Examples:
  midwire import ~/.local/state/nvim/lsp.log -o session.jsonl
  midwire import stdin.log stdout.log -o session.jsonl
  midwire import app.log --host 'tx$' --plugin 'rx$' -o session.jsonl
  midwire import calls.jsonl --direction-at /dir --message-at /msg -o session.jsonl
  midwire import calls.jsonl --direction-at /dir --message-at /msg --host-word in -o session.jsonl)";

struct Asked {
  ImportOptions options;
  bool list = false;
};

int Import(const Asked& asked) {
  const ImportOptions& options = asked.options;
  if (asked.list) return ListLogFormats();
  if (options.logs.empty()) return Fail({"no log is named", "", "see: midwire import --help"});
  if (options.logs.size() > 2) {
    return Fail({"more than two logs", options.logs[2], "two are the bytes of both directions"});
  }
  if (options.out.empty()) return Fail({"no output is named", "", "add -o session.jsonl"});
  if (options.host.empty() != options.plugin.empty()) {
    return Fail({"--host and --plugin need each other", "", "add the other one"});
  }
  if (options.direction_at.empty() != options.message_at.empty()) {
    return Fail({"--direction-at and --message-at need each other", "", "add the other one"});
  }
  return ImportOrReport(options);
}

}  // namespace

std::function<int()> DeclareImport(ArgumentParser parser) {
  auto asked = std::make_shared<Asked>();
  ImportOptions* options = &asked->options;
  parser.AddOption("LOG", &options->logs,
                   "the log, - for standard input; or two files, one per direction");
  parser
      .AddOption("-o,--output", &options->out,
                 "the trace to write, - for standard output; an existing file is never overwritten")
      .InUsage();
  parser
      .AddOption("--to", &options->to,
                 "tape or cassette (default: by the extension; to standard output, a cassette)")
      .OneOf({"tape", "cassette"});
  parser.AddOption("--from", &options->from, "the format of the log (default: by its content)")
      .OneOf({"neovim", "clangd", "vscode-json", "vscode-log", "vscode", "claude-desktop",
              "mcpsnoop", "inspector", "arrows", "stream"})
      .TypeName("FORMAT");
  parser
      .AddOption("--host", &options->host,
                 "lines where this matches what is in front of the JSON are the host's messages")
      .TypeName("REGEX")
      .Excludes("--from");
  parser.AddOption("--plugin", &options->plugin, "the same, of the plugin")
      .TypeName("REGEX")
      .Excludes("--from");
  parser
      .AddOption("--direction-at", &options->direction_at,
                 "in a log of JSON objects, the member that names the sender of a message")
      .TypeName("POINTER")
      .Excludes("--from")
      .Excludes("--host");
  parser.AddOption("--message-at", &options->message_at, "the member that has the message")
      .TypeName("POINTER");
  parser
      .AddOption("--time-at", &options->time_at,
                 "the member that has the time: a date, or milliseconds since 1970")
      .TypeName("POINTER")
      .Needs("--direction-at");
  parser
      .AddOption("--host-word", &options->host_word,
                 "the word at --direction-at of the host's messages; those with other words are "
                 "the plugin's (default: out, client, c2s and others; in a log of the plugin, in)")
      .TypeName("WORD")
      .Needs("--direction-at");
  parser.AddFlag("--list", &asked->list, "print the formats and what each lacks");
  parser.Footer(kImportFooter);
  return [asked] { return Import(*asked); };
}

}  // namespace midwire::tools
