#include "proxy/relay.h"

#include <algorithm>
#include <utility>

namespace midwire::proxy {
namespace {

// The host's stderr stays open this long after the end of the plugin's. The plugin's exit nearly
// always follows within a millisecond, and midwire may still have to write a warning. If the
// plugin closes stderr and continues to run, the host gets that end this much later; it cannot
// distinguish that from load.
constexpr int64_t kStderrGraceNs = 50'000'000;

constexpr Stream kOutputs[] = {Stream::kPluginToHost, Stream::kStderr};

bool AsksToEnd(int signal) {
  return signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

}  // namespace

void Relay::OnBytes(Stream stream, std::string_view bytes, Actions* actions) {
  if (stream != Stream::kHostToPlugin) {
    owed(stream) -= std::min(owed(stream), bytes.size());
  }
  actions->Send(stream, bytes);
  if (!exited_) return;
  quiet_at_ = std::min(actions->Now() + kQuietNs, drain_until_);
  FinishIfDone(actions);
}

void Relay::OnEof(Stream stream, Actions* actions) {
  if (stream == Stream::kHostToPlugin) {
    actions->CloseSink(stream);
    return;
  }
  owed(stream) = 0;
  if (stream == Stream::kPluginToHost) actions->CloseSink(stream);
  if (stream == Stream::kStderr || merged_) close_stderr_at_ = actions->Now() + kStderrGraceNs;
  FinishIfDone(actions);
}

void Relay::OnClosed(Stream stream, Actions* actions) {
  actions->CloseSource(stream);
  if (stream == Stream::kHostToPlugin) return;
  owed(stream) = 0;
  FinishIfDone(actions);
}

void Relay::OnSignal(const SignalInfo& signal, Actions* actions) {
  if (exited_) {
    // The sender expects the end of the exited plugin's process, which is midwire now.
    if (AsksToEnd(signal.number)) actions->Finish();
    return;
  }
  if (!signal.from_terminal) actions->SignalPlugin(signal);
}

void Relay::OnExit(const ExitStatus&, Actions* actions) {
  exited_ = true;
  drain_until_ = actions->Now() + drain_ns_;
  check_at_ = drain_until_;
  quiet_at_ = std::min(actions->Now() + kQuietNs, drain_until_);
  progress_ = Progress(*actions);
  for (Stream stream : kOutputs) {
    owed(stream) = actions->Unread(stream);
  }
  FinishIfDone(actions);
}

void Relay::OnTime(Actions* actions) {
  const int64_t now = actions->Now();
  if (now >= close_stderr_at_) {
    close_stderr_at_ = kNever;
    actions->CloseSink(Stream::kStderr);
  }
  if (now >= quiet_at_) {
    FinishIfDone(actions);
    quiet_at_ = kNever;  // OnSent or OnBytes finishes when nothing is outstanding
  }
  if (now >= check_at_) {
    check_at_ = now + drain_ns_;
    const uint64_t progress = Progress(*actions);
    if (progress == progress_ || !OutputOutstanding(*actions)) return Finish(actions);
    progress_ = progress;
  }
}

int64_t Relay::Deadline() const { return std::min({check_at_, close_stderr_at_, quiet_at_}); }

bool Relay::OutputOutstanding(const Actions& actions) const {
  if (owed_[0] > 0 || owed_[1] > 0) return true;
  return actions.Pending(Stream::kPluginToHost) > 0 || actions.Pending(Stream::kStderr) > 0;
}

uint64_t Relay::Progress(const Actions& actions) const {
  return actions.Sent(Stream::kPluginToHost) + actions.Sent(Stream::kStderr);
}

void Relay::FinishIfDone(Actions* actions) {
  if (!exited_ || OutputOutstanding(*actions)) return;
  const bool ended = !actions->HasSource(kOutputs[0]) && !actions->HasSource(kOutputs[1]);
  if (ended || quiet_at_ == kNever || actions->Now() >= quiet_at_) Finish(actions);
}

// The plugin has exited. An output that has not ended is open in another process, unless it may be
// that only the host does not read it.
void Relay::Finish(Actions* actions) {
  if (std::exchange(finished_, true)) return;
  for (Stream stream : kOutputs) {
    if (!actions->HasSource(stream) || actions->Pending(stream) > 0 || owed(stream) > 0) continue;
    actions->RecordEvent(trace::HeldEvent{std::string(trace::Name(stream))});
  }
  actions->Finish();
}

}  // namespace midwire::proxy
