// A ZIP archive in memory, written by minizip. Called by bundle. Pure: equal files give equal
// bytes, as entries have no time.
#pragma once

#include <string>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

struct ZipEntry {
  std::string name;  // with folders; of ASCII letters, digits, dot, dash and slash
  std::string bytes;
};

// Entries are readable by their owner alone (0600) where they are unpacked.
Result<std::string> ZipArchive(const std::vector<ZipEntry>& entries);

}  // namespace midwire::tools
