// Words of a shell command, for commands that a person copies and for files that a shell reads.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace midwire::tools {

// Whether a shell takes the character as it is, anywhere in a word.
bool IsShellPlain(char c);

// One word: quoted only where that is needed. The bytes stay: what goes to a terminal is escaped
// as a whole afterwards.
std::string AsShellWord(std::string_view word);
// The same, always in single quotes: for words that are printed in a column of their kind.
std::string ShellQuoted(std::string_view word);

}  // namespace midwire::tools
