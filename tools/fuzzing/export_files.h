// The texts that `midwire fuzz --export` writes, in which @PROJECT@ and @DIALECT@ are replaced.
// Plain data, for fuzz_export.cc.
#pragma once

#include <span>
#include <string_view>

namespace midwire::tools {

struct ExportFile {
  std::string_view path;  // below the folder
  std::string_view text;
  bool program = false;
};
std::span<const ExportFile> ExportFiles();

}  // namespace midwire::tools
