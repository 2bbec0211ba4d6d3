// The texts that `midwire fuzz --export` writes, in which export.cc replaces @PROJECT@ and
// @DIALECT@. Plain data.
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
