// Folders that hold tapes, inputs and findings.
#pragma once

#include <string>

namespace midwire::io {

// Makes it where it is missing, 0700, and the folders that it lies in. Returns errno of the first
// that could not be made; 0: it is there.
int MakeFolders(const std::string& path);

// Removes what a FileSink has left in a folder whose process was killed: parts that no process has
// written to for 10 s.
void RemoveAbandonedParts(const std::string& folder);

}  // namespace midwire::io
