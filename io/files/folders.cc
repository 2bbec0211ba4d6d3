#include "io/files/folders.h"

#include <errno.h>
#include <sys/stat.h>

namespace midwire::io {
namespace {

// errno, or 0.
int MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0) return chmod(path.c_str(), 0700) == 0 ? 0 : errno;
  return errno == EEXIST ? 0 : errno;
}

}  // namespace

int MakeFolders(const std::string& path) {
  int first = 0;
  for (size_t at = 0; at != std::string::npos;) {
    at = path.find('/', at + 1);
    const int error = MakeFolder(path.substr(0, at));
    // An error of a parent does not matter if the folder itself exists or can be created.
    if (error == 0 && at == std::string::npos) return 0;
    if (first == 0) first = error;
  }
  return first;
}

}  // namespace midwire::io
