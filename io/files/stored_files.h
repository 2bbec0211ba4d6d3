// The files of a folder, and which of them a process has open: what `midwire clean` needs to know
// before it removes tapes. Only RemoveStored changes anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::io {

struct StoredFile {
  std::string path;
  std::string head;  // its first bytes, at most kHeadBytes
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified_ns = 0;  // Unix time
  bool is_open = false;     // by a process that we may look at
};
inline constexpr size_t kHeadBytes = 64;

// Regular files of this user whose names end with `suffix`, in order of their names. Links are left
// out.
Result<std::vector<StoredFile>> ListStored(const std::string& folder, std::string_view suffix);

// An error: open files cannot be looked at, so that StoredFile::is_open means nothing.
Status CanSeeOpenFiles();

// Removes it, unless it was changed or replaced since it was listed.
Status RemoveStored(const StoredFile& file);

}  // namespace midwire::io
