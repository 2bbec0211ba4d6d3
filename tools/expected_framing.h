// The framing of the protocol that a trace speaks, for commands that decode it without its dialect:
// so that they number its messages as show does. Where a language server logs JSON on stdout, lines
// before the first header are no messages.
#pragma once

#include <optional>
#include <string>

#include "wire/framing.h"

namespace midwire::tools {

// nullopt: no dialect fits, it has none, or the trace cannot be read twice.
std::optional<wire::Framing> ExpectedFraming(const std::string& trace);

}  // namespace midwire::tools
