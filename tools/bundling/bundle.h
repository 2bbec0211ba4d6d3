// What a bug report needs of a trace, and nothing more. That is a copy without its secrets, as tape
// and as cassette, its page, what check finds, versions, and how to replay it. Called by the
// command bundle. Reads the trace; writes only to a temporary folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/bundling/zip_archive.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

// An attachment above this is refused everywhere, and all of it is in memory.
inline constexpr uint64_t kMaxBundled = 1u << 30;

struct Bundle {
  std::string audit;   // what was replaced, and what only looks like a secret
  size_t secrets = 0;  // replaced
  std::vector<ZipEntry> files;
  int code = 0;  // kFine, or kDataLost if the trace is damaged
};

// `trace`: a regular file. `dialect`: as --dialect takes it; "": detected.
Result<Bundle> MakeBundle(const std::string& trace, const std::string& dialect);

}  // namespace midwire::tools
