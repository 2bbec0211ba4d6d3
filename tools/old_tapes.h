// Which tapes `midwire clean` removes. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/files/stored_files.h"

namespace midwire::tools {

struct CleanLimits {
  std::optional<int64_t> older_ns;  // of the last write
  std::optional<uint64_t> over;     // bytes of all tapes together
};

// A file that midwire record began to write.
bool IsTape(const io::StoredFile& file);

// Those that are older, and then the oldest ones until the others are small enough together.
// Oldest first. Never one that is open, nor another part of a recording that has an open one.
std::vector<io::StoredFile> OldTapes(const std::vector<io::StoredFile>& files,
                                     const CleanLimits& limits, int64_t now_unix_ns);

}  // namespace midwire::tools
