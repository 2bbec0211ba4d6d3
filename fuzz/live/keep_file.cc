#include "fuzz/live/keep_file.h"

#include <sys/stat.h>

#include "trace/source.h"

namespace midwire::fuzz {
namespace {

// A link that leads nowhere is something, and no file.
bool IsSomething(const std::string& path) {
  struct stat there;
  return lstat(path.c_str(), &there) == 0;
}

bool IsFile(const std::string& path) {
  struct stat there;
  return stat(path.c_str(), &there) == 0 && S_ISREG(there.st_mode);
}

}  // namespace

Status KeepFile(const std::string& path, std::string_view bytes) {
  if (IsFile(path)) return Ok{};
  if (IsSomething(path)) {
    return Error{"something that is no file is in the way", path,
                 "remove it, or -o names another folder"};
  }
  const auto sink = trace::FileSink::Create(path);
  Status kept = sink ? (*sink)->Write(bytes) : Status(sink.error());
  if (kept) kept = (*sink)->Close();
  // Another job was faster.
  if (!kept && IsFile(path)) return Ok{};
  return kept;
}

}  // namespace midwire::fuzz
