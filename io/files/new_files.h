// Writes the files of a command that creates many (corpus, fuzz --export). Each file is complete or
// absent, none is overwritten, and running the command again writes the missing ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::io {

struct NewFile {
  std::string path;
  std::string_view bytes;
  unsigned mode = 0600;
};

// Whether the file and its folders could be created; an existing file is fine. An error says what
// is in the way.
Status HasRoom(const std::string& path);

// The files that do not exist yet. An error: a file with other contents is in the way, or the path
// is unusable.
Result<std::vector<NewFile>> MissingFiles(const std::vector<NewFile>& files);
// Writes one file and creates its folders.
Status WriteWithFolders(const NewFile& file);

}  // namespace midwire::io
