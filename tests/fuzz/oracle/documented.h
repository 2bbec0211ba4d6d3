// Whether doc/fuzz.md has a table as the code has it.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/paths.h"

namespace midwire::fuzz {

// "" if the page has this table; else the table, to be copied into the page. `head`: its first
// line.
inline std::string Undocumented(const std::string& head, const std::string& rows) {
  std::string table = head + "\n|";
  for (auto i = std::count(head.begin(), head.end(), '|'); i > 1; --i) table += " --- |";
  table += "\n" + rows;
  std::stringstream page;
  page << std::ifstream(SourceFolder() + "/doc/fuzz.md").rdbuf();
  return page.str().find("\n" + table + "\n") != std::string::npos ? "" : "\n" + table;
}

}  // namespace midwire::fuzz
