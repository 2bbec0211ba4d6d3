// Creates folders that hold tapes, inputs and findings. Called by proxy/ and fuzz/live/.
#pragma once

#include <string>

namespace midwire::io {

// Creates a folder (mode 0700) and its parents where they are missing. Returns errno of the first
// that could not be created; 0: the folder exists.
int MakeFolders(const std::string& path);

}  // namespace midwire::io
