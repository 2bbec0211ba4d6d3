#include "tools/wrapping/in_place.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "io/files/put_aside.h"
#include "tools/console/shell_word.h"
#include "tools/wrapping/servers.h"

namespace midwire::tools {
namespace {

// By this a launcher is recognized.
constexpr std::string_view kHead = "#!/bin/sh\n# Written by midwire wrap --in-place";

bool Exists(const std::string& path) {
  struct stat there;
  return lstat(path.c_str(), &there) == 0;
}

std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string AsidePath(const std::string& path) {
  const std::string name = NameOf(path);
  return path.substr(0, path.size() - name.size()) + "." + name + ".midwire";
}

std::string LauncherText(std::string_view midwire, const std::string& path) {
  // A kernel passes a script the path by which it was started; a shell that is asked to run it by
  // its name passes the name.
  // A link to the launcher is in another folder.
  const std::string aside = AsShellWord(NameOf(AsidePath(path)));
  std::error_code unknown;
  const std::string folder = std::filesystem::absolute(path, unknown).parent_path();
  return std::string(kHead) +
         ": starts the plugin of this name through midwire.\n"
         "# The plugin is the hidden file beside this one. To undo: midwire unwrap --in-place "
         "FILE\n"
         "case $0 in */*) folder=${0%/*} ;; *) folder=. ;; esac\n"
         "[ -e \"$folder\"/" +
         aside + " ] || folder=" + AsShellWord(folder) + "\nexec " + AsShellWord(midwire) +
         " record " + std::string(kMark) + "=file -- \"$folder\"/" + aside + " \"$@\"\n";
}

Result<bool> WrapInPlace(const std::string& path, std::string_view midwire, bool dry_run) {
  const std::string aside = AsidePath(path);
  if (io::BeginsWith(path, kHead) && Exists(aside)) return false;
  const Status put = dry_run ? io::CanPutAside(path, aside)
                             : io::PutAside(path, aside, LauncherText(midwire, path));
  if (!put) return put.error();
  return true;
}

Result<bool> UnwrapInPlace(const std::string& path, bool dry_run) {
  const std::string aside = AsidePath(path);
  if (!io::BeginsWith(path, kHead)) {
    if (!Exists(aside)) return false;
    struct stat a, b;
    const bool same = lstat(path.c_str(), &a) == 0 && lstat(aside.c_str(), &b) == 0 &&
                      a.st_ino == b.st_ino && a.st_dev == b.st_dev;
    if (!same) {
      return Error{"the launcher was replaced since; the plugin of that time is aside", aside,
                   "move or remove it by hand"};
    }
  }
  if (dry_run && Exists(aside)) return true;
  const Status back = io::PutBack(path, aside);
  if (!back) return back.error();
  return true;
}

}  // namespace midwire::tools
