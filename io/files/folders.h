// Creates and cleans up folders that hold tapes, inputs and findings. Called by proxy/ and
// fuzz/live/. Never removes a complete file.
#pragma once

#include <string>

namespace midwire::io {

// Creates a folder (mode 0700) and its parents where they are missing. Returns errno of the first
// that could not be created; 0: the folder exists.
int MakeFolders(const std::string& path);

// Removes what FileSinks of killed processes left in a folder: parts that were not written to for
// 10 s.
void RemoveAbandonedParts(const std::string& folder);

}  // namespace midwire::io
