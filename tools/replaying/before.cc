#include "tools/replaying/before.h"

#include "io/process/run_command.h"

namespace midwire::tools {
namespace {

// The last line that it printed there says most often what is wrong.
std::string LastLineOf(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace

Status RunBefore(const std::string& command) {
  if (command.empty()) return Ok{};
  const Result<io::CommandOutput> ran = io::RunCommand({"/bin/sh", "-c", command});
  if (!ran) return ran.error();
  const ExitStatus& status = ran->status;
  if (status.signal == 0 && status.code == 0) return Ok{};
  const std::string ended = status.signal != 0 ? "signal " + std::to_string(status.signal)
                                               : "exit " + std::to_string(status.code);
  return Error{"--before: the command failed (" + ended + ")", command, LastLineOf(ran->err)};
}

std::function<Status()> BeforeStarts(const std::string& command) {
  if (command.empty()) return {};
  return [command] { return RunBefore(command); };
}

}  // namespace midwire::tools
