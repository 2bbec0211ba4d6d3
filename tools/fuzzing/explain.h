// midwire fuzz --explain: how the oracles judge the messages in the cassette of a finding. Starts
// no process. Called by commands/fuzz.
#pragma once

#include <string>

namespace midwire::tools {

int ExplainFinding(const std::string& trace);

}  // namespace midwire::tools
