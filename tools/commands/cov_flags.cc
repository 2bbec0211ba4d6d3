// midwire cov-flags: what to compile a plugin with so that midwire fuzz sees its edges.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <string>

#include "tools/command.h"
#include "tools/output.h"
#include "tools/read_trace.h"

namespace midwire::tools {
namespace {

constexpr char kFooter[] =
    R"(Prints flags for clang or clang++: instrumentation, and midwire-cov.o to be linked. The plugin then
fills what midwire fuzz shares with it; run by anybody else it does as always.

Example:
  clang++ -O1 -g $(midwire cov-flags) -o my-plugin my-plugin.cc)";

// Beside the command (a build folder), or where an installation has it.
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
    ReportError({"midwire-cov.o is missing", "beside the command and in its installation",
                 "install midwire whole: cmake --install"});
    return kUsage;
  }
  Output output;
  output.Write("-fsanitize-coverage=trace-pc-guard,trace-cmp " + runtime + "\n");
  return output.Finish();
}

}  // namespace

std::function<int()> DeclareCovFlags(CLI::App* app) {
  app->footer(kFooter);
  return PrintFlags;
}

}  // namespace midwire::tools
