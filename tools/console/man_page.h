// Manual pages, from what a command declares: the same description as that of --help. Called by
// help --man-pages. Pure.
#pragma once

#include <string>

#include "tools/console/arguments.h"

namespace midwire::tools {

// "midwire-show" of a command, "midwire" of the root: the page's name.
std::string ManPageName(const ArgumentParser& command);
// In man(7). Of the root: all commands, in their groups. `version`: "midwire 0.1.0".
std::string ManPage(const ArgumentParser& command, const std::string& version);

}  // namespace midwire::tools
