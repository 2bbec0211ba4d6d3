// Diagnostics of the command: one line each on stderr, such as "midwire: error: cannot open the
// trace: x.pcapng". Called wherever tools/ has something to say that is not a result. What is
// reported is escaped here (wire/json/escape.h), because much of it comes from outside. Only
// diagnostics.cc includes spdlog, which takes long to compile.
#pragma once

#include <cstddef>
#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

// What the exit status of midwire says (doc/exit-codes.md). A command that runs a plugin may end
// with the plugin's.
enum ExitCode : int { kFine = 0, kDifference = 1, kUsage = 2, kDataLost = 3 };

// Called by main, before anything is reported. colors: if stderr is a terminal. `width`: of that
// terminal, at which notes and warnings are folded; 0: there is none.
void StartDiagnostics(bool colors, size_t width);

void ReportError(const Error& error);
// Of an option's value that does not fit, as in `--max-time: not a duration: "abc" (try 30s, 5m)`.
Error WrongValue(const std::string& option, const std::string& value, const std::string& what,
                 const std::string& remedy);
// As ReportError, and returns `code`.
int Fail(const Error& error, int code = kUsage);
void ReportWarning(const std::string& text);
void ReportNote(const std::string& text);

}  // namespace midwire::tools
