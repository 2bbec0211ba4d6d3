// The files of a command that makes many of them (corpus, fuzz --export): each is whole or not
// there, none is written over, and the same command again makes what is missing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/result.h"

namespace midwire::tools {

struct NewFile {
  std::string path;
  std::string_view bytes;
  unsigned mode = 0600;
};

// Those that are not there yet. An error: another file is in the way of one.
Result<std::vector<NewFile>> MissingFiles(const std::vector<NewFile>& files);
// One of these, and the folders that it lies in.
Status WriteNewFile(const NewFile& file);

}  // namespace midwire::tools
