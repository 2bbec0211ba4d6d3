#include "tools/console/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

#include "tools/console/metavars.h"
#include "wire/near_names.h"

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

// "--output" of "-o,--output".
std::string LongName(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  return names.empty() ? option.get_name() : "--" + names.front();
}

// The type's name without the values that may follow it.
std::string MetavarOfOption(const CLI::Option& option) {
  if (option.get_lnames().empty() && option.get_snames().empty()) return "";
  const bool flag = option.get_items_expected_max() == 0 && option.get_fnames().empty();
  if (flag) return "";
  const std::string named = option.get_type_name().substr(0, option.get_type_name().find(':'));
  if (!named.empty() && named != "TEXT" && named != "UINT") return named;
  return std::string(MetavarOf(LongName(option)));
}

std::string UsageOfPlace(const CLI::Option& option) {
  if (!option.get_lnames().empty() || !option.get_snames().empty()) return "";
  const std::string type = option.get_type_name();
  return type.find("PLUGIN") == type.npos ? "" : type;
}

// CLI11's groups are those of its own help, which is not printed.
constexpr char kInUsage[] = "in the usage";

std::string Quoted(const std::string& text) { return '"' + text + '"'; }

// The option whose name begins the message of an error, or null.
const CLI::Option* OptionOf(const CLI::App& app, const std::string& message) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at->get_option_no_throw(message.substr(0, message.find_first_of(": ")));
}

const CLI::App* Innermost(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at;
}

// The first argument that is not declared, or "".
std::string UndeclaredWord(const CLI::App& app) {
  // What stands behind "--" is left over by the whole command line.
  std::vector<std::string> extras = Innermost(app)->remaining();
  if (extras.empty()) extras = app.remaining(/*recurse=*/true);
  std::erase(extras, "--");
  return extras.empty() ? "" : extras.front();
}

std::string Meant(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = wire::NearNames(word, known);
  return near.starts_with("did you mean") ? near : "";
}

// "an option of import, wrap": that says more than an option whose name is near. "": of none, or of
// so many that it is no hint.
std::string CommandsWith(const CLI::App& app, const std::string& name) {
  constexpr size_t kMostNamed = 4;
  if (!name.starts_with("--")) return "";
  std::string text;
  size_t count = 0;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_option_no_throw(name) == nullptr) continue;
    text += (count++ == 0 ? "an option of " : ", ") + command->get_name();
  }
  return count <= kMostNamed ? text : "";
}

// A misspelled option, or one word too many.
Error UnknownArgument(const CLI::App& app) {
  const std::string word = UndeclaredWord(app);
  if (word.empty() || word[0] != '-') return {"one argument too many", Quoted(word), ""};
  std::vector<std::string> known;
  for (const CLI::Option* option : Innermost(app)->get_options()) {
    for (const std::string& name : NamesOf(*option)) {
      if (name.starts_with("--")) known.push_back(name);  // each letter is near to each other one
    }
  }
  const std::string name = word.substr(0, word.find('='));
  const std::string others = CommandsWith(app, name);
  return {"no such option", name, others.empty() ? Meant(name, known) : others};
}

// Of a command that has subcommands.
Error NoSubcommand(const CLI::App& app) {
  const std::string word = UndeclaredWord(app);
  if (word.empty()) return {"no command", "", ""};
  if (word[0] == '-') return UnknownArgument(app);
  std::vector<std::string> known;
  for (const CLI::App* command : Innermost(app)->get_subcommands({})) {
    known.push_back(command->get_name());
  }
  return {"no such command", Quoted(word), Meant(word, known)};
}

// CLI11's errors in the words of ours (CONTRIBUTING.md, rule 3).
Error Worded(const CLI::App& app, const CLI::ParseError& error) {
  const std::string message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return UnknownArgument(app);
  const CLI::Option* const option = OptionOf(app, message);
  const std::string name = option == nullptr ? "" : LongName(*option);
  const std::string value =
      option == nullptr || option->results().empty() ? "" : Quoted(option->results().back());
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    const std::string what = message.substr(0, message.find(" is required"));
    if (what == "A subcommand") return NoSubcommand(app);
    return {(what.starts_with('-') ? "missing option " : "missing ") + what, "", ""};
  }
  if (option == nullptr) return {message, "", ""};
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    const std::string metavar = MetavarOfOption(*option);
    if (metavar.empty()) return {name + ": takes no value", value, ""};
    return {name + ": needs a value", metavar, ""};
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error)) {
    return {name + ": not a whole number", value, "try 10"};
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) {
    const size_t other = message.rfind(' ');
    return {name + " and " + message.substr(other + 1) + " exclude each other", "",
            "remove one of them"};
  }
  if (dynamic_cast<const CLI::RequiresError*>(&error)) {
    return {name + ": does nothing alone", "", "add " + message.substr(message.rfind(' ') + 1)};
  }
  // Of a check of ours: what is wrong, and behind a line end what to do.
  const size_t end = message.find('\n');
  return {message.substr(0, end), value, end == message.npos ? "" : message.substr(end + 1)};
}

// A bare number would be seconds for one reader and milliseconds for another. 0 is the same in each
// unit.
std::string NeedsUnit(const std::string& text, const std::string& metavar) {
  const bool bare = !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
  if (!bare || text.find_first_not_of("0.") == text.npos) return "";
  if (metavar == "TIME") return "a time needs a unit\ntry " + text + "s or " + text + "ms";
  return "a size needs a unit\ntry " + text + "k or " + text + "M";
}

CLI::Option* WithUnit(CLI::Option* option) {
  const std::string metavar = MetavarOfOption(*option);
  if (metavar != "TIME" && metavar != "SIZE") return option;
  const auto check = [metavar](const std::string& text) { return NeedsUnit(text, metavar); };
  return option->check(CLI::Validator(check, ""));
}

}  // namespace

Option Option::Required() {
  option_->required();
  return *this;
}

Option Option::InUsage() {
  option_->group(kInUsage);
  return *this;
}

Option Option::OneOf(std::vector<std::string> values) {
  std::string list, text;
  for (const std::string& value : values) {
    list += (list.empty() ? "" : ",") + value;
    text += (text.empty() ? "" : ", ") + value;
  }
  const auto check = [values = std::move(values), text](const std::string& value) {
    const bool known = std::find(values.begin(), values.end(), value) != values.end();
    return known ? std::string() : "not one of " + text;
  };
  option_->check(CLI::Validator(check, "{" + list + "}"));
  return *this;
}

Option Option::Between(uint64_t min, uint64_t max) {
  const auto check = [min, max](const std::string& text) {
    uint64_t number = 0;
    if (!CLI::detail::lexical_cast(text, number)) return std::string("not a whole number");
    if (number >= min && number <= max) return std::string();
    return "not in " + std::to_string(min) + " to " + std::to_string(max);
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

Option Option::OnePerUse() {
  // Without extra values, of which CLI11 would take a positional argument that is not required.
  option_->expected(1)->allow_extra_args(false)->multi_option_policy(
      CLI::MultiOptionPolicy::TakeAll);
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
  return Option(WithUnit(app_->add_option(names, *to, purpose)));
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

ArgumentParser ArgumentParser::AddSubcommand(const std::string& name, const std::string& purpose,
                                             const std::string& group) {
  CLI::App* const app = app_->add_subcommand(name, purpose);
  app->footer("");  // CLI11 hands down that of the parent, whose examples are of other commands
  app->group(group);
  app->set_help_flag("-h,--help", "print this text");
  return ArgumentParser(app);
}

void ArgumentParser::RequireSubcommand() { app_->require_subcommand(1); }

bool ArgumentParser::parsed() const { return app_->parsed(); }

std::vector<OptionFacts> ArgumentParser::options() const {
  std::vector<OptionFacts> all;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    all.push_back({.name = option->get_name(),
                   .names = NamesOf(*option),
                   .choices = ChoicesOf(*option),
                   .metavar = MetavarOfOption(*option),
                   .usage = UsageOfPlace(*option),
                   .purpose = option->get_description(),
                   .environment = option->get_envname(),
                   .shown_default = option->get_default_str(),
                   .given = option->count() > 0,
                   .required = option->get_required(),
                   .repeats = option->get_expected_max() > 1,
                   .in_usage = option->get_group() == kInUsage,
                   .optional_value = !option->get_fnames().empty()});
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

std::string ArgumentParser::path() const {
  std::string path = app_->get_name();
  for (const CLI::App* app = app_->get_parent(); app != nullptr; app = app->get_parent()) {
    path = app->get_name() + " " + path;
  }
  return path;
}

std::string ArgumentParser::purpose() const { return app_->get_description(); }

std::string ArgumentParser::group() const { return app_->get_group(); }

std::string ArgumentParser::footer() const { return app_->get_footer(); }

bool ArgumentParser::Given(const std::string& name) const { return app_->count(name) > 0; }

bool ArgumentParser::TakesValue(const std::string& word) const {
  const CLI::Option* option = app_->get_option_no_throw(word);
  return option != nullptr && option->get_items_expected_max() > 0;
}

CommandLine::CommandLine(const std::string& name, const std::string& purpose,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(purpose, name)) {
  app_->set_help_flag("-h,--help", "print this text; midwire help COMMAND: that of a command");
  app_->set_version_flag("-V,--version", version, "print the version");
}

CommandLine::~CommandLine() = default;

ArgumentParser CommandLine::root() { return ArgumentParser(app_.get()); }

Result<CommandLine::Parsed> CommandLine::Parse(int argc, const char* const* argv) {
  Parsed parsed;
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    CLI::App* app = app_.get();
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    parsed.help = ArgumentParser(app);
  } catch (const CLI::CallForVersion& version) {
    parsed.version = std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    std::string command = app_->get_name();
    for (const CLI::App* sub : app_->get_subcommands()) command += " " + sub->get_name();
    Error worded = Worded(*app_, error);
    const bool asks = worded.remedy.ends_with('?');
    worded.remedy += (worded.remedy.empty() ? "see: " : asks ? " see: " : "; see: ") + command;
    worded.remedy += " --help";
    return worded;
  }
  return parsed;
}

}  // namespace midwire::tools
