// A dialect with which the sessions of these tests have nothing to note.
#pragma once

#include <string>

#include "tests/trace/conversation.h"

namespace midwire::trace {

inline constexpr char kPlain[] = R"(
  "jsonrpc": "off", "unknown_methods": "off")";

inline std::string Plain(const std::string& conversation) { return Found(kPlain, conversation); }

}  // namespace midwire::trace
