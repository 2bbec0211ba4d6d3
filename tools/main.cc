// The midwire command: a table of subcommands, and nothing that any of them does.
#include <CLI/CLI.hpp>
#include <cstring>

#include "spdlog/sinks/stdout_color_sinks.h"
#include "spdlog/spdlog.h"
#include "tools/command.h"

namespace midwire::tools {
namespace {

constexpr Command kCommands[] = {
    {"record", "run a plugin and keep every byte both ways in a tape", DeclareRecord},
    {"show", "print a trace as a timeline", DeclareShow},
    {"stats", "counts, sizes and latencies of a trace", DeclareStats},
    {"convert", "tape to cassette and back, lossless", DeclareConvert},
    {"recover", "rewrite what can be read of a damaged tape", DeclareRecover},
    {"completion", "print shell completion for bash", DeclareCompletion},
};

int Main(int argc, char** argv) {
  auto logger = spdlog::stderr_color_st("midwire");
  logger->set_pattern("%n: %^%l%$: %v");
  spdlog::set_default_logger(logger);

  CLI::App app("Record, show and replay what a host and its plugin say over stdio.", "midwire");
  app.set_version_flag("--version", std::string("midwire ") + MIDWIRE_VERSION);
  app.require_subcommand(1);
  int exit_code = kFine;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.purpose);
    auto run = command.declare(sub);
    sub->callback([run, &exit_code] { exit_code = run(); });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kFine : kUsage;
  }
  return exit_code;
}

}  // namespace
}  // namespace midwire::tools

int main(int argc, char** argv) { return midwire::tools::Main(argc, argv); }
