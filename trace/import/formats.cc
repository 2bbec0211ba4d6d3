#include "trace/import/formats.h"

#include <iterator>

#include "trace/import/entries.h"
#include "trace/import/readers.h"

namespace midwire::trace::import {
namespace {

using wire::Framing;

// Detection takes the first that fits: those with a mark of their own come before those that only
// have messages behind some prefix.
constexpr Format kFormats[] = {
    {"neovim", "lsp.log of Neovim", Framing::kContentLength,
     "fractions of a second, the time zone, headers, the order of members, members that are null, "
     "which server a message belongs to",
     IsNeovim, ReadNeovim},
    {"clangd", "clangd --log=verbose", Framing::kContentLength, "dates, headers", IsClangd,
     ReadClangd},
    {"vscode-json", "VS Code's LSP trace as JSON (also of the LSP Inspector)",
     Framing::kContentLength, "headers, stderr", IsVsCodeJson, ReadVsCodeJson},
    {"vscode-log", "VS Code's LSP trace in a log channel", Framing::kContentLength,
     "the time zone, headers, the order of members, whether an id is a number or a string, members "
     "of an error's message beyond code, message and data",
     IsVsCodeLog, ReadVsCodeLog},
    {"vscode", "VS Code's LSP trace as text", Framing::kContentLength,
     "dates, fractions of a second, headers, the order of members, whether an id is a number or a "
     "string, members of an error's message beyond code, message and data",
     IsVsCodeText, ReadVsCodeText},
    {"claude-desktop", "mcp-server-NAME.log of Claude Desktop", Framing::kLine,
     "the bytes around messages", IsClaude, ReadClaude},
    {"mcpsnoop", "session log of mcpsnoop", Framing::kLine, "the bytes around messages", IsSnoop,
     ReadSnoop},
    {"inspector", "history that the MCP Inspector exports", Framing::kLine,
     "stderr, the order of messages that overlap", IsInspector, ReadInspector},
    {"arrows", "lines with a direction in front of JSON", Framing::kAuto,
     "times, headers, the bytes around messages", HasArrows, ReadArrows},
    {"stream", "the bytes of one direction, such as tee writes", Framing::kAuto,
     "times, the other direction, stderr", IsOneStream, ReadOneStream},
};

}  // namespace

std::span<const Format> Formats() { return kFormats; }

const Format* FormatNamed(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const Format* Detect(std::string_view log) {
  const std::string_view start = StartOf(log);
  for (const Format& format : kFormats) {
    if (format.detects(start)) return &format;
  }
  return nullptr;
}

wire::Framing GuessFraming(std::string_view log) {
  constexpr std::string_view kFramed[] = {"\"textDocument\"", "\"rootUri\"", "\"request_seq\"",
                                          "\"adapterID\"", "\"textDocument/"};
  const std::string_view start = StartOf(log);
  for (const std::string_view word : kFramed) {
    if (start.find(word) != start.npos) return Framing::kContentLength;
  }
  return Framing::kLine;
}

}  // namespace midwire::trace::import
