#include "tools/sample.h"

#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <filesystem>
#include <utility>
#include <vector>

#include "tools/read_trace.h"

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

Result<std::string> SampleTrace() {
  Result<std::string> installed = InstalledFile("sample.pcapng");
  if (installed) return installed;
  // Never closed: the path is read until the command ends.
  const int file = memfd_create("sample.pcapng", MFD_CLOEXEC);
  if (file < 0) return installed;
  for (size_t written = 0; written < kSampleSize;) {
    const ssize_t now = write(file, kSample + written, kSampleSize - written);
    if (now <= 0) return installed;
    written += static_cast<size_t>(now);
  }
  return "/proc/self/fd/" + std::to_string(file);
}

Status FindTraces(bool sample, std::vector<std::string>* traces) {
  if (sample && !traces->empty())
    return Error{"--sample: names the trace", traces->front(), "leave one of them out"};
  if (!traces->empty()) return Ok{};
  Result<std::string> trace = sample ? SampleTrace() : NewestTrace();
  if (!trace) return trace.error();
  traces->push_back(std::move(*trace));
  return Ok{};
}

}  // namespace midwire::tools
