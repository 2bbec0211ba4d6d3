// Prints a tally: tables for people, one JSON object for programs (doc/show-json.md). Called by
// stats. Pure.
#pragma once

#include <string>

#include "trace/report/tally.h"
#include "view/text/style.h"

namespace midwire::view {

void AppendStatsText(const trace::Tally& tally, const Style& style, std::string* out);
void AppendStatsJson(const trace::Tally& tally, std::string* out);

}  // namespace midwire::view
