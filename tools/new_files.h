// The files of a command that makes many of them (corpus, fuzz --export): each is whole or not
// there, none is written over, and the same command again makes what is missing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

struct NewFile {
  std::string path;
  std::string_view bytes;
  unsigned mode = 0600;
};

// Whether a file could be made there, and the folders that it lies in; one that is there does not
// matter. An error says what is in the way.
Status HasRoom(const std::string& path);

// Those that are not there yet. An error: another file, or one of these, is in the way of one, or
// there is no room for it.
Result<std::vector<NewFile>> MissingFiles(const std::vector<NewFile>& files);
// One of these, and the folders that it lies in.
Status WriteNewFile(const NewFile& file);

}  // namespace midwire::tools
