// The tapes of one name, and waiting for a tape (read_trace.h).
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/files/append_file.h"
#include "io/files/file_growth.h"
#include "io/interrupt.h"
#include "io/signals.h"
#include "proxy/tape_name.h"
#include "tools/console/diagnostics.h"
#include "tools/read_trace.h"

namespace midwire::tools {
namespace {

// Whether it is there and has begun: a recorder makes the file before its first bytes are known.
bool HasBegun(const std::string& path) {
  struct stat file;
  return stat(path.c_str(), &file) == 0 && (!S_ISREG(file.st_mode) || file.st_size > 0);
}

// "": there is no newer one.
std::string NewestSessionOf(const std::string& path) {
  std::string last;
  for (int session = 1;; ++session) {
    std::string next = NextSessionOf(path, session);
    if (next.empty()) return last;
    last = std::move(next);
  }
}

// Until the condition holds. The folder may not exist yet: then a timer wakes.
template <typename Condition>
void AwaitIn(const std::string& folder, const Condition& holds) {
  io::CatchInterrupts({SIGINT});
  while (!holds() && io::Interrupted() == 0) io::FileGrowth(folder).Wait();
}

}  // namespace

std::string NextSessionOf(const std::string& path, int session) {
  struct stat file;
  std::string next = path == "-" ? "" : io::NextName(path, session + 1);
  return stat(next.c_str(), &file) == 0 && S_ISREG(file.st_mode) ? next : "";
}

void ReportNextSessions(const std::vector<std::string>& traces) {
  std::vector<std::string> reported = traces;
  for (const std::string& trace : traces) {
    const std::string newest = NewestSessionOf(trace);
    const bool known = std::any_of(reported.begin(), reported.end(), [&](const std::string& path) {
      std::error_code ignored;
      return path == newest || std::filesystem::equivalent(path, newest, ignored);
    });
    if (newest.empty() || known) continue;
    ReportNote("there is a newer session of this name: " + newest);
    reported.push_back(newest);
  }
}

bool AwaitTrace(const std::string& path) {
  if (path == "-" || HasBegun(path)) return true;
  ReportNote("waiting for " + path + " (Ctrl-C ends it)");
  const std::string folder = std::filesystem::path(path).parent_path().string();
  AwaitIn(folder.empty() ? "." : folder, [&] { return HasBegun(path); });
  return HasBegun(path);
}

Result<std::string> AwaitNewestTrace() {
  const Result<std::string> folder = proxy::DefaultFolder();
  if (!folder) return folder.error();
  bool noted = false;
  AwaitIn(*folder, [&] {
    const bool there = HasTrace(*folder);
    if (!there && !noted) ReportNote("waiting for the first tape in " + *folder);
    noted = true;
    return there;
  });
  return NewestTrace();
}

}  // namespace midwire::tools
