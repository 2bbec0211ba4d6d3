// Reports a failed check of a target on stderr: the rule, a sentence, the evidence. Then it calls
// abort(), so that any fuzzing engine keeps the input. With $MIDWIRE_KEEP_GOING it returns instead,
// and each fault is reported once, so that one check that always fails does not hide the others.
// Used by TryDecoder and TryDispatcher.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace midwire::fuzz {

// A label and bytes; the bytes are escaped, and cut to kMaxShown. libFuzzer's inputs are not longer
// by default.
using Evidence = std::vector<std::pair<std::string, std::string>>;
inline constexpr size_t kMaxShown = 4096;

// Counts a failure. `key`: the same for the same fault. False: it was reported before, and needs no
// report.
bool IsNewFault(const std::string& key);
// How many were counted in this process.
size_t FailuresCounted();
// More faults than this are counted and not reported: the first ones are enough to begin with.
inline constexpr size_t kMaxFaults = 1000;

struct Failure {
  std::string_view rule;  // "chunking"
  std::string text;       // a sentence; not escaped
  Evidence shown{};
  std::string_view input{};  // as the engine has it
  std::string cassette{};    // the text of one; "": it has `input` as what a host sent
};
// While an engine mutates, or if -artifact_prefix= was given, it also saves the cassette as
// PREFIXmidwire-RULE-HASH.jsonl, and the input without ".jsonl" if it does not abort.
void ReportFailure(const Failure& failure);

}  // namespace midwire::fuzz
