// A file of another program that is edited: a host's configuration. Read once, replaced as
// a whole, and only if it is still what was read. Called by tools/. The file keeps its mode, owner
// and group; a kill at any moment leaves the old or the new version under its name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::io {

struct EditedFile {
  std::string path;
  std::string bytes;
  // What stat(2) reports of this version.
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified_ns = 0;
  unsigned mode = 0, owner = 0, group = 0;
};

// Without its bytes. Refuses what cannot be replaced as it is: a link, no regular file, a file of
// another owner, without write permission, or with more than `names` names.
Result<EditedFile> CheckEditedFile(const std::string& path, unsigned names = 1);
// With its bytes; also refuses a file larger than `most`.
Result<EditedFile> ReadEditedFile(const std::string& path, size_t most);

struct KeptCopy {
  std::string path;
  bool made = false;  // now; false: it was there already
};
// Copies the file beside it, as path.before-midwire or the next free name. A copy of the same bytes
// is kept and used.
Result<KeptCopy> KeepCopy(const EditedFile& file);
// The copies that are there, by number. A number may be missing: copies are removed one by one.
std::vector<std::string> CopiesOf(const std::string& path);

// An error: the file was changed since, or cannot be written; it is as it was.
Status ReplaceEditedFile(const EditedFile& file, std::string_view bytes);

}  // namespace midwire::io
