#include "proxy/run_plugin.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "io/files/append_file.h"
#include "io/host_ends.h"
#include "io/signals.h"
#include "proxy/driver.h"
#include "proxy/recorder.h"
#include "proxy/relay.h"
#include "proxy/spawn.h"
#include "proxy/start.h"

namespace midwire::proxy {
namespace {

// See run_plugin.h. A process that still writes after the plugin's exit does so at once (relay.h).
constexpr int64_t kLongestNs = 1'000'000'000;

// How long a reader may read nothing before the rest is dropped; as record's --drain.
constexpr int64_t kPatienceNs = 2'000'000'000;

// Passes the plugin's exit to a machine last. Whether the kernel reports the exit or the last bytes
// first differs from run to run, and no report may depend on it.
class ExitLast : public Machine {
 public:
  explicit ExitLast(Machine* machine) : machine_(machine) {}

  void OnStart(Actions* actions) override { machine_->OnStart(actions); }
  void OnBytes(Stream stream, std::string_view bytes, Actions* actions) override {
    if (exit_) quiet_at_ = std::min(actions->Now() + kQuietNs, longest_);
    machine_->OnBytes(stream, bytes, actions);
  }
  void OnEof(Stream stream, Actions* actions) override {
    machine_->OnEof(stream, actions);
    ReportIfSilent(actions);
  }
  void OnClosed(Stream stream, Actions* actions) override { machine_->OnClosed(stream, actions); }
  void OnSent(Stream stream, Actions* actions) override { machine_->OnSent(stream, actions); }
  void OnSignal(const SignalInfo& signal, Actions* actions) override {
    machine_->OnSignal(signal, actions);
  }
  void OnExit(const ExitStatus& status, Actions* actions) override {
    exit_ = status;
    const int64_t now = actions->Now();
    longest_ = now + kLongestNs;
    quiet_at_ = now + kQuietNs;
    ReportIfSilent(actions);
  }
  void OnTime(Actions* actions) override {
    const int64_t now = actions->Now();
    if (now >= quiet_at_) return ReportExit(actions);
    if (now >= machine_->Deadline()) machine_->OnTime(actions);
  }
  int64_t Deadline() const override { return std::min(machine_->Deadline(), quiet_at_); }

 private:
  void ReportIfSilent(Actions* actions) {
    if (!exit_ || actions->HasSource(Stream::kPluginToHost) || actions->HasSource(Stream::kStderr))
      return;
    ReportExit(actions);
  }
  void ReportExit(Actions* actions) {
    quiet_at_ = kNever;
    if (std::exchange(reported_, true)) return;
    machine_->OnExit(*exit_, actions);
  }

  Machine* machine_;
  std::optional<ExitStatus> exit_;
  bool reported_ = false;
  int64_t quiet_at_ = kNever;
  int64_t longest_ = kNever;
};

}  // namespace

RunOutcome RunPlugin(const RunOptions& options, Machine* machine) {
  io::HostEnds host = io::TakeHostEnds();
  host.closed = host.nonblocking = {};
  host.merged_stderr = false;
  io::SignalGuard signals;
  const Plugin plugin = SpawnPlugin(options.argv, host, signals);
  if (plugin.error != 0) {
    signals.Restore();
    return {CannotStart(options.argv[0], plugin.error)};
  }
  Driver::Ends ends;
  ends.sinks[0] = io::WriteEnd(plugin.in, io::Owner::kOurs);
  ends.sources[1] = io::ReadEnd(plugin.out, io::Owner::kOurs);
  ends.sources[2] = io::ReadEnd(plugin.err, io::Owner::kOurs);
  if (options.pass_stderr) ends.sinks[2] = io::WriteEnd(2, io::Owner::kHosts);
  ends.plugin = plugin.pid;

  ExitLast exit_last(machine);
  Driver driver(ends, &exit_last, &signals);
  RunOutcome outcome;
  const io::SystemClock clock;
  const auto warn = [&](const std::string& line) { outcome.warnings.push_back(line); };
  std::optional<Recorder> recorder;
  if (!options.record.empty()) {
    const auto path = TapePath(options.record, options.argv, clock.UnixNs());
    if (path) {
      recorder.emplace(RecorderOptions{.path = *path}, io::SystemAppendFiles(), &clock, warn);
      recorder->Start(SpawnEventOf(options.argv, plugin, options.version));
      driver.set_tap(&*recorder);
    } else {
      warn(path.error().Text());
    }
  }
  driver.Run();
  outcome.killed = driver.EndPlugin();
  if (recorder) recorder->Finish();
  outcome.tape = recorder ? recorder->first_path() : "";
  outcome.incomplete = !options.record.empty() && !(recorder && recorder->complete());
  driver.FlushFor(Stream::kStderr, kPatienceNs);
  driver.CloseOurs();
  outcome.status = driver.exit_status();
  signals.Restore();
  return outcome;
}

uint64_t RunOnStdio(Machine* machine) {
  io::TakeHostEnds();  // closed ones become /dev/null, which is at its end and accepts everything
  io::SignalGuard signals;
  Driver::Ends ends;
  ends.sources[0] = io::ReadEnd(0, io::Owner::kHosts);
  ends.sinks[1] = io::WriteEnd(1, io::Owner::kHosts);
  ends.sinks[2] = io::WriteEnd(2, io::Owner::kHosts);
  Driver driver(ends, machine, &signals);
  driver.Run();
  driver.FlushFor(Stream::kPluginToHost, kPatienceNs);
  driver.FlushFor(Stream::kStderr, kPatienceNs);
  driver.CloseOurs();
  signals.Restore();
  return driver.Lost(Stream::kPluginToHost);
}

}  // namespace midwire::proxy
