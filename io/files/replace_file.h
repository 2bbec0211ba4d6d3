// Replaces a file by a new version and gives the old one a name of its own: how
// `midwire replay --update` writes a trace.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::io {

// The file that a link leads to, so that the link stays one; other paths as they are.
std::string FollowLink(const std::string& path);

// `fresh`, which is whole, becomes `path`, with its mode; the old file becomes `path`.old, or the
// next free name (`path`.old.2), which is returned. `path` is there at every moment. On an error
// `fresh` is gone, and the rest as it was.
Result<std::string> ReplaceFile(const std::string& fresh, const std::string& path);

}  // namespace midwire::io
