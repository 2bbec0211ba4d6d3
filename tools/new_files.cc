#include "tools/new_files.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "trace/source.h"

namespace midwire::tools {
namespace {

// Whether it is there with these bytes; an error when another one is.
Result<bool> IsThere(const NewFile& file) {
  struct stat status;
  if (lstat(file.path.c_str(), &status) != 0) return false;
  const Error in_the_way = {"another file is in the way, nothing was written", file.path,
                            "remove it, or choose another folder"};
  if (stat(file.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return in_the_way;
  if (static_cast<uint64_t>(status.st_size) != file.bytes.size()) return in_the_way;
  std::ostringstream there;
  there << std::ifstream(file.path, std::ios::binary).rdbuf();
  if (there.str() != file.bytes) return in_the_way;
  return true;
}

}  // namespace

Result<std::vector<NewFile>> MissingFiles(const std::vector<NewFile>& files) {
  std::vector<NewFile> missing;
  for (const NewFile& file : files) {
    const Result<bool> is_there = IsThere(file);
    if (!is_there) return is_there.error();
    if (!*is_there) missing.push_back(file);
  }
  return missing;
}

Status WriteNewFile(const NewFile& file) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) return Error{"cannot make the folder", folder.string(), error.message()};
  const auto sink = trace::FileSink::Create(file.path, file.mode);
  if (!sink) return sink.error();
  const Status written = (*sink)->Write(file.bytes);
  return written ? (*sink)->Close() : written;
}

}  // namespace midwire::tools
