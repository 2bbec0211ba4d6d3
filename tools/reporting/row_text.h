// Short texts of a page's rows and sessions, from what peers sent. Called by TraceRows. Pure;
// nothing is escaped: the page does that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/message.h"

namespace midwire::tools {

// "-32601 no such tool": code and message of an error, on one line.
std::string FailureOf(const wire::Message& error);
// Why a result is a failure: the first text in it that reads like a reason, on one line.
// `body`: loose JSON.
std::string ReasonIn(std::string_view body);

// As a shell reads it.
std::string CommandLine(const std::vector<std::string>& argv);

}  // namespace midwire::tools
