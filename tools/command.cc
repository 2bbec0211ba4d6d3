#include "tools/command.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace midwire::tools {
namespace {

std::vector<std::string> plugin_command;
bool plugin_asked = false;

}  // namespace

const std::vector<std::string>& PluginCommand() { return plugin_command; }

bool PluginAsked() { return plugin_asked; }

Status TakesOneTrace(const std::string& subcommand) {
  if (plugin_asked || plugin_command.empty()) return Ok{};
  const std::string& word = plugin_command.front();
  const bool dashes =
      std::find(plugin_command.begin(), plugin_command.end(), "--") != plugin_command.end();
  const bool data = access(word.c_str(), F_OK) == 0 && access(word.c_str(), X_OK) != 0;
  const bool named = word.ends_with(".pcapng") || word.ends_with(".jsonl");
  if (!dashes || (!data && !named)) return Ok{};
  return Error{subcommand + " takes one trace", word, "run it once for each"};
}

void SetPluginCommand(std::vector<std::string> command, bool asked) {
  plugin_command = std::move(command);
  plugin_asked = asked;
}

}  // namespace midwire::tools
