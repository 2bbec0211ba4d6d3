#include "io/files/new_files.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <system_error>

#include "io/files/write_file.h"

namespace midwire::io {
namespace {

namespace fs = std::filesystem;

Error InTheWay(const std::string& path) {
  return {"another file is in the way, nothing was written", path,
          "remove it, or choose another folder"};
}

Error NoRoom(const std::string& path, int error) {
  return {"cannot create the file, nothing was written", path, strerror(error)};
}

// The canonical path of a name: links and dots are resolved as far as the folders exist.
class Places {
 public:
  fs::path Of(const fs::path& path) {
    fs::path& folder = folders_[path.parent_path()];
    std::error_code error;
    if (folder.empty()) {
      const fs::path parent = path.parent_path().empty() ? "." : path.parent_path();
      folder = fs::weakly_canonical(fs::absolute(parent), error).lexically_normal();
    }
    return folder / path.filename();
  }

 private:
  std::map<fs::path, fs::path> folders_;
};

// Fails if two files have the same path, or one has the path of a folder of another.
Status AreApart(const std::vector<NewFile>& files) {
  Places places;
  std::set<fs::path> files_at, folders_at;
  for (const NewFile& file : files) {
    const fs::path place = places.Of(file.path);
    bool apart = files_at.insert(place).second && !folders_at.contains(place);
    for (fs::path folder = place.parent_path(); apart && folder.has_relative_path();
         folder = folder.parent_path()) {
      apart = !files_at.contains(folder);
      if (!folders_at.insert(folder).second) break;
    }
    if (!apart) {
      return Error{"the paths of two files collide, nothing was written", file.path,
                   "choose another name"};
    }
  }
  return Ok{};
}

// Whether the file exists with these bytes; an error if anything else has its path.
Result<bool> IsThere(const NewFile& file) {
  struct stat status;
  if (lstat(file.path.c_str(), &status) != 0) return false;
  const Error in_the_way = InTheWay(file.path);
  if (stat(file.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return in_the_way;
  if (static_cast<uint64_t>(status.st_size) != file.bytes.size()) return in_the_way;
  std::ostringstream there;
  there << std::ifstream(file.path, std::ios::binary).rdbuf();
  if (there.str() != file.bytes) return in_the_way;
  return true;
}

}  // namespace

Status HasRoom(const std::string& path) {
  fs::path at(path);
  if (at.filename().empty()) return NoRoom(path, EISDIR);
  for (;;) {
    if (at.filename().native().size() > NAME_MAX) return NoRoom(path, ENAMETOOLONG);
    at = at.parent_path();
    const fs::path folder = at.empty() ? fs::path(".") : at;
    struct stat status;
    if (stat(folder.c_str(), &status) == 0) {
      if (!S_ISDIR(status.st_mode)) return InTheWay(folder);
      if (access(folder.c_str(), W_OK | X_OK) != 0) return NoRoom(path, errno);
      return Ok{};
    }
    // A dangling link is in the way too.
    if (lstat(folder.c_str(), &status) == 0) return InTheWay(folder);
    if (errno != ENOENT && errno != ENOTDIR) return NoRoom(path, errno);
    if (folder == folder.parent_path()) return NoRoom(path, ENOENT);
  }
}

Result<std::vector<NewFile>> MissingFiles(const std::vector<NewFile>& files) {
  std::vector<NewFile> missing;
  const Status apart = AreApart(files);
  if (!apart) return apart.error();
  for (const NewFile& file : files) {
    const Result<bool> is_there = IsThere(file);
    if (!is_there) return is_there.error();
    if (*is_there) continue;
    const Status has_room = HasRoom(file.path);
    if (!has_room) return has_room.error();
    missing.push_back(file);
  }
  return missing;
}

Status WriteWithFolders(const NewFile& file) {
  std::error_code error;
  const fs::path folder = fs::path(file.path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return Error{"cannot make the folder", folder.string(), error.message()};
  return WriteNewFile(file.path, file.bytes, file.mode);
}

}  // namespace midwire::io
