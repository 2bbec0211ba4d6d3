// Replaces a file by a new version and gives the old one a name of its own: how
// `midwire replay --update` writes a trace.
#pragma once

#include <string>

#include "wire/outcome/result.h"

namespace midwire::io {

// The file that a link leads to, so that the link is kept; other paths unchanged.
std::string FollowLink(const std::string& path);

// `fresh`, which is whole, becomes `path`, with its mode; the old file becomes `path`.old, or the
// next free name (`path`.old.2), which is returned. `path` exists at every moment. On an error
// `fresh` is removed and all else is unchanged.
Result<std::string> ReplaceFile(const std::string& fresh, const std::string& path);

}  // namespace midwire::io
