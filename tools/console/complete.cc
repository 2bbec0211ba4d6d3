#include "tools/console/complete.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace midwire::tools {
namespace {

using Kind = CompletionSources::Kind;
using Shell = Completion::Shell;

// What is offered for a value, by the word that stands for it (metavars.h) or by the name of a
// positional argument.
struct Offer {
  std::string_view name;
  std::optional<Kind> list;
  Shell shell;
};
const Offer kOffers[] = {
    {"FILE", std::nullopt, Shell::kFiles},      {"FOLDER", std::nullopt, Shell::kFolders},
    {"TRACE", Kind::kTapes, Shell::kFiles},     {"TRACE|FOLDER", Kind::kTapes, Shell::kFiles},
    {"IN", Kind::kTapes, Shell::kFiles},        {"OUT", std::nullopt, Shell::kFiles},
    {"A", Kind::kTapes, Shell::kFiles},         {"B", Kind::kTapes, Shell::kFiles},
    {"CONFIG", std::nullopt, Shell::kFiles},    {"DIALECT", Kind::kDialects, Shell::kFiles},
    {"NAME", Kind::kDialects, Shell::kFiles},   {"METHOD", Kind::kMethods, Shell::kNothing},
    {"HOST", Kind::kHosts, Shell::kNothing},    {"EDITOR", Kind::kEditors, Shell::kNothing},
    {"COMMAND", std::nullopt, Shell::kCommands}};

// The values of options that are not declared as choices, as they may be others, too; by the word
// that stands for them.
struct UsualValues {
  std::string_view metavar;
  std::vector<std::string_view> values;
};
const UsualValues kUsualValues[] = {{"FRAMING", {"auto", "line", "content-length"}},
                                    {"PACE", {"asap", "recorded"}},
                                    {"BEHAVIOUR", {"crash", "exit=", "finding="}}};

// Options whose value is a list: what is listed, and with what in front of a name.
struct ListOption {
  std::string_view option;
  Kind list;
  std::string_view signs;
};
constexpr ListOption kListOptions[] = {{"--faults", Kind::kFaults, ""},
                                       {"--oracle", Kind::kOracles, "+-"}};

// The values of fields of the filter that are words of midwire.
struct FieldValues {
  std::string_view field;
  std::vector<std::string_view> values;
};
const FieldValues kFieldValues[] = {{"kind",
                                     {"request", "response", "error", "notification", "batch",
                                      "invalid", "junk", "stderr", "event"}},
                                    {"dir", {"h2p", "p2h"}}};

bool IsNamed(const OptionFacts& option, std::string_view name) {
  return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
}

class Completer {
 public:
  Completer(const std::vector<std::string>& words, const CompletionSources& sources)
      : current_(words.back()), sources_(sources) {}

  void Add(const std::string& word, const std::string& text) {
    if (word.starts_with(current_)) done_.words.push_back({word, text});
  }
  void AddCommands(const ArgumentParser& parent) {
    for (const ArgumentParser& command : parent.subcommands()) {
      Add(command.name(), command.purpose());
    }
  }
  void AddOptions(const ArgumentParser& command) {
    for (const OptionFacts& option : command.options()) {
      for (const std::string& name : option.names) Add(name, option.purpose);
    }
  }
  void AddList(Kind kind, const std::string& prefix) {
    for (const CompletedWord& word : sources_.list(kind, trace_)) {
      Add(prefix + word.word, word.text);
    }
  }

  // `prefix`: "--color=" of a value that is typed with its option.
  void AddValues(const OptionFacts& option, const std::string& prefix) {
    for (const std::string& choice : option.choices) Add(prefix + choice, "");
    if (!option.choices.empty()) return;
    const std::string& name = option.names.empty() ? option.name : option.metavar;
    if (name == "FILTER") return AddFilter(prefix);
    for (const ListOption& row : kListOptions) {
      if (IsNamed(option, row.option)) return AddItems(row, prefix);
    }
    for (const UsualValues& row : kUsualValues) {
      if (option.names.empty() || row.metavar != name) continue;
      for (const std::string_view value : row.values) Add(prefix + std::string(value), "");
      // Something follows "exit=".
      done_.no_space = done_.words.size() == 1 && done_.words.front().word.ends_with('=');
      return;
    }
    const auto offer = std::find_if(std::begin(kOffers), std::end(kOffers),
                                    [&](const Offer& row) { return row.name == name; });
    if (offer == std::end(kOffers)) return;
    // The name of a dialect that is made is not that of one.
    if (name == "NAME" && !option.names.empty()) return;
    if (offer->list) AddList(*offer->list, prefix);
    if (prefix.empty()) done_.shell = offer->shell;
  }

  // A name of a list behind those that are there, and behind its sign.
  void AddItems(const ListOption& row, std::string prefix) {
    const size_t comma = current_.rfind(',');
    if (comma != current_.npos && comma >= prefix.size()) prefix = current_.substr(0, comma + 1);
    const size_t at = prefix.size();
    if (at < current_.size() && row.signs.find(current_[at]) != row.signs.npos)
      prefix += current_[at];
    AddList(row.list, prefix);
  }

  // A term such as "method=tools/*". Of a field, then of its values. In quotes, other terms come
  // before it.
  void AddFilter(std::string prefix) {
    const size_t term = current_.find_last_of(" (");
    if (term != current_.npos && term >= prefix.size()) prefix = current_.substr(0, term + 1);
    const size_t equals = current_.find('=', prefix.size());
    if (equals == current_.npos) {
      AddList(Kind::kFilterFields, prefix);
      done_.no_space = !done_.words.empty();
      AddList(Kind::kFilterWords, prefix);
      return;
    }
    std::string field = current_.substr(prefix.size(), equals - prefix.size());
    if (field.ends_with('!')) field.pop_back();
    const std::string before = current_.substr(0, equals + 1);
    if (field == "method") AddList(Kind::kMethods, before);
    if (field == "label") AddList(Kind::kLabels, before);
    for (const FieldValues& row : kFieldValues) {
      if (row.field != field) continue;
      for (const std::string_view value : row.values) Add(before + std::string(value), "");
    }
  }

  void NameTrace(const std::string& trace) { trace_ = trace; }
  void Plugin(bool first) { done_.shell = first ? Shell::kCommands : Shell::kFiles; }
  const std::string& current() const { return current_; }
  Completion Take() { return std::move(done_); }

 private:
  const std::string current_;
  const CompletionSources& sources_;
  std::string trace_;  // that the command line names
  Completion done_;
};

const OptionFacts* FindOption(const std::vector<OptionFacts>& options, const std::string& name) {
  for (const OptionFacts& option : options) {
    if (IsNamed(option, name)) return &option;
  }
  return nullptr;
}

bool TakesNextWord(const OptionFacts* option) {
  return option != nullptr && !option->metavar.empty() && !option->optional_value;
}

// The arguments of a command begin at `at`.
void CompleteArguments(const ArgumentParser& command, const std::vector<std::string>& words,
                       size_t at, Completer* completer) {
  const std::vector<OptionFacts> options = command.options();
  std::vector<const OptionFacts*> places;
  bool plugin = false;
  for (const OptionFacts& option : options) {
    if (!option.names.empty()) continue;
    if (option.name == "PLUGIN") {
      plugin = true;
    } else {
      places.push_back(&option);
    }
  }
  size_t place = 0;
  std::string config;                    // that wrap changes; with --host, that host
  const OptionFacts* waiting = nullptr;  // an option whose value is the next word
  for (; at + 1 < words.size(); ++at) {
    const std::string& word = words[at];
    if (const OptionFacts* const of = std::exchange(waiting, nullptr)) {
      if (of->metavar == "HOST") config = word;
      continue;
    }
    if (plugin && (word == "--" || (!word.starts_with('-') && place >= places.size()))) {
      const size_t begins = word == "--" ? at + 1 : at;
      return completer->Plugin(begins + 1 == words.size());
    }
    if (word.starts_with('-') && word.size() > 1) {
      const OptionFacts* const option = FindOption(options, word);
      if (TakesNextWord(option)) waiting = option;
      if (word.starts_with("--host=")) config = word.substr(sizeof "--host=" - 1);
      continue;
    }
    if (place < places.size() && places[place]->name == "TRACE") completer->NameTrace(word);
    if (config.empty()) config = word;
    if (place < places.size() && !places[place]->repeats) ++place;
  }
  const std::string& current = completer->current();
  if (waiting != nullptr) return completer->AddValues(*waiting, "");
  const size_t equals = current.find('=');
  if (current.starts_with("--") && equals != current.npos) {
    const OptionFacts* const option = FindOption(options, current.substr(0, equals));
    if (option != nullptr) completer->AddValues(*option, current.substr(0, equals + 1));
    return;
  }
  if (current.starts_with('-')) return completer->AddOptions(command);
  if (place < places.size() && places[place]->name == "CONFIG" && !config.empty()) {
    completer->NameTrace(config);
    return completer->AddList(Kind::kServers, "");
  }
  if (place < places.size()) return completer->AddValues(*places[place], "");
  if (plugin) completer->Plugin(true);
}

}  // namespace

Completion Complete(const ArgumentParser& root, const std::vector<std::string>& words,
                    const CompletionSources& sources) {
  if (words.empty()) return {};
  Completer completer(words, sources);
  ArgumentParser command = root;
  size_t at = 0;
  // Into "dialect show".
  while (!command.subcommands().empty()) {
    if (at + 1 == words.size()) {
      completer.AddCommands(command);
      if (words.back().starts_with('-')) completer.AddOptions(command);
      return completer.Take();
    }
    const std::vector<ArgumentParser> commands = command.subcommands();
    const auto named = std::find_if(commands.begin(), commands.end(),
                                    [&](const auto& sub) { return sub.name() == words[at]; });
    if (named == commands.end()) return {};
    command = *named;
    ++at;
    if (at == 1 && command.name() == "help") {
      completer.AddCommands(root);
      return completer.Take();
    }
  }
  CompleteArguments(command, words, at, &completer);
  return completer.Take();
}

}  // namespace midwire::tools
