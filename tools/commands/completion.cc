// midwire completion: prints a bash completion script, generated from the command's own options.
#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/output.h"
#include "trace/filter_term.h"
#include "wire/dialect/built_in.h"

namespace midwire::tools {
namespace {

constexpr char kCompletionFooter[] =
    R"(Examples:
  source <(midwire completion)                                     for this shell
  midwire completion > ~/.local/share/bash-completion/completions/midwire    for every shell)";

// The parts that do not depend on the options. bash splits COMP_WORDS at "=".
constexpr char kHead[] = R"(# bash completion for midwire, printed by: midwire completion
_midwire() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command=${COMP_WORDS[1]} options= values= dialects= fields= plugin= i
  COMPREPLY=()
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
)";
constexpr char kTail[] = R"(  esac
  if [[ -n $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
    return
  fi
  if [[ -n $dialects ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -W "$dialects" -- "$current"; compgen -f -- "$current")
    return
  fi
  if [[ -n $plugin ]]; then
    for ((i = 2; i < COMP_CWORD; i++)); do
      [[ ${COMP_WORDS[i]} == -- ]] && break
    done
    if ((i < COMP_CWORD)) || [[ $current != -* && $previous != -* ]]; then
      compopt -o filenames 2> /dev/null
      if ((i + 1 >= COMP_CWORD)); then
        mapfile -t COMPREPLY < <(compgen -c -- "$current"; compgen -d -- "$current")
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
      fi
      return
    fi
  fi
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    return
  fi
  if [[ -n $fields && $COMP_CWORD -gt 2 && $previous != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$fields" -S = -- "$current")
    compopt -o nospace 2> /dev/null
    ((${#COMPREPLY[@]})) && return
  fi
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -F _midwire midwire
)";

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string FilterFields() {
  std::string fields;
  for (const char c : trace::FilterFieldNames()) {
    if (c != ',') fields += c;
  }
  if (const size_t last = fields.find(" or "); last != fields.npos) fields.erase(last, 3);
  return fields;
}

std::string DialectNames() {
  std::string names;
  for (const std::string_view name : wire::BuiltInDialects()) {
    names += (names.empty() ? "" : " ") + std::string(name);
  }
  return names;
}

void AppendCommand(const ArgumentParser& command, std::string* out) {
  std::vector<std::string> names;
  std::string values;
  bool filter = false, plugin = false;
  for (const OptionFacts& option : command.options()) {
    filter = filter || option.name == "--where";
    plugin = plugin || option.name == "PLUGIN";
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.name == "--dialect") {
      values += "        --dialect) dialects='" + DialectNames() + "' ;;\n";
    }
    if (option.choices.empty() || option.names.empty()) continue;
    values += "        " + Joined(option.names, "|") + ") values='" + Joined(option.choices, " ") +
              "' ;;\n";
  }
  *out += "    " + command.name() + ")\n      options='" + Joined(names, " ") + "'\n";
  if (filter) *out += "      fields='" + FilterFields() + "'\n";
  if (plugin) *out += "      plugin=1\n";
  if (!values.empty()) *out += "      case $previous in\n" + values + "      esac\n";
  *out += "      ;;\n";
}

int PrintCompletion(const ArgumentParser& root) {
  Output output;
  std::string* out = output.text();
  *out += kHead;
  std::string commands;
  const std::vector<ArgumentParser> all = root.subcommands();
  for (const ArgumentParser& command : all) commands += command.name() + " ";
  *out += "  if ((COMP_CWORD == 1)); then\n    mapfile -t COMPREPLY < <(compgen -W '" + commands +
          "--help --version' -- \"$current\")\n    return\n  fi\n  case $command in\n";
  for (const ArgumentParser& command : all) AppendCommand(command, out);
  *out += kTail;
  return output.Finish();
}

}  // namespace

std::function<int()> DeclareCompletion(ArgumentParser parser) {
  parser.Footer(kCompletionFooter);
  return [parser] { return PrintCompletion(parser.parent()); };
}

}  // namespace midwire::tools
