#include "tools/console/paragraphs.h"

#include <algorithm>

#include "wire/json/columns.h"

namespace midwire::tools {
namespace {

// An item begins at two blanks, or a few more; what continues it begins deeper.
constexpr size_t kMostItemIndent = 4;

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
