// A subcommand: one file commands/<name>.cc and one row of the table in main.cc. It declares its
// options in an ArgumentParser and returns a function that runs it. Results go to stdout,
// diagnostics (console/diagnostics.h) to stderr. The function returns the exit code
// (doc/exit-codes.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/console/exit_code.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

class ArgumentParser;

struct Command {
  const char* name;
  const char* group;    // its heading in `midwire --help`
  const char* purpose;  // one line there
  // Adds options and a footer with an example; returns what runs after parsing.
  std::function<int()> (*declare)(ArgumentParser parser);
  // The number of midwire's own positional arguments before the plugin's command, which begins with
  // the next word or after `--`. -1: the subcommand runs no plugin.
  int words_before_plugin = -1;
  bool keeps_descriptors = false;  // closed descriptors among 0, 1, 2 stay closed
};

// The plugin's command as the host wrote it. main removes it before the rest is parsed, so that
// all of it, including `--help` and `--`, reaches the plugin.
const std::vector<std::string>& PluginCommand();
// Whether the command line has `--`, with or without a command after it: in `check -- $PLUGIN` the
// variable may be empty.
bool PluginAsked();
// Of a subcommand with one trace before the plugin's command: an error if a second file stands
// there, which would be started as the plugin: `replay a.pcapng b.pcapng -- PLUGIN`.
Status TakesOneTrace(const std::string& subcommand);
// Before a subcommand runs.
void SetPluginCommand(std::vector<std::string> command, bool asked);

std::function<int()> DeclareRecord(ArgumentParser parser);
std::function<int()> DeclareList(ArgumentParser parser);
std::function<int()> DeclareShow(ArgumentParser parser);
std::function<int()> DeclareStats(ArgumentParser parser);
std::function<int()> DeclareReport(ArgumentParser parser);
std::function<int()> DeclareExport(ArgumentParser parser);
std::function<int()> DeclareView(ArgumentParser parser);
std::function<int()> DeclareBundle(ArgumentParser parser);
std::function<int()> DeclareConvert(ArgumentParser parser);
std::function<int()> DeclareImport(ArgumentParser parser);
std::function<int()> DeclareRecover(ArgumentParser parser);
std::function<int()> DeclareReplay(ArgumentParser parser);
std::function<int()> DeclareMock(ArgumentParser parser);
std::function<int()> DeclareDiff(ArgumentParser parser);
std::function<int()> DeclareCheck(ArgumentParser parser);
std::function<int()> DeclareInfer(ArgumentParser parser);
std::function<int()> DeclareDialect(ArgumentParser parser);
std::function<int()> DeclareRedact(ArgumentParser parser);
std::function<int()> DeclareChaos(ArgumentParser parser);
std::function<int()> DeclareCorpus(ArgumentParser parser);
std::function<int()> DeclareFuzz(ArgumentParser parser);
std::function<int()> DeclareFindings(ArgumentParser parser);
std::function<int()> DeclareReduce(ArgumentParser parser);
std::function<int()> DeclareCovFlags(ArgumentParser parser);
std::function<int()> DeclareWrap(ArgumentParser parser);
std::function<int()> DeclareUnwrap(ArgumentParser parser);
std::function<int()> DeclareDoctor(ArgumentParser parser);
std::function<int()> DeclareClean(ArgumentParser parser);
std::function<int()> DeclareWireshark(ArgumentParser parser);
std::function<int()> DeclareHelp(ArgumentParser parser);
std::function<int()> DeclareCompletion(ArgumentParser parser);

// An error says which name is like it.
Result<ArgumentParser> FindSubcommand(const ArgumentParser& parent, const std::string& name);
// Prints the help of a command, as wide as the terminal. root: the list of all commands.
int PrintHelp(const ArgumentParser& command, bool root);

// `dialect list`, which is `check --list` too.
int ListDialects();

}  // namespace midwire::tools
