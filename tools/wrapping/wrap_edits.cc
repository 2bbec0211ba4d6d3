#include "tools/wrapping/wrap_edits.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tools/console/shell_word.h"
#include "tools/wrapping/shell_line.h"
#include "wire/json/quote.h"

namespace midwire::tools {
namespace {

using Kind = ConfigNode::Kind;

constexpr std::string_view kBlanks = " \t";
// With them, VS Code and hosts made of it begin the name of a file, which they do not split at
// blanks.
constexpr std::string_view kHostFolders[] = {"${workspaceFolder", "${userHome}", "${env:"};

// "server: reason", of an error that leaves the file as it is.
Error Refused(const Server& server, std::string reason) {
  return {"\"" + server.name + "\": " + std::move(reason), "", "edit it by hand"};
}

std::string RawOf(const Config& config, const ConfigNode& node) {
  return config.bytes.substr(node.from, node.to - node.from);
}

std::string Joined(const std::vector<std::string>& texts, const std::string& between) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : between) + text;
  return joined;
}

// Quoted as JSON, TOML and YAML all read it.
std::vector<std::string> FrontWords(std::string_view mark) {
  std::string marked(kMark);
  if (!mark.empty()) marked += "=" + std::string(mark);
  return {"\"record\"", "\"" + marked + "\"", "\"--\""};
}

// What is between the beginning of the line and `at`.
std::string_view LineBefore(std::string_view bytes, size_t at) {
  const size_t line = at == 0 ? std::string_view::npos : bytes.rfind('\n', at - 1);
  const size_t from = line == std::string_view::npos ? 0 : line + 1;
  return bytes.substr(from, at - from);
}

// As the lines around `at` end.
std::string LineEnd(std::string_view bytes, size_t at) {
  size_t end = bytes.find('\n', at);
  if (end == std::string_view::npos) end = bytes.rfind('\n');
  const bool crlf = end != std::string_view::npos && end > 0 && bytes[end - 1] == '\r';
  return crlf ? "\r\n" : "\n";
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(kBlanks) == std::string_view::npos;
}

// Where an item of a YAML list without brackets begins: at its dash. npos: not found.
size_t DashOf(std::string_view bytes, const ConfigNode& item) {
  size_t at = item.from;
  while (at > 0 && (bytes[at - 1] == ' ' || bytes[at - 1] == '\t')) --at;
  const bool dash = at > 0 && bytes[at - 1] == '-' && IsBlank(LineBefore(bytes, at - 1));
  return dash ? at - 1 : std::string_view::npos;
}

// What separates the items of a list that begins at `at`, in the style of the list.
std::string BetweenItems(const Config& config, const ConfigNode& list) {
  if (list.bracketed) return ", ";
  const size_t dash = DashOf(config.bytes, list.items[0]);
  return LineEnd(config.bytes, dash) + std::string(LineBefore(config.bytes, dash)) + "- ";
}

// Puts `words` before the items of a list.
Result<Edit> InsertItems(const Config& config, const Server& server, const ConfigNode& list,
                         const std::vector<std::string>& words) {
  if (config.bytes[list.from] == '&') return Refused(server, "its list has an anchor (&)");
  if (list.bracketed) {
    const bool empty = list.items.empty();
    const size_t at = empty ? list.inside : list.items[0].from;
    return Edit{at, at, Joined(words, ", ") + (empty ? "" : ", ")};
  }
  const size_t dash = list.items.empty() ? std::string::npos : DashOf(config.bytes, list.items[0]);
  if (dash == std::string::npos) return Refused(server, "its list is not understood");
  const std::string between = BetweenItems(config, list);
  return Edit{dash, dash, "- " + Joined(words, between) + between.substr(0, between.size() - 2)};
}

// Removes the first `count` items of a list.
Result<Edit> RemoveItems(const Config& config, const Server& server, const ConfigNode& list,
                         size_t count) {
  const std::string_view bytes = config.bytes;
  const bool rest = list.items.size() > count;
  if (list.bracketed) {
    const size_t from = list.items[0].from;
    if (rest) return Edit{from, list.items[count].from, ""};
    size_t to = list.items[count - 1].to;
    const size_t next = bytes.find_first_not_of(" \t\r\n", to);
    if (next != std::string_view::npos && bytes[next] == ',') to = next + 1;
    return Edit{from, to, ""};
  }
  const size_t from = DashOf(bytes, list.items[0]);
  const size_t to = rest ? DashOf(bytes, list.items[count]) : std::string_view::npos;
  if (from == std::string_view::npos || to == std::string_view::npos) {
    return Refused(server, "its list was changed since");
  }
  return Edit{from, to, ""};
}

// A list of arguments, as a new member before the command.
Result<Edit> InsertList(const Config& config, const Server& server,
                        const std::vector<std::string>& words) {
  const std::string_view bytes = config.bytes;
  const size_t at = server.command->name_from;
  const std::string_view before = LineBefore(bytes, at);
  const std::string name = server.command->prefix + std::string(server.args_name);
  const std::string list = "[" + Joined(words, ", ") + "]";
  const auto edit = [&](std::string text) { return Edit{at, at, std::move(text)}; };
  // In brackets: a comma, and the line break that is before the command.
  const bool line = IsBlank(before);
  const std::string comma =
      line ? "," + LineEnd(bytes, at - before.size() - (before.size() < at ? 1 : 0)) +
                 std::string(before)
           : ", ";
  switch (config.format) {
    case ConfigFormat::kJson:
      return edit("\"" + name + "\": " + list + comma);
    case ConfigFormat::kToml:
      if (server.table->bracketed) return edit(name + " = " + list + ", ");
      if (!line) break;
      return edit(name + " = " + list + LineEnd(bytes, at) + std::string(before));
    case ConfigFormat::kYaml: {
      if (server.table->bracketed) return edit(name + ": " + list + comma);
      std::string indent(before);
      std::replace(indent.begin(), indent.end(), '-', ' ');
      if (!IsBlank(indent)) break;
      const std::string end = LineEnd(bytes, at) + indent;
      return edit(name + ":" + end + "  - " + Joined(words, end + "  - ") + end);
    }
  }
  return Refused(server, "there is no place for its arguments");
}

// Where a list ends.
size_t EndOf(const ConfigNode& list) {
  return list.bracketed || list.items.empty() ? list.to : list.items.back().to;
}

// Removes the list that InsertList made. False: it is elsewhere now.
bool RemoveList(const Config& config, const Server& server, std::vector<Edit>* edits) {
  const size_t end = EndOf(server.args->value), next = server.command->name_from;
  if (server.args->name_from >= next || end > next) return false;
  std::string_view between = std::string_view(config.bytes).substr(end, next - end);
  if (std::count(between.begin(), between.end(), ',') > 1) return false;
  if (between.find_first_not_of(" \t\r\n,") != std::string_view::npos) return false;
  edits->push_back({server.args->name_from, next, ""});
  return true;
}

// The text of a command between its quotes.
struct RawLine {
  size_t from = 0, to = 0;
  char quote = '\0';
};

RawLine LineIn(const Config& config, const ConfigNode& text) {
  RawLine line{text.inside, text.to, '\0'};
  const char before = text.inside > text.from ? config.bytes[text.inside - 1] : '\0';
  if (before == '"' || before == '\'') {
    line.quote = before;
    --line.to;
  }
  return line;
}

Result<std::vector<Edit>> WrapLine(const Config& config, const Server& server,
                                   const std::string& midwire) {
  const RawLine line = LineIn(config, server.command->value);
  const bool plain = IsPlainLine(server.command->value.text);
  const std::string front = AsShellWord(midwire) + " record " + std::string(kMark) + "=" +
                            std::string(plain ? kMarkLine : kMarkShell);
  const bool quotable = midwire.find_first_of("\"'\\") == std::string::npos &&
                        (line.quote != '\'' || front[0] != '\'');
  const auto behind =
      LineBehind(front, std::string_view(config.bytes).substr(line.from, line.to - line.from),
                 line.quote, plain);
  if (!behind || !quotable || line.to < line.from) {
    return Refused(server, "its command is a line for a shell that cannot be quoted");
  }
  return std::vector<Edit>{{line.from, line.to, *behind}};
}

Result<std::vector<Edit>> UnwrapLine(const Config& config, const Server& server, bool plain) {
  const RawLine line = LineIn(config, server.command->value);
  const auto old = LineOf(std::string_view(config.bytes).substr(line.from, line.to - line.from),
                          line.quote, plain);
  if (!old) return Refused(server, "its command was changed since");
  return std::vector<Edit>{{line.from, line.to, *old}};
}

}  // namespace

Result<std::vector<Edit>> EditsToWrap(const Config& config, const Server& server,
                                      const WrapOptions& options) {
  const ConfigNode& command = server.command->value;
  const std::string midwire = wire::JsonString(options.midwire);
  const bool has_anchor = config.bytes[server.table->from] == '&';
  if (has_anchor && config.bytes.find("<<") != std::string::npos) {
    return Refused(server, "others may take parts of it (& and <<)");
  }
  if (command.is(Kind::kList)) {
    std::vector<std::string> words = FrontWords("");
    words.insert(words.begin(), midwire);
    const auto edit = InsertItems(config, server, command, words);
    if (!edit) return edit.error();
    return std::vector<Edit>{*edit};
  }
  if (command.to == command.from) return Refused(server, "its command is in several lines");
  const bool blanks = command.is(Kind::kText) && command.text.find(' ') != std::string::npos;
  const bool no_words = server.args == nullptr || server.args->value.items.empty();
  const bool in_folder =
      std::any_of(std::begin(kHostFolders), std::end(kHostFolders),
                  [&](std::string_view folder) { return command.text.starts_with(folder); });
  if (blanks && no_words && !in_folder && !options.is_file(command.text)) {
    return WrapLine(config, server, options.midwire);
  }
  std::vector<std::string> words = FrontWords(server.args == nullptr ? kMarkNew : "");
  words.push_back(RawOf(config, command));
  const auto list = server.args == nullptr ? InsertList(config, server, words)
                                           : InsertItems(config, server, server.args->value, words);
  if (!list) return list.error();
  return std::vector<Edit>{*list, {command.from, command.to, midwire}};
}

Result<std::vector<Edit>> EditsToUnwrap(const Config& config, const Server& server) {
  const ConfigNode& command = server.command->value;
  const size_t word = PluginWord(server.words);
  if (word == 0) {  // a line: its words are in it
    const std::string shell = " " + std::string(kMark) + "=" + std::string(kMarkShell) + " ";
    return UnwrapLine(config, server, command.text.find(shell) == std::string::npos);
  }
  std::vector<Edit> edits;
  if (command.is(Kind::kList)) {
    const auto edit = RemoveItems(config, server, command, word);
    if (!edit) return edit.error();
    return std::vector<Edit>{*edit};
  }
  const ConfigNode& list = server.args->value;
  const ConfigNode& plugin = list.items[word - 1];  // the first word is the command
  if (plugin.to == plugin.from) return Refused(server, "its command is in several lines");
  edits.push_back({command.from, command.to, RawOf(config, plugin)});
  const bool all = list.items.size() == word;
  if (all && MarkOf(server.words) == kMarkNew && RemoveList(config, server, &edits)) return edits;
  const auto edit = RemoveItems(config, server, list, word);
  if (!edit) return edit.error();
  edits.push_back(*edit);
  return edits;
}

}  // namespace midwire::tools
