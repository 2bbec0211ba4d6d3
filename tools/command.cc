#include "tools/command.h"

#include <utility>

namespace midwire::tools {
namespace {

std::vector<std::string> plugin_command;
bool plugin_asked = false;

}  // namespace

const std::vector<std::string>& PluginCommand() { return plugin_command; }

bool PluginAsked() { return plugin_asked; }

void SetPluginCommand(std::vector<std::string> command, bool asked) {
  plugin_command = std::move(command);
  plugin_asked = asked;
}

}  // namespace midwire::tools
