// Where bytes go, as a seam: writers are tested without files, and with files that fail.
// Implemented by io::FileSink, and by strings in tests.
#pragma once

#include <string_view>

#include "wire/outcome/result.h"

namespace midwire {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual Status Write(std::string_view bytes) = 0;
};

}  // namespace midwire
