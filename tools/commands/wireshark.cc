// midwire wireshark: prints where the dissector is, and the commands that use it.
#include <string>

#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/console/shell_word.h"
#include "tools/output.h"
#include "tools/sample.h"

namespace midwire::tools {
namespace {

constexpr char kWiresharkFooter[] =
    R"(With the dissector, Wireshark and tshark show methods, ids, latencies and pairs of messages
(doc/wireshark.md). A tape opens in both without it too.

Example:
  midwire wireshark)";

int PrintDissector() {
  const Result<std::string> script = InstalledFile("midwire.lua");
  if (!script) return Fail(script.error());
  const std::string word = AsShellWord(*script), option = " -X lua_script:" + word;
  Output output;
  output.Write(*script + "\n\nfor one session:\n");
  output.Write("  wireshark" + option + " session.pcapng\n");
  output.Write("  tshark -2" + option + " -r session.pcapng\n");
  output.Write("\nfor all sessions of this user:\n  mkdir -p ~/.local/lib/wireshark/plugins\n");
  output.Write("  ln -s " + word + " ~/.local/lib/wireshark/plugins\n");
  return output.Finish();
}

}  // namespace

std::function<int()> DeclareWireshark(ArgumentParser parser) {
  parser.Footer(kWiresharkFooter);
  return PrintDissector;
}

}  // namespace midwire::tools
