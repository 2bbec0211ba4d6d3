#include "tools/kit/replays.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "io/current_host.h"
#include "io/process/run_command.h"
#include "replay/script/declaration_kinds.h"
#include "view/text/replay_report.h"
#include "wire/json/escape.h"

namespace midwire::kit {
namespace {

// From the command's exit codes (doc/exit-codes.md).
constexpr int kSame = 0;

std::string_view Name(replay::Order order) {
  static constexpr std::string_view kNames[] = {"causal", "strict", "free"};
  return kNames[static_cast<int>(order)];
}

void AppendStderr(std::string_view err, std::string* text) {
  if (err.empty()) return;
  *text += "stderr:\n";
  if (err.size() > kMaxShownStderr) {
    err.remove_prefix(err.size() - kMaxShownStderr);
    *text += "...";
  }
  wire::AppendEscapedLines(err, "", text);
}

Result<replay::Declarations> Declare(const ReplayOptions& options) {
  replay::Declarations declared = replay::Declarations::WithDefaults();
  for (const auto& [option, value] : options.declared) {
    Status added = replay::DeclareOption(option, value, &declared);
    if (!added) return added.error();
  }
  for (const std::string& text : options.maps) {
    Result<replay::PathPair> pair = replay::ParseMap(text);
    if (!pair) return pair.error();
    declared.maps.push_back(std::move(*pair));
  }
  return declared;
}

}  // namespace

std::string FindMidwire(const std::string& installed) {
  const char* named = std::getenv("MIDWIRE");
  if (named != nullptr && *named != '\0') return named;
  if (!installed.empty() && access(installed.c_str(), X_OK) == 0) return installed;
  return "midwire";
}

Outcome ReplayCommand(const std::string& trace, const Command& plugin, const ReplayOptions& options,
                      const std::string& midwire) {
  std::vector<std::string> argv = {FindMidwire(midwire), "replay"};
  argv.push_back("--order=" + std::string(Name(options.order)));
  argv.push_back("--timeout=" + std::to_string(options.timeout.count()) + "ms");
  for (const auto& [option, value] : options.declared) {
    argv.push_back("--" + option + "=" + value);
  }
  for (const std::string& text : options.maps) argv.push_back("--map=" + text);
  // A path that begins with a dash is still a file.
  argv.push_back(trace.starts_with('-') ? "./" + trace : trace);
  argv.push_back("--");
  argv.insert(argv.end(), plugin.argv.begin(), plugin.argv.end());

  const Result<io::CommandOutput> ran = io::RunCommand(argv);
  if (!ran) {
    return {false, ran.error().Text() +
                       "\nset the environment variable MIDWIRE to the midwire executable\n"};
  }
  Outcome outcome = {.same = ran->status.code == kSame, .text = ran->out};
  AppendStderr(ran->err, &outcome.text);
  if (ran->status.signal != 0) {
    outcome.text += argv[0] + " was killed by signal " + std::to_string(ran->status.signal) + "\n";
  }
  return outcome;
}

Outcome ReplayDispatcher(const std::string& trace, const replay::Dispatcher& plugin,
                         const ReplayOptions& options) {
  if (!plugin) return {false, "there is no function to call\n"};
  Result<replay::Declarations> declared = Declare(options);
  if (!declared) return {false, declared.error().Text() + "\n"};
  io::CurrentHost host = io::GetCurrentHost();
  declared->host = {std::move(host.cwd), std::move(host.home), host.pid};
  const auto loaded = replay::Load(trace, wire::Direction::kHostToPlugin, std::move(*declared));
  if (!loaded) return {false, loaded.error().Text() + "\n"};
  trace::ReplayReport report =
      replay::PlayInProcess(loaded->get(), plugin, {.order = options.order});
  (*loaded)->host.Report(&report);
  Outcome outcome = {.same = report.same()};
  view::AppendReplayText(report, {.trace = trace, .verb = "replay"}, {}, &outcome.text);
  const uint64_t damaged = (*loaded)->damaged_bytes;
  if (damaged != 0) {
    outcome.same = false;
    outcome.text += "the trace is damaged: " + std::to_string(damaged) +
                    " bytes are unreadable (midwire recover reports where)\n";
  }
  return outcome;
}

}  // namespace midwire::kit
