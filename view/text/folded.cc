#include "view/text/folded.h"

#include <algorithm>

#include "wire/json/columns.h"

namespace midwire::view {
namespace {

// Narrower columns hold hardly a word per line, and are harder to read than what a terminal wraps.
constexpr size_t kLeastFolded = 20;

}  // namespace

void AppendFolded(std::string_view text, size_t used, size_t indent, size_t width,
                  std::string* out) {
  if (width < indent + kLeastFolded) {
    *out += text;
    return;
  }
  const auto begin_line = [&] {
    *out += '\n';
    out->append(indent, ' ');
    used = indent;
  };
  while (!text.empty()) {
    const size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    const size_t end = std::min(text.find(' ', blanks), text.size());
    std::string_view word = text.substr(blanks, end - blanks);
    const size_t columns = wire::ColumnsOf(word);
    if (used + blanks + columns > width && used > indent) {
      begin_line();
    } else {
      out->append(blanks, ' ');
      used += blanks;
    }
    text.remove_prefix(end);
    while (used + wire::ColumnsOf(word) > width) {
      const size_t part = std::max<size_t>(wire::PrefixOfColumns(word, width - used), 1);
      *out += word.substr(0, part);
      word.remove_prefix(part);
      begin_line();
    }
    *out += word;
    used += wire::ColumnsOf(word);
  }
}

}  // namespace midwire::view
