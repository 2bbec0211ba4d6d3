// What others than check found in a trace, as findings of a page: the report of a replay, and what
// fuzz wrote into the header of a cassette. Called by report.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "view/page/index.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct ReplayFindings {
  view::PageReplay replay;
  std::vector<view::PageFinding> findings;
};

// Reads what `replay --json` (or mock, diff) printed. `row_of`: the row of a recorded message by
// its number. An error: no such file, too large, or no such report.
Result<ReplayFindings> ReadReplayReport(const std::string& path,
                                        const std::function<view::RowId(uint64_t)>& row_of);

// The finding in the header of a cassette that fuzz wrote, about the row `last`; nullopt: it has
// none.
Result<std::optional<view::PageFinding>> FuzzFinding(const std::string& trace, view::RowId last);

}  // namespace midwire::tools
