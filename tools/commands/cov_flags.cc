// midwire cov-flags: prints compiler flags that give midwire fuzz coverage of a plugin.
#include <unistd.h>

#include <climits>
#include <string>

#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"

namespace midwire::tools {
namespace {

constexpr char kCovFlagsFooter[] =
    R"(Prints flags for clang or clang++: coverage instrumentation, and midwire-cov.o to link. The plugin then
reports coverage to midwire fuzz. Under any other program it behaves as before.

Example:
  clang++ -O1 -g $(midwire cov-flags) -o my-plugin my-plugin.cc)";

// Beside the command (in a build folder), or where it is installed.
std::string FindRuntime() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0 || size == sizeof path) return "";
  std::string folder(path, static_cast<size_t>(size));
  folder.resize(folder.rfind('/'));
  for (const char* place : {"/midwire-cov.o", MIDWIRE_COVERAGE_PLACE}) {
    if (access((folder + place).c_str(), R_OK) == 0) return folder + place;
  }
  return "";
}

int PrintFlags() {
  const std::string runtime = FindRuntime();
  if (runtime.empty()) {
    ReportError({"midwire-cov.o is missing", "not beside the command and not installed",
                 "install midwire with cmake --install"});
    return kUsage;
  }
  Output output;
  output.Write("-fsanitize-coverage=trace-pc-guard,trace-cmp " + runtime + "\n");
  return output.Finish();
}

}  // namespace

std::function<int()> DeclareCovFlags(ArgumentParser parser) {
  parser.Footer(kCovFlagsFooter);
  return PrintFlags;
}

}  // namespace midwire::tools
