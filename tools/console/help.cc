#include "tools/console/help.h"

#include <algorithm>
#include <vector>

#include "tools/console/paragraphs.h"
#include "wire/json/columns.h"

namespace midwire::tools {
namespace {

// Longer signatures have a line of their own.
constexpr size_t kMostSignature = 26;
// Below this, a second column has no room for words.
constexpr size_t kLeastText = 24;
constexpr size_t kItemIndent = 2, kGapOfColumns = 2;

// A signature or a name, and its text in a second column.
struct HelpRow {
  std::string left, right;
};

void AppendHeading(std::string_view text, const HelpStyle& style, std::string* out) {
  if (!out->empty()) *out += '\n';
  if (style.bold) *out += "\x1b[1m";
  *out += text;
  *out += ':';
  if (style.bold) *out += "\x1b[0m";
  *out += '\n';
}

size_t LeftWidth(const std::vector<HelpRow>& rows) {
  size_t width = 0;
  for (const HelpRow& row : rows) {
    const size_t columns = wire::ColumnsOf(row.left);
    if (columns <= kMostSignature) width = std::max(width, columns);
  }
  return width;
}

void AppendRows(const std::vector<HelpRow>& rows, size_t left, const HelpStyle& style,
                std::string* out) {
  size_t column = kItemIndent + left + kGapOfColumns;
  const bool stacked = column + kLeastText > style.width;
  if (stacked) column = 3 * kItemIndent;
  for (const HelpRow& row : rows) {
    out->append(kItemIndent, ' ');
    *out += row.left;
    const size_t used = kItemIndent + wire::ColumnsOf(row.left);
    if (used + kGapOfColumns <= column) {
      out->append(column - used, ' ');
    } else {
      *out += '\n';
      out->append(column, ' ');
    }
    AppendWrapped(row.right, column, column, style.width, out);
  }
}

// "  name   text": the text of an item is wrapped at its own column.
void AppendItem(const std::string& line, const HelpStyle& style, std::string* out) {
  const size_t indent = line.find_first_not_of(' ');
  const size_t gap = line.find("  ", indent);
  const size_t second = gap == line.npos ? line.npos : line.find_first_not_of(' ', gap);
  const bool fits = second != line.npos && second + kLeastText <= style.width;
  const size_t at = fits ? second : indent;
  *out += line.substr(0, at);
  AppendWrapped(std::string_view(line).substr(at), at, fits ? at : indent + kItemIndent,
                style.width, out);
}

void AppendFooter(const std::string& footer, const HelpStyle& style, std::string* out) {
  for (const HelpPart& part : PartsOf(footer)) {
    if (part.kind == HelpPart::Kind::kExamples) {
      AppendHeading(part.lines.size() == 1 ? "Example" : "Examples", style, out);
      for (const std::string& line : part.lines) AppendExample(line, style.width, out);
      continue;
    }
    if (part.begins) *out += '\n';
    if (part.kind == HelpPart::Kind::kItem) {
      AppendItem(part.text, style, out);
    } else {
      AppendWrapped(part.text, 0, 0, style.width, out);
    }
  }
}

}  // namespace

std::string TextOf(const OptionFacts& option) {
  std::string text = option.purpose;
  if (!option.choices.empty() && !option.names.empty()) {
    std::string choices;
    for (const std::string& choice : option.choices) {
      choices += (choices.empty() ? "" : ", ") + choice;
    }
    // Most texts explain their values one by one.
    if (text.find(option.choices.front()) == text.npos ||
        text.find(option.choices.back()) == text.npos) {
      text += ": " + choices;
    }
  }
  if (!option.shown_default.empty()) text += " (default " + option.shown_default + ")";
  if (option.required && !option.names.empty()) text += " (required)";
  if (!option.environment.empty()) text += " [" + option.environment + "]";
  return text;
}

std::string SignatureOf(const OptionFacts& option) {
  if (option.names.empty()) return option.name;
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + name;
  // Long names in one column.
  if (text.starts_with("--")) text = "    " + text;
  if (option.optional_value) return text + "[=" + option.metavar + "]";
  return option.metavar.empty() ? text : text + " " + option.metavar;
}

std::string UsageOf(const ArgumentParser& command) {
  std::string usage = command.path() + " [OPTIONS]", plugin;
  for (const OptionFacts& option : command.options()) {
    if (!option.names.empty()) {
      if (option.required || option.in_usage)
        usage += " " + option.names.front() + " " + option.metavar;
    } else if (option.name == "PLUGIN") {
      plugin = " " + (option.usage.empty() ? "[--] PLUGIN [ARGS...]" : option.usage);
    } else {
      const std::string name = option.name + (option.repeats ? "..." : "");
      usage += option.required ? " " + name : " [" + name + "]";
    }
  }
  if (!command.subcommands().empty()) usage = command.path() + " COMMAND [OPTIONS]";
  return usage + plugin;
}

std::string CommandHelp(const ArgumentParser& command, const HelpStyle& style) {
  std::string text;
  AppendWrapped(command.path() + ": " + command.purpose(), 0, 2, style.width, &text);
  AppendHeading("Usage", style, &text);
  text += "  ";
  AppendWrapped(UsageOf(command), 2, 6, style.width, &text);
  std::vector<HelpRow> arguments, options;
  for (const OptionFacts& option : command.options()) {
    auto& rows = option.names.empty() ? arguments : options;
    rows.push_back({SignatureOf(option), TextOf(option)});
  }
  std::vector<HelpRow> commands;
  for (const ArgumentParser& sub : command.subcommands()) {
    commands.push_back({sub.name(), sub.purpose()});
  }
  const size_t left = std::max({LeftWidth(commands), LeftWidth(arguments), LeftWidth(options)});
  if (!commands.empty()) {
    AppendHeading("Commands", style, &text);
    AppendRows(commands, left, style, &text);
  }
  if (!arguments.empty()) {
    AppendHeading("Arguments", style, &text);
    AppendRows(arguments, left, style, &text);
  }
  AppendHeading("Options", style, &text);
  AppendRows(options, left, style, &text);
  AppendFooter(command.footer(), style, &text);
  return text;
}

std::string OverviewHelp(const ArgumentParser& root, const HelpStyle& style) {
  std::string text;
  AppendWrapped(root.purpose(), 0, 0, style.width, &text);
  AppendHeading("Usage", style, &text);
  text += "  midwire COMMAND [OPTIONS] ...\n";
  const std::vector<ArgumentParser> commands = root.subcommands();
  std::vector<HelpRow> all;
  for (const ArgumentParser& command : commands) all.push_back({command.name(), ""});
  const size_t left = LeftWidth(all);
  for (size_t i = 0; i < commands.size();) {
    const std::string group = commands[i].group();
    AppendHeading(group, style, &text);
    std::vector<HelpRow> rows;
    for (; i < commands.size() && commands[i].group() == group; ++i) {
      rows.push_back({commands[i].name(), commands[i].purpose()});
    }
    AppendRows(rows, left, style, &text);
  }
  AppendHeading("Options", style, &text);
  std::vector<HelpRow> rows;
  for (const OptionFacts& option : root.options()) {
    rows.push_back({SignatureOf(option), option.purpose});
  }
  AppendRows(rows, LeftWidth(rows), style, &text);
  AppendFooter(root.footer(), style, &text);
  return text;
}

}  // namespace midwire::tools
