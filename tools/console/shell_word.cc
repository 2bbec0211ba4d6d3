#include "tools/console/shell_word.h"

#include <algorithm>

#include "wire/json/ascii.h"

namespace midwire::tools {

bool IsShellPlain(char c) {
  return wire::IsAlphanumeric(c) ||
         std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

std::string AsShellWord(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), IsShellPlain)) {
    return std::string(word);
  }
  return ShellQuoted(word);
}

std::string ShellQuoted(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  return quoted + "'";
}

}  // namespace midwire::tools
