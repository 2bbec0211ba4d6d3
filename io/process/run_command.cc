#include "io/process/run_command.h"

#include <algorithm>

#include "io/process/child_process.h"

namespace midwire::io {
namespace {

constexpr int64_t kLookNs = 20'000'000;  // between two calls of stop()

void ReadBoth(ChildProcess* child, const std::function<bool()>& stop, CommandOutput* output) {
  while (!child->out_ended() || !child->err_ended()) {
    const bool any = child->Wait(stop ? kLookNs : kNever, false, &output->out, &output->err);
    for (std::string* text : {&output->out, &output->err}) {
      text->resize(std::min(text->size(), kMaxKept));
    }
    if (stop && (stop() || (!any && child->HasEnded()))) return;
  }
}

}  // namespace

Result<CommandOutput> RunCommand(const std::vector<std::string>& argv,
                                 const std::function<bool()>& stop) {
  if (argv.empty() || argv[0].empty()) return Error{"no command to run", "", ""};
  ChildProcess child(argv, {},
                     {.has_stdin = false, .is_ours = false, .own_group = static_cast<bool>(stop)});
  const Status started = child.Start();
  if (!started) return started.error();
  CommandOutput output;
  ReadBoth(&child, stop, &output);
  if (!stop) {
    output.status = child.Join();
    return output;
  }
  // A process that has closed its pipes may still run.
  while (!stop() && !child.HasEnded()) SleepFor(kLookNs);
  output.status = child.Kill();
  return output;
}

}  // namespace midwire::io
