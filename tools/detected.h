// What the commands say of a dialect that they have detected, in the same words: which one, and how
// sure that is. Defined in choose_dialect.cc.
#pragma once

#include <string>

#include "tools/choose_dialect.h"

namespace midwire::tools {

// "dialect mcp, detected (certain: 37 of 37 calls, framing, handshake)".
std::string DetectedText(const trace::Detection& detection);

// Says it on stderr, with the revision; nothing if the dialect was named, or if none fits. `trace`:
// its name where there are several.
void ReportDetected(const ChosenDialect& chosen, const std::string& trace = "");

}  // namespace midwire::tools
