#include "tools/console/arguments.h"

#include <CLI/CLI.hpp>
#include <sstream>
#include <utility>

namespace midwire::tools {
namespace {

std::vector<std::string> NamesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// CLI11 keeps them only as "{a,b,c}" in the type's name.
std::vector<std::string> ChoicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.find('}');
  if (open == type.npos || close == type.npos || close < open) return {};
  std::istringstream list(type.substr(open + 1, close - open - 1));
  std::vector<std::string> choices;
  for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
  return choices;
}

}  // namespace

Option Option::Required() {
  option_->required();
  return *this;
}

Option Option::OneOf(std::vector<std::string> values) {
  option_->check(CLI::IsMember(std::move(values)));
  return *this;
}

Option Option::Between(uint64_t min, uint64_t max) {
  option_->check(CLI::Range(min, max));
  return *this;
}

Option Option::OnePerUse() {
  option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *this;
}

Option Option::NoExtraValues() {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::Environment(const std::string& variable) {
  option_->envname(variable);
  return *this;
}

Option Option::Excludes(const std::string& name) {
  option_->excludes(name);
  return *this;
}

Option Option::Needs(const std::string& name) {
  option_->needs(name);
  return *this;
}

Option Option::TypeName(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option Option::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

Option ArgumentParser::AddOption(const std::string& names, std::string* to,
                                 const std::string& purpose) {
  return Option(app_->add_option(names, *to, purpose));
}

Option ArgumentParser::AddOption(const std::string& names, uint64_t* to,
                                 const std::string& purpose) {
  return Option(app_->add_option(names, *to, purpose));
}

Option ArgumentParser::AddOption(const std::string& names, std::vector<std::string>* to,
                                 const std::string& purpose) {
  return Option(app_->add_option(names, *to, purpose));
}

Option ArgumentParser::AddFlag(const std::string& names, bool* to, const std::string& purpose) {
  return Option(app_->add_flag(names, *to, purpose));
}

Option ArgumentParser::AddFlag(const std::string& names, std::string* to,
                               const std::string& purpose) {
  return Option(app_->add_flag(names, *to, purpose));
}

void ArgumentParser::Footer(const std::string& text) { app_->footer(text); }

ArgumentParser ArgumentParser::AddSubcommand(const std::string& name, const std::string& purpose) {
  return ArgumentParser(app_->add_subcommand(name, purpose));
}

void ArgumentParser::RequireSubcommand() { app_->require_subcommand(1); }

bool ArgumentParser::parsed() const { return app_->parsed(); }

std::vector<OptionFacts> ArgumentParser::options() const {
  std::vector<OptionFacts> all;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    all.push_back({option->get_name(), NamesOf(*option), ChoicesOf(*option), option->count() > 0});
  }
  return all;
}

std::vector<ArgumentParser> ArgumentParser::subcommands() const {
  std::vector<ArgumentParser> all;
  for (CLI::App* app : app_->get_subcommands([](const CLI::App*) { return true; })) {
    all.emplace_back(app);
  }
  return all;
}

ArgumentParser ArgumentParser::parent() const { return ArgumentParser(app_->get_parent()); }

std::string ArgumentParser::name() const { return app_->get_name(); }

bool ArgumentParser::Given(const std::string& name) const { return app_->count(name) > 0; }

bool ArgumentParser::TakesValue(const std::string& word) const {
  const CLI::Option* option = app_->get_option_no_throw(word);
  return option != nullptr && option->get_items_expected_max() > 0;
}

CommandLine::CommandLine(const std::string& name, const std::string& purpose,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(purpose, name)) {
  app_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

ArgumentParser CommandLine::root() { return ArgumentParser(app_.get()); }

Result<std::string> CommandLine::Parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
    return std::string();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream text;
      app_->exit(error, text, text);
      return text.str();
    }
    std::string command = app_->get_name();
    for (const CLI::App* sub : app_->get_subcommands()) command += " " + sub->get_name();
    return Error{error.what(), "", "see: " + command + " --help"};
  }
}

}  // namespace midwire::tools
