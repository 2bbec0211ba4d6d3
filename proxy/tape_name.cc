#include "proxy/tape_name.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <cstdlib>

namespace midwire::proxy {
namespace {

std::string TimeText(int64_t unix_ns) {
  const time_t seconds = unix_ns / 1'000'000'000;
  struct tm parts;
  gmtime_r(&seconds, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

std::string PluginText(const std::string& name) {
  std::string text = name.substr(name.find_last_of('/') + 1);
  for (char& c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '_';
    if (!plain) c = '-';
  }
  return text.empty() || text == "." || text == ".." ? "plugin" : text;
}

// Between the stem and the extension of the last path component.
std::string InsertBeforeExtension(const std::string& path, const std::string& text) {
  const size_t name = path.find_last_of('/') + 1;  // npos + 1 is 0
  size_t dot = path.find_last_of('.');
  if (dot == std::string::npos || dot <= name) dot = path.size();
  return path.substr(0, dot) + text + path.substr(dot);
}

bool MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0) return chmod(path.c_str(), 0700) == 0;  // whatever the umask
  return errno == EEXIST;
}

}  // namespace

std::string FillPlaceholders(const std::string& pattern, const TapeNaming& naming) {
  std::string filled;
  size_t at = 0;
  while (at < pattern.size()) {
    const auto is = [&](const char* name) { return pattern.compare(at, strlen(name), name) == 0; };
    if (is("{time}")) {
      filled += TimeText(naming.unix_ns);
    } else if (is("{pid}")) {
      filled += std::to_string(naming.pid);
    } else if (is("{plugin}")) {
      filled += PluginText(naming.plugin);
    } else {
      filled += pattern[at++];
      continue;
    }
    at = pattern.find('}', at) + 1;
  }
  return filled;
}

Result<std::string> DefaultFolder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return std::string(state) + "/midwire";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] != '\0') return std::string(home) + "/.local/state/midwire";
  return Error{"no default place for tapes", "neither XDG_STATE_HOME nor HOME is set",
               "name the tape"};
}

Result<std::string> MakeDefaultFolder() {
  const auto place = DefaultFolder();
  if (!place) return place;
  const std::string& folder = *place;
  for (size_t slash = folder.find('/', 1); slash != std::string::npos;
       slash = folder.find('/', slash + 1)) {
    MakeFolder(folder.substr(0, slash));  // the last one tells whether it worked
  }
  if (!MakeFolder(folder)) {
    return Error{"cannot make the folder for the tape", folder + ": " + strerror(errno),
                 "name another with --output"};
  }
  return folder;
}

std::string PartName(const std::string& path, int64_t part) {
  return part < 2 ? path : InsertBeforeExtension(path, "." + std::to_string(part));
}

std::string NextName(const std::string& path, int attempt) {
  return attempt < 2 ? path : InsertBeforeExtension(path, "-" + std::to_string(attempt));
}

}  // namespace midwire::proxy
