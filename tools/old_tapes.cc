#include "tools/old_tapes.h"

#include <algorithm>
#include <set>
#include <string>

#include "wire/json/ascii.h"

namespace midwire::tools {
namespace {

// "x.pcapng" of x.pcapng, x.2.pcapng, x.3.pcapng: the parts of one recording.
std::string RecordingOf(const std::string& path) {
  const size_t extension = path.rfind('.');
  const size_t dot = extension == 0 || extension == std::string::npos
                         ? std::string::npos
                         : path.rfind('.', extension - 1);
  if (dot == std::string::npos || dot + 1 == extension) return path;
  const std::string part = path.substr(dot + 1, extension - dot - 1);
  if (!wire::IsDigits(part)) return path;
  return path.substr(0, dot) + path.substr(extension);
}

}  // namespace

bool IsTape(const io::StoredFile& file) {
  // A section header of pcapng, written by midwire (doc/trace-format.md).
  return file.head.starts_with("\x0a\x0d\x0d\x0a") &&
         file.head.find("midwire") != std::string::npos;
}

std::vector<io::StoredFile> OldTapes(const std::vector<io::StoredFile>& files,
                                     const CleanLimits& limits, int64_t now_unix_ns) {
  std::set<std::string> running;
  uint64_t total = 0;
  for (const io::StoredFile& file : files) {
    if (!IsTape(file)) continue;
    total += file.size;
    if (file.is_open) running.insert(RecordingOf(file.path));
  }
  std::vector<io::StoredFile> old;
  for (const io::StoredFile& file : files) {
    if (IsTape(file) && running.count(RecordingOf(file.path)) == 0) old.push_back(file);
  }
  std::stable_sort(old.begin(), old.end(), [](const io::StoredFile& a, const io::StoredFile& b) {
    return a.modified_ns < b.modified_ns;
  });
  const auto stays = std::find_if(old.begin(), old.end(), [&](const io::StoredFile& file) {
    const bool older = limits.older_ns && now_unix_ns - file.modified_ns > *limits.older_ns;
    const bool over = limits.over && total > *limits.over;
    if (!older && !over) return true;
    total -= file.size;
    return false;
  });
  old.erase(stays, old.end());
  return old;
}

}  // namespace midwire::tools
