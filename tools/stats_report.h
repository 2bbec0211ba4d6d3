// Prints a tally: tables for people, one JSON object for programs (doc/show-json.md). Called by
// stats. Pure.
#pragma once

#include <string>

#include "tools/terminal.h"
#include "trace/report/tally.h"

namespace midwire::tools {

void AppendStatsText(const trace::Tally& tally, const Look& look, std::string* out);
void AppendStatsJson(const trace::Tally& tally, std::string* out);

}  // namespace midwire::tools
