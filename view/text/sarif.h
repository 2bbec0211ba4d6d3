// A run of midwire as SARIF 2.1.0 (OASIS Standard, 27 March 2020): its rules, the files that it is
// about, and what it found in them. Called by the reports of check and of findings. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/report/violation.h"

namespace midwire::view {

// A file as a place of results; its index is that of run.artifacts (3.4.5).
struct SarifFile {
  std::string path;     // as the user named it; "-" is standard input
  std::string dialect;  // its name; may be empty
  std::string error;    // why it, or the rest of it, could not be read; "": it was
};

// Text is escaped by the printer.
struct SarifResult {
  std::string rule;
  std::string_view level;  // "error", "warning" or "note"
  std::string text;
  size_t file = 0;       // in SarifRun::files
  uint64_t line = 0;     // 0: none; viewers show it
  std::string name;      // of the place in the file, such as "message 3"; "": none
  std::string place;     // the same, with what it is in
  std::string identity;  // equal for what is the same in another run
};

struct SarifRun {
  std::vector<trace::CheckedRule> rules;
  std::string properties;  // a JSON object; "": none
  std::vector<SarifFile> files;
  std::vector<SarifResult> results;
};

void AppendSarif(const SarifRun& run, std::string* out);

}  // namespace midwire::view
