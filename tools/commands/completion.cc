// midwire completion: prints a completion script for bash, zsh or fish, and what the script offers.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/chaos/chaos.h"
#include "fuzz/finding.h"
#include "io/files/edited_file.h"
#include "io/files/stored_files.h"
#include "proxy/tape_name.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/complete.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "tools/showing/tally_listener.h"
#include "tools/wrapping/config_tree.h"
#include "tools/wrapping/hosts.h"
#include "tools/wrapping/servers.h"
#include "tools/wrapping/snippets.h"
#include "trace/filter_term.h"
#include "wire/dialect/built_in.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

constexpr char kCompletionFooter[] =
    R"(Offers commands, options and their values, dialects, recorded tapes, and in filters the methods and labels of
the trace. cmake --install installs the scripts of all three shells. The script runs midwire completion SHELL
-- WORDS..., which prints what fits, so it never is older than midwire.

Examples:
  source <(midwire completion)
  midwire completion zsh > ~/.zfunc/_midwire
  midwire completion fish > ~/.config/fish/completions/midwire.fish)";

// bash takes "=" and ":" for words of their own.
constexpr char kBash[] = R"(# bash completion for midwire, printed by: midwire completion bash
_midwire() {
  local line word=${COMP_WORDS[COMP_CWORD]}
  [[ $word == [=:] ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :nospace) compopt -o nospace 2> /dev/null ;;
      :files)
        compopt -o filenames 2> /dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
        ;;
      :folders)
        compopt -o filenames 2> /dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word")
        ;;
      :commands)
        compopt -o filenames 2> /dev/null
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -- "$word"; compgen -d -- "$word")
        ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -F _midwire midwire
)";

constexpr char kZsh[] = R"(#compdef midwire
# zsh completion for midwire, printed by: midwire completion zsh
_midwire() {
  local line
  local -a offers suffix
  while IFS= read -r line; do
    case $line in
      :nospace) suffix=(-S '') ;;
      :files) _files ;;
      :folders) _files -/ ;;
      :commands) _command_names -e; _files -/ ;;
      *$'\t'*) offers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *) offers+=("${line//:/\\:}") ;;
    esac
  done < <("${words[1]}" completion zsh -- "${(@)words[2,CURRENT]}" 2> /dev/null)
  (( $#offers )) && _describe -t midwire midwire offers "${suffix[@]}"
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _midwire "$@"
else
  compdef _midwire midwire
fi
)";

constexpr char kFish[] = R"(# fish completion for midwire, printed by: midwire completion fish
function __midwire_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] completion fish -- $words[2..-1] "$current" 2> /dev/null)
        switch $line
            case :nospace
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current"
            case :commands
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end
complete -c midwire -f -a '(__midwire_complete)'
)";

struct ShellScript {
  const char* shell;
  const char* script;
};
constexpr ShellScript kScripts[] = {{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};

// A list that is longer is of no use, and reading more of a trace takes longer than a person waits.
constexpr size_t kMostTapes = 50;
constexpr uint64_t kMostCompletionBytes = 16u << 20;

// `words`: the terms that are a word by themselves, such as failed; else the fields.
std::vector<CompletedWord> FilterTerms(bool words) {
  std::vector<CompletedWord> terms;
  for (const std::string& name : trace::FilterNames()) {
    if (trace::IsFilterField(name) == words) continue;
    terms.push_back(words ? CompletedWord{name, "calls, in the filter"}
                          : CompletedWord{name + "=", "field of the filter"});
  }
  return terms;
}

// What a table of tools/wrapping has in one column.
template <typename Rows>
std::vector<CompletedWord> NamesIn(const Rows& rows, const char* what) {
  std::vector<CompletedWord> names;
  for (const auto& row : rows) names.push_back({std::string(row.name), what});
  return names;
}

std::vector<CompletedWord> DialectNames() {
  std::vector<CompletedWord> names;
  for (const std::string_view name : wire::BuiltInDialects()) {
    names.push_back({std::string(name), "built-in dialect"});
  }
  return names;
}

// The servers that a configuration has, by its path or by the name of its host.
std::vector<CompletedWord> ServerNames(const std::string& config) {
  std::error_code ignored;
  const Host* const host = FindHost(config);
  const bool of_host = host != nullptr && !std::filesystem::exists(config, ignored);
  const auto file = io::ReadEditedFile(of_host ? ConfigPathOf(*host) : config, kMaxConfig);
  if (!file) return {};
  const auto tree = ReadConfig(file->bytes);
  if (!tree) return {};
  const auto servers = FindServers(*tree);
  if (!servers) return {};
  std::vector<CompletedWord> names;
  for (const Server& server : *servers) names.push_back({server.name, "server"});
  return names;
}

std::vector<CompletedWord> FaultNames() {
  std::vector<CompletedWord> names = {{"all", "every fault"}};
  for (size_t i = 0; i < fuzz::kFaults; ++i) {
    names.push_back({std::string(fuzz::Name(static_cast<fuzz::Fault>(i))), "fault"});
  }
  return names;
}

std::vector<CompletedWord> OracleNames() {
  std::vector<CompletedWord> names;
  for (const fuzz::OracleSpec& oracle : fuzz::Oracles()) {
    names.push_back({std::string(oracle.name), "oracle"});
  }
  return names;
}

std::vector<CompletedWord> NewestTapes() {
  const Result<std::string> folder = proxy::DefaultFolder();
  if (!folder) return {};
  auto files = io::ListStored(*folder, ".pcapng");
  if (!files) return {};
  std::sort(files->begin(), files->end(), [](const io::StoredFile& a, const io::StoredFile& b) {
    return a.modified_ns > b.modified_ns;
  });
  std::vector<CompletedWord> tapes;
  for (const io::StoredFile& file : *files) {
    if (tapes.size() == kMostTapes) break;
    tapes.push_back({file.path, "recorded session"});
  }
  return tapes;
}

// Counts the start of a trace.
class TraceStart : public TraceListener {
 public:
  explicit TraceStart(const wire::Dialect* dialect) : tally(dialect) {}
  void OnRecord(const trace::Record& record) override {
    bytes_ += record.head.size() + record.body.size();
    tally.OnRecord(record);
  }
  void OnSection() override { tally.OnSection(); }
  void OnDamage(const trace::Damage& damage) override { tally.OnDamage(damage); }
  bool stop() const override { return bytes_ > kMostCompletionBytes; }
  TallyListener tally;

 private:
  uint64_t bytes_ = 0;
};

std::vector<CompletedWord> MethodsOrLabels(std::string trace, bool labels) {
  if (trace.empty()) {
    const std::vector<CompletedWord> tapes = NewestTapes();
    if (tapes.empty()) return {};
    trace = tapes.front().word;
  }
  if (trace == "-") return {};
  const Result<ChosenDialect> chosen =
      ChooseDialect("", {trace}, /*strict=*/false, Logs::kRefuse, Pipes::kLeave);
  if (!chosen) return {};
  TraceStart start(chosen->dialect.get());
  const Result<ReadOutcome> outcome = ReadTrace(trace, /*follow=*/false, &start);
  if (!outcome) return {};
  std::vector<CompletedWord> words;
  for (const trace::MethodTally& method : start.tally.Finish(*outcome).methods) {
    if (!labels) words.push_back({method.method, "method of the trace"});
    for (const trace::MethodTally& label : method.labels) {
      if (labels) words.push_back({label.label, "label of " + method.method});
    }
  }
  return words;
}

std::vector<CompletedWord> ListWords(CompletionSources::Kind kind, const std::string& trace) {
  using Kind = CompletionSources::Kind;
  switch (kind) {
    case Kind::kTapes:
      return NewestTapes();
    case Kind::kDialects:
      return DialectNames();
    case Kind::kFilterFields:
    case Kind::kFilterWords:
      return FilterTerms(kind == Kind::kFilterWords);
    case Kind::kHosts:
      return NamesIn(Hosts(), "host");
    case Kind::kEditors:
      return NamesIn(Snippets(), "editor");
    case Kind::kServers:
      return ServerNames(trace);
    case Kind::kFaults:
      return FaultNames();
    case Kind::kOracles:
      return OracleNames();
    case Kind::kMethods:
    case Kind::kLabels:
      return MethodsOrLabels(trace, kind == Kind::kLabels);
  }
  return {};
}

// Joins what bash has cut at "=" and ":", and counts the bytes of the last word before its last
// piece.
std::vector<std::string> JoinPieces(const std::vector<std::string>& pieces, size_t* before) {
  std::vector<std::string> words;
  bool joins = false;
  for (const std::string& piece : pieces) {
    const bool between = piece == "=" || piece == ":";
    if ((joins || between) && !words.empty()) {
      *before = between ? words.back().size() + 1 : words.back().size();
      words.back() += piece;
    } else {
      *before = 0;
      words.push_back(piece);
    }
    joins = between;
  }
  return words;
}

// A shell passes words with their quotes; that of the last word is still open.
void Unquote(std::vector<std::string>* words) {
  for (std::string& word : *words) {
    const char quote = word.empty() ? '\0' : word.front();
    if (quote != '\'' && quote != '"') continue;
    word.erase(0, 1);
    if (&word != &words->back() && word.ends_with(quote)) word.pop_back();
  }
}

int PrintOffers(const ArgumentParser& root, const std::string& shell) {
  size_t before = 0;
  std::vector<std::string> words =
      shell == "bash" ? JoinPieces(PluginCommand(), &before) : PluginCommand();
  Unquote(&words);
  const Completion found = Complete(root, words, {ListWords});
  Output output;
  std::string* const out = output.text();
  if (found.no_space) *out += ":nospace\n";
  for (const CompletedWord& offer : found.words) {
    // A name with a line end would be two offers.
    if (wire::Escaped(offer.word) != offer.word) continue;
    *out += offer.word.substr(std::min(before, offer.word.size()));
    if (!offer.text.empty()) *out += "\t" + wire::Escaped(offer.text);
    *out += '\n';
  }
  if (found.shell == Completion::Shell::kFiles) *out += ":files\n";
  if (found.shell == Completion::Shell::kFolders) *out += ":folders\n";
  if (found.shell == Completion::Shell::kCommands) *out += ":commands\n";
  return output.Finish();
}

int PrintScript(const std::string& shell) {
  Output output;
  for (const ShellScript& row : kScripts) {
    if (row.shell == shell) output.Write(row.script);
  }
  return output.Finish();
}

}  // namespace

std::function<int()> DeclareCompletion(ArgumentParser parser) {
  auto shell = std::make_shared<std::string>("bash");
  parser.AddOption("SHELL", shell.get(), "bash (default), zsh or fish")
      .OneOf({"bash", "zsh", "fish"});
  parser.Footer(kCompletionFooter);
  return [shell, parser] {
    return PluginAsked() ? PrintOffers(parser.parent(), *shell) : PrintScript(*shell);
  };
}

}  // namespace midwire::tools
