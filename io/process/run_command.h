// Runs a program to its end and keeps what it prints: how the test kit runs the midwire command,
// and `midwire reduce` the command of its user. No shell, no input. Changes no signal, and touches
// no child but its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wire/outcome/exit_status.h"
#include "wire/outcome/result.h"

namespace midwire::io {

// Of each stream; a report has at most 1000 findings of a few hundred bytes. The rest is read, so
// that the program can go on, and dropped.
inline constexpr size_t kMaxKept = 4u << 20;

struct CommandOutput {
  ExitStatus status;
  std::string out, err;
};

// A name without a slash is searched in PATH. An error: it cannot be started. With `stop` it has a
// process group of its own, which is killed once stop() is true, or when the program has ended and
// left another process behind.
Result<CommandOutput> RunCommand(const std::vector<std::string>& argv,
                                 const std::function<bool()>& stop = {});

}  // namespace midwire::io
