// A subcommand: one file commands/<name>.cc and one row of the table in main.cc. It declares its
// options in an ArgumentParser and returns a function that runs it. Results go to stdout,
// diagnostics (console/diagnostics.h) to stderr. The function returns the exit code
// (doc/exit-codes.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/console/diagnostics.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

class ArgumentParser;

// Adds options and a footer with an example; returns what runs after parsing.
using Declarer = std::function<int()>(ArgumentParser parser);

struct Command {
  const char* name;
  const char* group;    // its heading in `midwire --help`
  const char* purpose;  // one line there
  Declarer* declare;
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

Declarer DeclareRecord, DeclareList, DeclareShow, DeclareStats, DeclareReport, DeclareExport,
    DeclareView, DeclareBundle, DeclareConvert, DeclareImport, DeclareRecover, DeclareReplay,
    DeclareMock, DeclareDiff, DeclareCheck, DeclareInfer, DeclareDialect, DeclareRedact,
    DeclareChaos, DeclareCorpus, DeclareFuzz, DeclareFindings, DeclareReduce, DeclareCovFlags,
    DeclareWrap, DeclareUnwrap, DeclareDoctor, DeclareClean, DeclareWireshark, DeclareHelp,
    DeclareCompletion;

// An error says which name is like it.
Result<ArgumentParser> FindSubcommand(const ArgumentParser& parent, const std::string& name);
// Prints the help of a command, as wide as the terminal. root: the list of all commands.
int PrintHelp(const ArgumentParser& command, bool root);

// `dialect list`, which is `check --list` too.
int ListDialects();

}  // namespace midwire::tools
