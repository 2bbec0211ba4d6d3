// What the exit status of midwire says (doc/exit-codes.md). A command that runs a plugin may end
// with the plugin's.
#pragma once

namespace midwire::tools {

enum ExitCode : int { kFine = 0, kDifference = 1, kUsage = 2, kDataLost = 3 };

}  // namespace midwire::tools
