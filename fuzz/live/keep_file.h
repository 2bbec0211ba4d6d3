// Writes what a campaign keeps: seeds and findings. Several jobs may keep the same one at once.
#pragma once

#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::fuzz {

// Whole or not at all, 0600. A file that is there already stays, and is fine. An error: it cannot
// be written, or what is there is no file.
Status KeepFile(const std::string& path, std::string_view bytes);

}  // namespace midwire::fuzz
