// Texts of help, wrapped at the width of the terminal. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::tools {

// Appends the words of `text`, at most `width` columns per line. The first line begins at column
// `at`, where the caller is, the others at column `indent`. Ends with a line end.
void AppendWrapped(std::string_view text, size_t at, size_t indent, size_t width, std::string* out);

// Appends a name, padded to `column`, and its text: a row of a list. On a terminal (`width` is not
// 0) the text is wrapped at its column, or below the name where that leaves it no room.
void AppendListed(std::string_view name, size_t column, std::string_view text, size_t width,
                  std::string* out);

// Appends an example of a command line, indented. One that is too wide is broken with a backslash
// between two words, so that it can still be copied. A text two blanks behind it explains it and
// gets a line of its own.
void AppendExample(std::string_view example, size_t width, std::string* out);

// A text of a command's footer in its parts. Parts are separated by empty lines.
struct HelpPart {
  enum class Kind { kText, kItem, kExamples };
  Kind kind = Kind::kText;
  std::string text;                // of kText: one line. Of kItem: the line, as it was indented
  std::vector<std::string> lines;  // of kExamples, without their indentation
  bool begins = true;              // an empty line comes before it
};
// Lines of a text are joined, as they are wrapped again. An indented line is an item, which may
// have two columns; a line that is indented deeper continues it.
std::vector<HelpPart> PartsOf(std::string_view footer);

}  // namespace midwire::tools
