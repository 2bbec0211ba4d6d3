// An executable file that gives its name to another one and gets it back: how
// `midwire wrap --in-place` puts a launcher in a plugin's place. The file itself is never written:
// it is the same inode, under another name in the same folder. Its name is there at every moment.
#pragma once

#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::io {

// `path` becomes `aside`, and a new file with these bytes, and the mode, owner and group of the old
// one, becomes `path`. Refuses what is no plain executable file that the user may replace. A file
// that a killed run left at `aside` is no obstacle if it is the same as `path`.
Status PutAside(const std::string& path, const std::string& aside, std::string_view launcher);

// Whether PutAside would do so. Changes nothing.
Status CanPutAside(const std::string& path, const std::string& aside);

// `aside` becomes `path` again.
Status PutBack(const std::string& path, const std::string& aside);

// Whether a regular file at `path` begins with `text`.
bool BeginsWith(const std::string& path, std::string_view text);

}  // namespace midwire::io
