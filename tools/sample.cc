#include "tools/sample.h"

#include <unistd.h>

#include <climits>

namespace midwire::tools {

// Beside the command (in a build folder), or where it is installed.
Result<std::string> SampleTrace() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  std::string folder(path, size > 0 ? static_cast<size_t>(size) : 0);
  folder.resize(folder.find_last_of('/') == folder.npos ? 0 : folder.rfind('/'));
  for (const char* place : {"/sample.pcapng", MIDWIRE_SAMPLE_PLACE}) {
    if (access((folder + place).c_str(), R_OK) == 0) return folder + place;
  }
  return Error{"the sample session is missing", "sample.pcapng",
               "install midwire with cmake --install"};
}

}  // namespace midwire::tools
