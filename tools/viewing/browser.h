// Opens the user's browser at an address that holds a key, so that no process has the key among its
// arguments: they are public. Called by `midwire view`.
#pragma once

#include <string>

#include "tools/reporting/temporary_folder.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

class Browser {
 public:
  // Writes a file of the user's own (0600) that leads to the address, and opens it with xdg-open.
  // The file is there until this object goes. An error: no browser can be opened.
  Status Open(const std::string& address);

 private:
  TemporaryFolder folder_;
};

}  // namespace midwire::tools
