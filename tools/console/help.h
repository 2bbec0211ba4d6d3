// The text of --help, from what a command declares (arguments.h): the same description as that of
// the manual pages and of completion. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "tools/console/arguments.h"

namespace midwire::tools {

// How help looks.
struct HelpStyle {
  size_t width = 80;  // columns
  bool bold = false;  // headings
};

// "-o, --output FILE"; "--learn[=N]"; of a positional argument its name.
std::string SignatureOf(const OptionFacts& option);
// Its purpose, with its values, its default and its environment variable.
std::string TextOf(const OptionFacts& option);
// "midwire show [OPTIONS] [TRACE] [FILTER...]"
std::string UsageOf(const ArgumentParser& command);

std::string CommandHelp(const ArgumentParser& command, const HelpStyle& style);
// Of all commands, in their groups.
std::string OverviewHelp(const ArgumentParser& root, const HelpStyle& style);

}  // namespace midwire::tools
