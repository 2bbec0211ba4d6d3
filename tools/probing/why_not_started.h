// Why the kernel does not start a file that is there and may be executed, from its first bytes: the
// error itself says "no such file" or "Exec format error". Called by doctor.
#pragma once

#include <string>

namespace midwire::tools {

// `name`: of the command, which is looked for in PATH. Begins with "; ", as it follows the error;
// "" if the file gives no reason.
std::string WhyNotStarted(const std::string& name);

}  // namespace midwire::tools
