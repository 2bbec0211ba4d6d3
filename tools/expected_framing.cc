#include "tools/expected_framing.h"

#include <sys/stat.h>

#include "tools/choose_dialect.h"

namespace midwire::tools {

std::optional<wire::Framing> ExpectedFraming(const std::string& trace) {
  struct stat file;
  if (trace == "-" || stat(trace.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return {};
  const Result<trace::Detection> detection = DetectTrace(trace);
  if (!detection || detection->dialect == nullptr) return {};
  return detection->dialect->framing;
}

}  // namespace midwire::tools
