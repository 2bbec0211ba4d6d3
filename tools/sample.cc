#include "tools/sample.h"

#include <unistd.h>

#include <climits>
#include <filesystem>
#include <vector>

namespace midwire::tools {

std::string OwnPath() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size <= 0 || size == sizeof path ? "" : std::string(path, static_cast<size_t>(size));
}

// Beside the command (in a build folder), where it is installed, or where another one is: a command
// that was copied elsewhere has no files of its own.
Result<std::string> InstalledFile(const std::string& name, const std::string& place) {
  std::string folder = OwnPath();
  folder.resize(folder.find_last_of('/') == folder.npos ? 0 : folder.rfind('/'));
  std::vector<std::string> places = {folder + "/" + name};
  for (const std::string& commands :
       {folder, std::string("/usr/local/bin"), std::string("/usr/bin")})
    places.push_back(std::filesystem::path(commands + place).lexically_normal());
  std::string tried;
  for (const std::string& file : places) {
    if (access(file.c_str(), R_OK) == 0) return file;
    tried += (tried.empty() ? "looked for " : ", ") + file;
  }
  return Error{"a file of midwire is missing: " + name, tried,
               "copy it beside the command, or install midwire"};
}

Result<std::string> InstalledFile(const std::string& name) {
  return InstalledFile(name, MIDWIRE_DATA_PLACE + name);
}

Result<std::string> SampleTrace() { return InstalledFile("sample.pcapng"); }

}  // namespace midwire::tools
