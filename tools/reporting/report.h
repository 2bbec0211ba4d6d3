// Makes the page of `midwire report` from traces. Called by report and bundle. Prints notes and
// damage on stderr; writes no file but redacted copies in a temporary folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

struct ReportOptions {
  std::vector<std::string> traces;
  std::string other;    // compared with the first; "": none
  std::string replay;   // a report of replay --json about the first; "": none
  std::string dialect;  // as --dialect takes it; "": detected
  std::string where;    // a filter; "": everything
  uint64_t last = 0;    // messages of each trace; 0: all
  uint64_t max_body = UINT64_MAX;
  bool check = false, redact = false;
};

struct MadeReport {
  std::string page;
  int code = 0;  // kFine, or kDataLost if a trace is damaged
};

Result<MadeReport> MakeReport(const ReportOptions& options);

}  // namespace midwire::tools
