// A plugin that its host finds as a file, with a launcher in its place that starts it through
// midwire. The plugin stays in its folder, under a hidden name, so that it finds what is beside it.
#pragma once

#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::tools {

// dir/notes -> dir/.notes.midwire
std::string AsidePath(const std::string& path);
std::string LauncherText(std::string_view midwire, const std::string& path);

// True: done; false: it is there already. dry_run: the same, and nothing changes.
Result<bool> WrapInPlace(const std::string& path, std::string_view midwire, bool dry_run);
// True: the plugin has its name again; false: there is no launcher.
Result<bool> UnwrapInPlace(const std::string& path, bool dry_run);

}  // namespace midwire::tools
