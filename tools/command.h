// A subcommand: one file commands/<name>.cc and one row of the table in main.cc. It declares its
// options on a CLI11 app and returns a function that runs it. Results go to stdout, diagnostics
// (console/diagnostics.h) to stderr. The function returns the exit code (doc/exit-codes.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/console/exit_code.h"

namespace CLI {
class App;
}

namespace midwire::tools {

struct Command {
  const char* name;
  const char* purpose;  // one line of `midwire --help`
  // Adds options and a footer with an example; returns what runs after parsing.
  std::function<int()> (*declare)(CLI::App* app);
  // The number of midwire's own positional arguments before the plugin's command, which begins with
  // the next word or after `--`. -1: the subcommand runs no plugin.
  int words_before_plugin = -1;
  bool keeps_descriptors = false;  // closed descriptors among 0, 1, 2 stay closed
};

// The plugin's command as the host wrote it. main removes it before CLI11 parses the rest, so that
// all of it, including `--help` and `--`, reaches the plugin.
const std::vector<std::string>& PluginCommand();
// Whether the command line has `--`, with or without a command after it: in `check -- $PLUGIN` the
// variable may be empty.
bool PluginAsked();
// Before a subcommand runs.
void SetPluginCommand(std::vector<std::string> command, bool asked);

std::function<int()> DeclareRecord(CLI::App* app);
std::function<int()> DeclareShow(CLI::App* app);
std::function<int()> DeclareStats(CLI::App* app);
std::function<int()> DeclareReport(CLI::App* app);
std::function<int()> DeclareExport(CLI::App* app);
std::function<int()> DeclareView(CLI::App* app);
std::function<int()> DeclareBundle(CLI::App* app);
std::function<int()> DeclareConvert(CLI::App* app);
std::function<int()> DeclareRecover(CLI::App* app);
std::function<int()> DeclareReplay(CLI::App* app);
std::function<int()> DeclareMock(CLI::App* app);
std::function<int()> DeclareDiff(CLI::App* app);
std::function<int()> DeclareCheck(CLI::App* app);
std::function<int()> DeclareInfer(CLI::App* app);
std::function<int()> DeclareDialect(CLI::App* app);
std::function<int()> DeclareRedact(CLI::App* app);
std::function<int()> DeclareChaos(CLI::App* app);
std::function<int()> DeclareCorpus(CLI::App* app);
std::function<int()> DeclareFuzz(CLI::App* app);
std::function<int()> DeclareReduce(CLI::App* app);
std::function<int()> DeclareCovFlags(CLI::App* app);
std::function<int()> DeclareWrap(CLI::App* app);
std::function<int()> DeclareUnwrap(CLI::App* app);
std::function<int()> DeclareDoctor(CLI::App* app);
std::function<int()> DeclareClean(CLI::App* app);
std::function<int()> DeclareCompletion(CLI::App* app);

// `dialect list`, which is `check --list` too.
int ListDialects();

}  // namespace midwire::tools
