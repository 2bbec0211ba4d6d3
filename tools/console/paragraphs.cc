#include "tools/console/paragraphs.h"

#include <algorithm>

#include "wire/json/columns.h"

namespace midwire::tools {
namespace {

// An item begins at two blanks, or a few more; what continues it begins deeper.
constexpr size_t kMostItemIndent = 4;

constexpr size_t kExampleIndent = 2, kContinuedIndent = 6;

// The first word of a command line, with the blanks within its quotes.
std::string_view FirstWord(std::string_view line) {
  char quote = '\0';
  for (size_t i = 0; i < line.size(); ++i) {
    if (quote != '\0') {
      if (line[i] == quote) quote = '\0';
    } else if (line[i] == '\'' || line[i] == '"') {
      quote = line[i];
    } else if (line[i] == ' ') {
      return line.substr(0, i);
    }
  }
  return line;
}

size_t IndentOf(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

}  // namespace

void AppendWrapped(std::string_view text, size_t at, size_t indent, size_t width,
                   std::string* out) {
  bool first = true;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    const std::string_view word = text.substr(0, text.find(' '));
    const size_t columns = wire::ColumnsOf(word);
    if (!first && at + 1 + columns > width) {
      *out += '\n';
      out->append(indent, ' ');
      at = indent;
      first = true;
    }
    if (!first) *out += ' ';
    at += columns + !first;
    *out += word;
    first = false;
    text.remove_prefix(word.size());
  }
  *out += '\n';
}

void AppendListed(std::string_view name, size_t column, std::string_view text, size_t width,
                  std::string* out) {
  constexpr size_t kLeastListed = 24, kListedIndent = 4;
  const size_t start = out->size();
  *out += name;
  wire::PadRight(start, column, out);
  if (width == 0) {
    out->append(text).append("\n");
    return;
  }
  const bool fits = column + kLeastListed <= width;
  AppendWrapped(text, column, fits ? column : kListedIndent, width, out);
}

void AppendExample(std::string_view example, size_t width, std::string* out) {
  out->append(kExampleIndent, ' ');
  if (kExampleIndent + wire::ColumnsOf(example) <= width) {
    out->append(example).append("\n");
    return;
  }
  const size_t gap = std::min(example.find("  "), example.size());
  std::string_view command = example.substr(0, gap), text = example.substr(gap);
  for (size_t at = kExampleIndent; !command.empty();) {
    const std::string_view word = FirstWord(command);
    const size_t columns = wire::ColumnsOf(word);
    if (at > kExampleIndent) {
      const bool last = word.size() == command.size();
      const bool fits = at + 1 + columns + (last ? 0 : sizeof " \\" - 1) <= width;
      *out += fits ? " " : " \\\n" + std::string(kContinuedIndent, ' ');
      at = fits ? at + 1 : kContinuedIndent;
    }
    *out += word;
    at += columns;
    command.remove_prefix(std::min(word.size() + 1, command.size()));
  }
  *out += '\n';
  text.remove_prefix(IndentOf(text));
  if (text.empty()) return;
  out->append(kContinuedIndent, ' ');
  AppendWrapped(text, kContinuedIndent, kContinuedIndent, width, out);
}

std::vector<HelpPart> PartsOf(std::string_view footer) {
  std::vector<HelpPart> parts;
  bool begins = true;
  while (!footer.empty()) {
    const std::string_view line = footer.substr(0, footer.find('\n'));
    footer.remove_prefix(std::min(line.size() + 1, footer.size()));
    if (line.empty()) {
      begins = true;
      continue;
    }
    const size_t indent = IndentOf(line);
    HelpPart* const last = begins || parts.empty() ? nullptr : &parts.back();
    if (line == "Examples:" || line == "Example:") {
      parts.emplace_back().kind = HelpPart::Kind::kExamples;
    } else if (last != nullptr && last->kind == HelpPart::Kind::kExamples) {
      last->lines.emplace_back(line.substr(indent));
    } else if (last != nullptr &&
               (indent > kMostItemIndent || (indent == 0 && last->kind == HelpPart::Kind::kText))) {
      last->text += ' ';
      last->text += line.substr(indent);
    } else {
      HelpPart& part = parts.emplace_back();
      part.kind = indent == 0 ? HelpPart::Kind::kText : HelpPart::Kind::kItem;
      part.text = line;
      part.begins = begins;
    }
    begins = false;
  }
  return parts;
}

}  // namespace midwire::tools
