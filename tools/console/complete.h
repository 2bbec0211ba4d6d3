// What a shell offers for a command line that is being typed: from what the commands declare, so
// the offers are those of --help. Pure; the caller has what is not declared, such as the tapes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/console/arguments.h"

namespace midwire::tools {

// The word that replaces what is being typed, and what it means.
struct CompletedWord {
  std::string word, text;
};

struct Completion {
  // What the shell itself offers in addition.
  enum class Shell { kNothing, kFiles, kFolders, kCommands };
  std::vector<CompletedWord> words;
  Shell shell = Shell::kNothing;
  bool no_space = false;  // the word goes on
};

// What is not declared. `trace`: the one that the command line names; "": none. For kServers, the
// configuration or the host that it names.
struct CompletionSources {
  enum class Kind {
    kTapes,
    kDialects,
    kFilterFields,
    kFilterWords,
    kMethods,
    kLabels,
    kHosts,
    kEditors,
    kServers,
    kFaults,
    kOracles
  };
  std::function<std::vector<CompletedWord>(Kind kind, const std::string& trace)> list;
};

// `words`: of the command line, without "midwire"; the last one is being typed.
Completion Complete(const ArgumentParser& root, const std::vector<std::string>& words,
                    const CompletionSources& sources);

}  // namespace midwire::tools
