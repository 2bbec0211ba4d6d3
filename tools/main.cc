// The midwire command: a table of subcommands, and nothing that any of them does.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>
#include <string>

#include "fuzz/live/shim.h"
#include "spdlog/sinks/stdout_color_sinks.h"
#include "spdlog/spdlog.h"
#include "tools/command.h"
#include "tools/output.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

constexpr Command kCommands[] = {
    {"record", "run a plugin and keep every byte both ways in a tape", DeclareRecord, 0, true},
    {"show", "print a trace as a timeline", DeclareShow},
    {"stats", "counts, sizes and latencies of a trace", DeclareStats},
    {"replay", "play the host of a trace against a plugin, and tell what differs", DeclareReplay,
     1},
    {"mock", "play the plugin of a trace for a host", DeclareMock},
    {"diff", "tell what differs between two traces", DeclareDiff},
    {"check", "hold a trace, or a plugin's session, against its protocol", DeclareCheck, 1},
    {"infer", "draft the dialect of an unknown protocol from traces", DeclareInfer},
    {"fuzz", "look for what makes a plugin fail, and keep it as cassettes", DeclareFuzz, 0},
    {"reduce", "make a trace small that still makes a plugin fail", DeclareReduce, 1},
    {"cov-flags", "print how to compile a plugin for midwire fuzz to see its edges",
     DeclareCovFlags},
    {"chaos", "pass everything on between a host and a plugin, with faults", DeclareChaos, 0, true},
    {"corpus", "make seeds and a dictionary for a fuzzer from traces", DeclareCorpus},
    {"convert", "tape to cassette and back, lossless", DeclareConvert},
    {"recover", "rewrite what can be read of a damaged tape", DeclareRecover},
    {"redact", "write a trace anew without its secrets", DeclareRedact},
    {"completion", "print shell completion for bash", DeclareCompletion},
};

std::vector<std::string> plugin_command;
bool plugin_asked = false;

// How many of the arguments are midwire's own; the rest goes to plugin_command.
int CutOffPluginCommand(const CLI::App& command, int words, int argc, char** argv) {
  int own = 2;
  for (; own < argc && strcmp(argv[own], "--") != 0; ++own) {
    if (argv[own][0] != '-' || argv[own][1] == '\0') {
      if (words-- == 0) break;
      continue;
    }
    const CLI::Option* option = command.get_option_no_throw(argv[own]);
    if (option != nullptr && option->get_items_expected_max() > 0) ++own;
  }
  own = std::min(own, argc);
  const bool dashes = own < argc && strcmp(argv[own], "--") == 0;
  plugin_command.assign(argv + own + (dashes ? 1 : 0), argv + argc);
  plugin_asked = dashes;
  return own;
}

// Help and version go to stdout; a mistake is one line, as arguments may hold anything.
int Explain(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    std::ostringstream text;
    app.exit(error, text, text);
    Output output;
    output.Write(text.str());
    return output.Finish();
  }
  std::string help = "midwire";
  for (const CLI::App* sub : app.get_subcommands()) help += " " + sub->get_name();
  spdlog::error("{} (see: {} --help)", wire::Escaped(error.what()), help);
  return kUsage;
}

// A file that is opened while 0, 1 or 2 is closed would be taken for standard output and get a
// report written into it. So they are filled, in the mode that their use fails with, as if closed.
void FillStandardDescriptors() {
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      (void)!open("/dev/null", kModes[descriptor]);  // gets the lowest that is free: this one
    }
  }
}

const Command* FindCommand(int argc, char** argv) {
  for (const Command& command : kCommands) {
    if (argc > 1 && strcmp(argv[1], command.name) == 0) return &command;
  }
  return nullptr;
}

int Main(int argc, char** argv) {
  // A host that is fuzzed has started its plugin, which we stand in for.
  if (const char* shim = std::getenv(fuzz::kShimVariable)) return fuzz::RunShim(shim);
  static char help[] = "--help";
  if (argc == 2 && strcmp(argv[1], "help") == 0) argv[1] = help;
  const Command* asked = FindCommand(argc, argv);
  if (asked == nullptr || !asked->keeps_descriptors) FillStandardDescriptors();
  // A limit on files' sizes is an error like a full disk, and is told. (A plugin would inherit
  // this.)
  if (asked == nullptr || asked->words_before_plugin < 0) signal(SIGXFSZ, SIG_IGN);
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = no_color != nullptr && *no_color != '\0';
  auto logger = spdlog::stderr_color_st(
      "midwire", plain ? spdlog::color_mode::never : spdlog::color_mode::automatic);
  logger->set_pattern("%n: %^%l%$: %v");
  spdlog::set_default_logger(logger);

  CLI::App app("Record and show what a host and its plugin say over stdio.", "midwire");
  app.set_version_flag("--version", std::string("midwire ") + MIDWIRE_VERSION);
  app.require_subcommand(1);
  int exit_code = kFine;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.purpose);
    auto run = command.declare(sub);
    sub->callback([run, &exit_code] { exit_code = run(); });
    if (asked == &command && command.words_before_plugin >= 0) {
      argc = CutOffPluginCommand(*sub, command.words_before_plugin, argc, argv);
    }
  }
  if (asked == nullptr && argc > 1 && argv[1][0] != '-') {  // CLI11 says only that one is required
    spdlog::error("no such command: {} (see: midwire --help)", wire::Escaped(argv[1]));
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Explain(app, error);
  }
  return exit_code;
}

}  // namespace

const std::vector<std::string>& PluginCommand() { return plugin_command; }
bool PluginAsked() { return plugin_asked; }

}  // namespace midwire::tools

int main(int argc, char** argv) {
  try {
    return midwire::tools::Main(argc, argv);
  } catch (const std::bad_alloc&) {  // the only exception that nothing below can name
    constexpr char kText[] = "midwire: error: out of memory\n";
    (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
    return midwire::tools::kDataLost;
  }
}
