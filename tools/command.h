// The shape of a subcommand: one file cmd_<name>.cc each, one row in the table of main.cc. A
// command declares its options on a CLI11 app and leaves behind what to run. Results go to stdout,
// diagnostics through spdlog to stderr; the returned int is the exit code (doc/exit-codes.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace midwire::tools {

enum ExitCode : int { kFine = 0, kDifference = 1, kUsage = 2, kDataLost = 3 };

struct Command {
  const char* name;
  const char* purpose;  // one line of `midwire --help`
  // Adds options and a footer with an example; returns what runs after parsing.
  std::function<int()> (*declare)(CLI::App* app);
  // How many words of its own stand before the plugin's command, which begins with the next one or
  // after `--`; -1: it runs none.
  int words_before_plugin = -1;
  bool keeps_descriptors = false;  // those of 0, 1, 2 that are closed stay so
};

// The plugin's command as the host wrote it. main cuts it off before CLI11 sees the line: all of
// it, `--help` and `--` included, belongs to the plugin.
const std::vector<std::string>& PluginCommand();
// Whether `--` stood there, with or without a command behind it: in `check -- $PLUGIN` it may be
// empty.
bool PluginAsked();

std::function<int()> DeclareRecord(CLI::App* app);
std::function<int()> DeclareShow(CLI::App* app);
std::function<int()> DeclareStats(CLI::App* app);
std::function<int()> DeclareConvert(CLI::App* app);
std::function<int()> DeclareRecover(CLI::App* app);
std::function<int()> DeclareReplay(CLI::App* app);
std::function<int()> DeclareMock(CLI::App* app);
std::function<int()> DeclareDiff(CLI::App* app);
std::function<int()> DeclareCheck(CLI::App* app);
std::function<int()> DeclareInfer(CLI::App* app);
std::function<int()> DeclareRedact(CLI::App* app);
std::function<int()> DeclareChaos(CLI::App* app);
std::function<int()> DeclareCorpus(CLI::App* app);
std::function<int()> DeclareFuzz(CLI::App* app);
std::function<int()> DeclareReduce(CLI::App* app);
std::function<int()> DeclareCovFlags(CLI::App* app);
std::function<int()> DeclareCompletion(CLI::App* app);

}  // namespace midwire::tools
