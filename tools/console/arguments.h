// The arguments of the command and of its subcommands: what is declared, and what a command line
// has. main owns a CommandLine; each subcommand declares its options in an ArgumentParser. Prints
// nothing and runs no subcommand. Only arguments.cc includes CLI11, whose inline code costs seconds
// of compile time in each unit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wire/outcome/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace midwire::tools {

// What other code needs to know of a declared option or positional argument.
struct OptionFacts {
  std::string name;                  // "--output", or "TRACE" of a positional argument
  std::vector<std::string> names;    // "-o", "--output"; empty for a positional argument
  std::vector<std::string> choices;  // of OneOf
  std::string metavar;               // "FILE"; "" of a flag and of a positional argument
  std::string usage;  // of a positional argument: how usage shows it, where TypeName says so
  std::string purpose, environment;
  std::string shown_default;  // of ShowDefault
  bool given;                 // on the command line or in the environment
  bool required, repeats;     // repeats: takes several values
  bool in_usage;              // usage shows the option, as if it were required
  bool optional_value;        // --learn, --learn=7
};

// A declared option or positional argument. A handle: the CommandLine owns what it refers to. Each
// function returns the same option, so that calls can be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  // A command line without it is an error.
  Option Required();
  // Usage shows it: without it, the command does something else, or has nothing to do.
  Option InUsage();
  // Any other value is an error. Help and completion list the values.
  Option OneOf(std::vector<std::string> values);
  // A number outside min to max is an error.
  Option Between(uint64_t min, uint64_t max);
  // For a list: takes one value each time it is given.
  Option OnePerUse();
  // The same, and help marks it with "...".
  Option NoExtraValues();
  // Without the option, its value is that of this environment variable, if that is not empty.
  Option Environment(const std::string& variable);
  // The option together with `name`, or without it, is an error. `name` is declared before.
  Option Excludes(const std::string& name);
  Option Needs(const std::string& name);
  // What its value is, if the table of metavars.h does not have the option or is not right. Of a
  // positional argument: what usage shows, such as "[-- PLUGIN [ARGS...]]".
  Option TypeName(const std::string& name);
  // Help shows the value that the variable has now.
  Option ShowDefault();

 private:
  CLI::Option* option_;
};

// Declares the arguments of one subcommand. A handle, to be copied: the CommandLine owns what it
// refers to.
class ArgumentParser {
 public:
  explicit ArgumentParser(CLI::App* app) : app_(app) {}

  // names: "-o,--output", or "TRACE" for a positional argument. Parsing stores the value in `to`,
  // which outlives it and is not touched if the argument is absent.
  Option AddOption(const std::string& names, std::string* to, const std::string& purpose);
  Option AddOption(const std::string& names, uint64_t* to, const std::string& purpose);
  Option AddOption(const std::string& names, std::vector<std::string>* to,
                   const std::string& purpose);
  // An option without a value. "--learn{5}" stores 5, and --learn=7 stores 7.
  Option AddFlag(const std::string& names, bool* to, const std::string& purpose);
  Option AddFlag(const std::string& names, std::string* to, const std::string& purpose);
  // Help ends with this text. Paragraphs are wrapped; lines below "Examples:" are not.
  void Footer(const std::string& text);

  // `group`: the heading above it in the list of commands.
  ArgumentParser AddSubcommand(const std::string& name, const std::string& purpose,
                               const std::string& group = "Commands");
  // A command line without one of the subcommands is an error.
  void RequireSubcommand();
  // Whether the command line has this subcommand.
  bool parsed() const;

  // In the order in which they were declared.
  std::vector<OptionFacts> options() const;
  std::vector<ArgumentParser> subcommands() const;
  // Of a subcommand only.
  ArgumentParser parent() const;
  std::string name() const;
  std::string path() const;  // "midwire dialect show"
  std::string purpose() const;
  std::string group() const;
  std::string footer() const;
  // Whether the command line has the option `name`, which is declared.
  bool Given(const std::string& name) const;
  // Whether `word` is an option of this subcommand that has a value, which may be the next word.
  bool TakesValue(const std::string& word) const;

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  // version: what --version prints.
  CommandLine(const std::string& name, const std::string& purpose, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  ArgumentParser root();
  // What a command line asks for: to run a subcommand, or a text.
  struct Parsed {
    std::string version;                 // the text; "": not asked for
    std::optional<ArgumentParser> help;  // of the root or of a subcommand
  };
  // Once, after all is declared. The error of a wrong command line says whose help to read.
  Result<Parsed> Parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace midwire::tools
