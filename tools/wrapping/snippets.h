// What to paste into an editor that is configured by code, so that it starts a plugin through
// midwire: `midwire wrap --snippet`. A table of texts; pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

struct Snippet {
  std::string_view name;     // of --snippet
  std::string_view about;    // where it goes, and whether it was tested
  std::string_view comment;  // how a line of comment begins
  std::string_view list;     // what surrounds the words: "{ }", "[ ]", "( )"
  std::string_view between;  // what separates them
  std::string_view text;     // {name}, {command}: a list of all words; {first}, {rest}
};

std::span<const Snippet> Snippets();

// `command`: with midwire in front. An error: no such snippet, or a word that cannot be quoted.
Result<std::string> MakeSnippet(std::string_view name, const std::vector<std::string>& front,
                                const std::vector<std::string>& plugin);

}  // namespace midwire::tools
