// A folder of private copies that is removed also when Ctrl-C or a kill ends the process: what a
// destructor does not see. Called by tools/reporting. Only a SIGKILL leaves the folder behind.
#pragma once

#include <string>

namespace midwire::io {

// Removes the files in `folder`, which has no folders, and the folder itself when SIGHUP, SIGINT or
// SIGTERM ends this process. A signal that is ignored stays so, and one that the command catches is
// the command's.
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(const std::string& folder);
  ~RemovedOnSignal();
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace midwire::io
