#include "proxy/driver.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace midwire::proxy {
namespace {

constexpr Stream kStreams[] = {Stream::kHostToPlugin, Stream::kPluginToHost, Stream::kStderr};

// In the poll set: sources, sinks, signals.
constexpr int kSignalSlot = 2 * kByteStreams;
constexpr int kSlots = kSignalSlot + 1;

// How often to try again to read the host's terminal while the job is in the background. Nothing
// tells when that ends; a person who has typed `fg` does not notice a quarter of a second.
constexpr int64_t kBackgroundRetryNs = 250'000'000;

bool IsJobControlStop(int signal) {
  return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

Driver::Driver(Ends ends, Machine* machine, SignalGuard* signals)
    : ends_(std::move(ends)),
      machine_(machine),
      signals_(signals),
      buffer_(new char[trace::kMaxSegment]) {
  for (Stream stream : kStreams) made_up_[static_cast<int>(stream)] = !source(stream).open();
}

void Driver::Run() {
  machine_->OnStart(this);
  while (!finished_) {
    pollfd slots[kSlots];
    for (int i = 0; i < kByteStreams; ++i) {
      const ReadEnd& from = ends_.sources[i];
      const WriteEnd& to = ends_.sinks[i];
      const bool full = to.pending() > 0;
      const bool wait = full || held_[i] || (i == 0 && background_until_ != kNever);
      slots[i] = {wait ? -1 : from.fd(), POLLIN, 0};
      // An idle sink is watched too: when its reader goes, the writer must learn it.
      slots[kByteStreams + i] = {to.fd(), static_cast<short>(full ? POLLOUT : 0), 0};
    }
    slots[kSignalSlot] = {signals_->fd(), POLLIN, 0};
    if (poll(slots, kSlots, PollTimeout()) > 0) {
      for (Stream stream : kStreams) {
        const int i = static_cast<int>(stream);
        if (slots[kByteStreams + i].revents != 0 && !finished_) FlushSink(stream);
        if (slots[i].revents != 0 && !finished_) ReadSource(stream);
      }
      ReportClosedSinks();
      if (slots[kSignalSlot].revents != 0 && !finished_) TakeSignals();
    }
    if (!finished_) CallTimers();
  }
}

int Driver::PollTimeout() const {
  const int64_t deadline =
      std::min({machine_->Deadline(), tap_ ? tap_->Deadline() : kNever, background_until_});
  if (deadline == kNever) return -1;
  const int64_t left_ms = (deadline - Now() + 999'999) / 1'000'000;
  return static_cast<int>(std::clamp<int64_t>(left_ms, 0, 3'600'000));
}

void Driver::CallTimers() {
  const int64_t tap_deadline = tap_ ? tap_->Deadline() : kNever;
  if (std::min({machine_->Deadline(), tap_deadline, background_until_}) == kNever) return;
  const int64_t now = Now();
  if (now >= background_until_) background_until_ = kNever;
  if (now >= tap_deadline) tap_->OnTime();
  if (now >= machine_->Deadline()) machine_->OnTime(this);
}

void Driver::ReadSource(Stream stream) {
  if (!source(stream).open() || sink(stream).pending() > 0) return;
  if (held_[static_cast<int>(stream)]) return;
  size_t size = trace::kMaxSegment;
  switch (source(stream).Read(buffer_.get(), &size)) {
    case ReadEnd::Outcome::kNothing:
      return;
    case ReadEnd::Outcome::kInBackground:
      background_until_ = Now() + kBackgroundRetryNs;
      return;
    case ReadEnd::Outcome::kBytes: {
      const std::string_view bytes(buffer_.get(), size);
      if (tap_) tap_->OnBytes(stream, bytes);  // before anyone sees them (P2)
      machine_->OnBytes(stream, bytes, this);
      return;
    }
    case ReadEnd::Outcome::kEof:
      source(stream).Close();
      Record(trace::EofEvent{std::string(trace::Name(stream))});
      machine_->OnEof(stream, this);
  }
}

void Driver::FlushSink(Stream stream) {
  WriteEnd& to = sink(stream);
  if (!to.open()) return;
  if (to.pending() > 0) {
    to.Flush();
    if (to.pending() == 0 && !to.reader_gone()) machine_->OnSent(stream, this);
  } else {
    to.SetReaderGone();  // nothing was asked for: only an error or a hang-up is ever reported
  }
}

void Driver::ReportClosedSinks() {
  for (Stream stream : kStreams) {
    WriteEnd& to = sink(stream);
    if (!to.open() || !to.reader_gone() || finished_) continue;
    to.Drop();
    Record(trace::ClosedEvent{std::string(trace::Name(stream))});
    machine_->OnClosed(stream, this);
  }
}

void Driver::TakeSignals() {
  bool child_changed = false;
  while (const auto signal = signals_->Next()) {
    // One that somebody sent may have swallowed the kernel's: two that wait are one.
    if (signal->number == SIGCHLD) child_changed = true;
    if (signal->number == SIGCONT) stop_asked_ = false;
    if (signal->from_terminal && IsJobControlStop(signal->number)) stop_asked_ = true;
    if (signal->number != SIGCHLD || !signal->from_terminal) machine_->OnSignal(*signal, this);
  }
  // Last: the terminal's stop may wait behind the news that the plugin has stopped.
  if (child_changed && !finished_) ReapPlugin();
  // The two come in either order.
  if (plugin_stopped_ && stop_asked_) {
    plugin_stopped_ = stop_asked_ = false;
    raise(SIGSTOP);
  }
}

void Driver::ReapPlugin() {
  siginfo_t info = {};
  while (ends_.plugin > 0 &&
         waitid(P_PID, ends_.plugin, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG) == 0 &&
         info.si_pid != 0) {
    if (info.si_code == CLD_STOPPED) {
      // Ctrl-Z reaches the plugin, not us, who have it blocked: stop as the host expects. What
      // wakes us is SIGCONT, and that is passed on. A plugin that stops itself may be continued by
      // its own pid, of which we would not hear: then we go on.
      plugin_stopped_ = IsJobControlStop(info.si_status);
    } else if (info.si_code == CLD_CONTINUED) {
      plugin_stopped_ = false;
    } else {
      NoteExit(info);
      machine_->OnExit(status_, this);
    }
    info = {};
  }
}

void Driver::NoteExit(const siginfo_t& info) {
  ends_.plugin = -1;
  const bool exited = info.si_code == CLD_EXITED;
  status_ = {exited ? info.si_status : -1, exited ? 0 : info.si_status};
  Record(trace::ExitEvent{status_.code, status_.signal});
}

bool Driver::EndPlugin() {
  const auto reap = [&](int options) {
    siginfo_t info = {};
    if (ends_.plugin <= 0 || waitid(P_PID, ends_.plugin, &info, WEXITED | options) != 0) return;
    if (info.si_pid != 0) NoteExit(info);
  };
  reap(WNOHANG);
  const bool lives_on = ends_.plugin > 0;
  SignalPlugin({.number = SIGKILL});
  reap(0);
  TakeRest(Stream::kPluginToHost);
  TakeRest(Stream::kStderr);
  return lives_on;
}

void Driver::CloseOurs() {
  for (ReadEnd& from : ends_.sources) from.CloseOurs();
  for (WriteEnd& to : ends_.sinks) to.CloseOurs();
}

// What lies in the pipe now, and no more: another process may hold it open.
void Driver::TakeRest(Stream stream) {
  ReadEnd& from = source(stream);
  for (size_t left = from.Unread(); left > 0;) {
    size_t size = std::min(left, trace::kMaxSegment);
    if (from.Read(buffer_.get(), &size) != ReadEnd::Outcome::kBytes) return;
    const std::string_view bytes(buffer_.get(), size);
    if (tap_) tap_->OnBytes(stream, bytes);
    if (stream == Stream::kStderr) sink(stream).Write(bytes);
    left -= size;
  }
}

void Driver::Send(Stream stream, std::string_view bytes) {
  if (!sink(stream).open()) return;
  // What never had a source was made up by the machine: the tap has not seen it yet.
  if (tap_ && made_up_[static_cast<int>(stream)]) {
    for (size_t at = 0; at < bytes.size(); at += trace::kMaxSegment) {
      tap_->OnBytes(stream, bytes.substr(at, trace::kMaxSegment));
    }
  }
  sink(stream).Write(bytes);
}

void Driver::CloseSink(Stream stream) {
  // As when a host closes its end. Of the others, stderr may have no source because it is merged.
  if (stream == Stream::kHostToPlugin && made_up_[0] && sink(stream).open() &&
      !sink(stream).closing()) {
    Record(trace::EofEvent{std::string(trace::Name(stream))});
  }
  sink(stream).CloseWhenFlushed();
}
void Driver::CloseSource(Stream stream) { source(stream).Close(); }

void Driver::SignalPlugin(const SignalInfo& signal) {
  if (ends_.plugin <= 0) return;
  Record(trace::SignalEvent{signal.number});
  PassOn(signal, ends_.plugin);
}

void Driver::Warn(std::string_view line) { sink(Stream::kStderr).Write(line); }

void Driver::FlushFor(Stream stream, int64_t patience_ns) {
  WriteEnd& to = sink(stream);
  while (to.open() && to.pending() > 0 && !to.reader_gone()) {
    pollfd slot = {to.fd(), POLLOUT, 0};
    if (poll(&slot, 1, static_cast<int>(patience_ns / 1'000'000)) <= 0) return;
    to.Flush();
  }
}

void Driver::Record(const trace::Event& event) {
  if (tap_) tap_->OnEvent(event);
}

int64_t Driver::Now() const {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace midwire::proxy
