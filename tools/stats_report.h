// How a tally looks: tables for people, one JSON object for programs (doc/show-json.md). Called by
// stats; pure.
#pragma once

#include <string>

#include "tools/read_trace.h"
#include "tools/tally.h"
#include "tools/terminal.h"

namespace midwire::tools {

void AppendTextReport(const Tally& tally, const Look& look, std::string* out);
void AppendJsonReport(const Tally& tally, const ReadOutcome& ending, std::string* out);

}  // namespace midwire::tools
