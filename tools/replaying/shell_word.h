// Text from a plugin as one word of a shell command, for output that a person copies.
#pragma once

#include <string>
#include <string_view>

#include "wire/json/escape.h"

namespace midwire::tools {

// In single quotes, escaped for terminals.
inline std::string ShellWord(std::string_view text) {
  std::string quoted = "'";
  for (const char c : wire::Escaped(text)) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  return quoted + "'";
}

}  // namespace midwire::tools
