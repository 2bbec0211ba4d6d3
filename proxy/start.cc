#include "proxy/start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "io/current_host.h"
#include "proxy/plugin_name.h"
#include "proxy/tape_name.h"

namespace midwire::proxy {
namespace {

constexpr int kNotFound = 127, kNotExecutable = 126;

// What strerror does not say: execvp reports a missing interpreter as a missing program.
std::string StartRemedy(const std::string& name, int error) {
  const bool searched = name.find('/') == name.npos;
  if (error == ENOENT && searched) return " (it is not in PATH)";
  if (error == ENOENT && access(name.c_str(), F_OK) == 0)
    return " (it is there, but not the interpreter that it names)";
  struct stat file;
  if (error != EACCES || stat(name.c_str(), &file) != 0) return "";
  if (S_ISDIR(file.st_mode)) return " (it is a folder)";
  return (file.st_mode & 0111) == 0 ? " (it is not executable: chmod +x it)" : "";
}

}  // namespace

RecordOutcome CannotStart(const std::string& name, int error) {
  const bool not_found = error == ENOENT || error == ENOTDIR;
  return {.status = {.code = not_found ? kNotFound : kNotExecutable},
          .cannot_start = "cannot start the plugin: " + name + ": " + strerror(error) +
                          StartRemedy(name, error)};
}

trace::CannotStartEvent CannotStartEventOf(const std::string& name, int error) {
  const bool searched = name.find('/') == name.npos;
  const char* const path = searched ? getenv("PATH") : nullptr;
  return {
      .file = name, .path = path != nullptr ? path : "", .error = strerror(error), .number = error};
}

Result<std::string> TapePath(const std::string& pattern, const std::vector<std::string>& argv,
                             int64_t unix_ns) {
  const TapeNaming naming = {.unix_ns = unix_ns, .pid = getpid(), .plugin = PluginName(argv)};
  if (!pattern.empty()) return FillPlaceholders(pattern, naming);
  const auto folder = MakeDefaultFolder();
  if (!folder) return folder.error();
  return *folder + "/" + FillPlaceholders(kDefaultName, naming);
}

trace::SpawnEvent SpawnEventOf(const std::vector<std::string>& argv, const Plugin& plugin,
                               const std::string& version) {
  io::CurrentHost host = io::GetCurrentHost();
  return {.argv = argv,
          .cwd = std::move(host.cwd),
          .home = std::move(host.home),
          .pid = plugin.error == 0 ? plugin.pid : 0,
          .version = version};
}

}  // namespace midwire::proxy
