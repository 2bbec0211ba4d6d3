// Writes what was learned into the header of a cassette: in place, or for a tape into a cassette
// beside it. Everything after the first line stays byte for byte.
#pragma once

#include <string>
#include <vector>

#include "replay/learn/lesson.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct WrittenHeader {
  std::string path;
  std::string old;  // the previous version; "" if `path` is new
};

Result<WrittenHeader> WriteLessons(const std::string& trace,
                                   const std::vector<replay::Lesson>& lessons);

}  // namespace midwire::tools
