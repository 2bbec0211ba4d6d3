// midwire cov-flags: prints compiler flags that give midwire fuzz coverage of a plugin.
#include <string>

#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/sample.h"

namespace midwire::tools {
namespace {

constexpr char kCovFlagsFooter[] =
    R"(Prints flags for clang or clang++: coverage instrumentation, and midwire-cov.o to link. The plugin then
reports coverage to midwire fuzz. Under any other program it behaves as before.

Example:
  clang++ -O1 -g $(midwire cov-flags) -o my-plugin my-plugin.cc)";

int PrintFlags() {
  const Result<std::string> runtime = InstalledFile("midwire-cov.o", MIDWIRE_COVERAGE_PLACE);
  if (!runtime) return Fail(runtime.error());
  Output output;
  output.Write("-fsanitize-coverage=trace-pc-guard,trace-cmp " + *runtime + "\n");
  return output.Finish();
}

}  // namespace

std::function<int()> DeclareCovFlags(ArgumentParser parser) {
  parser.Footer(kCovFlagsFooter);
  return PrintFlags;
}

}  // namespace midwire::tools
