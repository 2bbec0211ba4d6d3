#include "proxy/tape_name.h"

#include <string.h>

#include <algorithm>
#include <cstdlib>

#include "io/clock.h"
#include "io/files/append_file.h"
#include "io/files/write_file.h"
#include "wire/json/ascii.h"

namespace midwire::proxy {
namespace {

std::string PluginText(const std::string& name) {
  std::string text = name.substr(name.find_last_of('/') + 1);
  text.erase(0, text.find_first_not_of('.'));  // no hidden tapes
  for (char& c : text) {
    if (!wire::IsAlphanumeric(c) && c != '.' && c != '_') c = '-';
  }
  return text.empty() ? "plugin" : text;
}

}  // namespace

std::string FillPlaceholders(const std::string& pattern, const TapeNaming& naming) {
  std::string filled;
  size_t at = 0;
  while (at < pattern.size()) {
    const auto is = [&](const char* name) { return pattern.compare(at, strlen(name), name) == 0; };
    if (is("{time}")) {
      filled += io::UtcStamp(naming.unix_ns);
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

std::string UnknownPlaceholder(std::string_view pattern) {
  constexpr std::string_view kKnown[] = {"{time}", "{pid}", "{plugin}"};
  constexpr std::string_view kOfWords =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  for (size_t at = pattern.find('{'); at != pattern.npos; at = pattern.find('{', at + 1)) {
    const size_t end = pattern.find_first_not_of(kOfWords, at + 1);
    if (end == pattern.npos || pattern[end] != '}' || end == at + 1) continue;
    const std::string_view word = pattern.substr(at, end + 1 - at);
    if (std::find(std::begin(kKnown), std::end(kKnown), word) == std::end(kKnown)) {
      return std::string(word);
    }
  }
  return "";
}

Result<std::string> DefaultFolder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return std::string(state) + "/midwire";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.local/state/midwire";
  return Error{"no default place for tapes", "neither XDG_STATE_HOME nor HOME is an absolute path",
               "name one, or set HOME"};
}

Result<std::string> MakeDefaultFolder() {
  const auto place = DefaultFolder();
  if (!place) return place;
  const int error = io::MakeFolders(*place);
  if (error == 0) return place;
  return Error{"cannot make the folder for the tape", *place + ": " + strerror(error),
               "name another with --output"};
}

std::string PartName(const std::string& path, int64_t part) {
  return part < 2 ? path : io::InsertBeforeExtension(path, "." + std::to_string(part));
}
}  // namespace midwire::proxy
