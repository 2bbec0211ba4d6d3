// State of a target's process: the dialect and the vocabulary of its mutator, loaded once; its
// options and the files that it saves. Used by the harness's own files only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/vocabulary.h"
#include "wire/dialect/dialect.h"

namespace midwire::fuzz {

struct HarnessState {
  std::optional<wire::Dialect> dialect;
  Vocabulary words;
  bool mutating = false;                   // an engine mutates; else inputs are replayed
  std::string program = "target";          // argv[0]
  std::optional<std::string> artifacts{};  // the value of -artifact_prefix=
};
// Loads the dialect at the first call: $MIDWIRE_DIALECT, else this one.
HarnessState& StateOfHarness(const char* dialect = "");

// Fuzz targets have no command line of ours: a variable of the environment takes precedence over
// what the code has `given`.
std::string OptionOf(const char* variable, const char* given = "");
// Saves what a failure leaves, unless inputs are only replayed: the path, or "". Never overwrites,
// as the same failure has the same name.
std::string SaveArtifact(const std::string& name, std::string_view bytes);

uint64_t HashInput(std::string_view bytes);

// While fuzzing, expensive checks run on one input in kOneCostlyIn, selected by a hash of the
// input. A replay of an input runs all of them.
inline constexpr uint64_t kOneCostlyIn = 8;
bool SkipsWhileFuzzing(bool costly, uint64_t hash);

}  // namespace midwire::fuzz
