#include "proxy/driver.h"

#include <algorithm>

#include "io/poll.h"
#include "io/process/process_state.h"
#include "io/process/reap.h"

namespace midwire::proxy {
namespace {

constexpr Stream kStreams[] = {Stream::kHostToPlugin, Stream::kPluginToHost, Stream::kStderr};

// In the poll set: sources, sinks, signals.
constexpr int kSignalSlot = 2 * kByteStreams;
constexpr int kSlots = kSignalSlot + 1;
// The sources of messages: the first slots. The others are ready rarely.
constexpr int kBusySlots = 2;

// Time between two attempts to read the host's terminal while the job is in the background. The
// return to the foreground is not signalled; after `fg` a user does not notice a quarter of a
// second.
constexpr int64_t kBackgroundRetryNs = 250'000'000;

constexpr int64_t kMs = 1'000'000;

// A session of fewer messages does not pay for a thread.
constexpr int kPollsBeforeBell = 64;

// A reader that takes nothing for so long is stuck, or busy with something else than its peer. Even
// a server that indexes a large project reads again within a second.
constexpr int64_t kStalledNs = 3'000'000'000;
// What is recorded when a signal or the plugin's exit comes before that: a host that kills a plugin
// after 3 s has waited for just that reader.
constexpr int64_t kStalledAtEndNs = 1'000'000'000;

bool IsJobControlStop(int signal) {
  return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

Driver::Driver(Ends ends, Machine* machine, io::SignalGuard* signals)
    : ends_(std::move(ends)),
      machine_(machine),
      signals_(signals),
      buffer_(new char[trace::kMaxSegment]) {
  for (Stream stream : kStreams) made_up_[static_cast<int>(stream)] = !source(stream).open();
}

void Driver::Run() {
  machine_->OnStart(this);
  while (!finished_) {
    io::PollSlot slots[kSlots];
    FillSlots(slots);
    if (AwaitMessage(slots)) continue;
    if (Wait(slots) > 0) {
      for (Stream stream : kStreams) {
        const int i = static_cast<int>(stream);
        if (io::IsReady(slots[kByteStreams + i]) && !finished_) FlushSink(stream);
        if (io::IsReady(slots[i]) && !finished_) ReadSource(stream);
      }
      ReportClosedSinks();
      if (io::IsReady(slots[kSignalSlot]) && !finished_) TakeSignals();
    }
    if (!finished_) CallTimers();
  }
  bell_.reset();
}

void Driver::FillSlots(std::span<io::PollSlot> slots) {
  for (int i = 0; i < kByteStreams; ++i) {
    const io::ReadEnd& from = ends_.sources[i];
    const io::WriteEnd& to = ends_.sinks[i];
    const bool full = to.pending() > 0;
    if (full || blocked_[i].since != kNever) WatchSink(static_cast<Stream>(i));
    const bool wait = full || held_[i] || (i == 0 && background_until_ != kNever);
    slots[i] = io::ForRead(wait ? -1 : from.fd());
    // An idle sink is watched too: if its reader closes it, the writer must get a broken pipe.
    slots[kByteStreams + i] = full ? io::ForWrite(to.fd()) : io::ForHangUp(to.fd());
  }
  slots[kSignalSlot] = io::ForRead(signals_->fd());
}

// Waits in the read of the only stream of messages, which is cheaper than to poll first. False:
// nothing was read, and each slot is to be polled. Not while a tape is written, whose records are
// in the order in which streams became ready. Nor if the deadline is before the time for which the
// quiet descriptors are set.
bool Driver::AwaitMessage(std::span<io::PollSlot> slots) {
  const bool one = (slots[0].fd >= 0) != (slots[1].fd >= 0);
  if (!one || tap_ || AnyPending()) return false;
  if (polls_ < kPollsBeforeBell) return ++polls_, false;
  const Stream stream = slots[0].fd >= 0 ? Stream::kHostToPlugin : Stream::kPluginToHost;
  const int fd = source(stream).OwnFd();
  if (fd < 0 || !quiet_.Watch(slots.subspan(kBusySlots)) || !quiet_.WakesBy(Deadline())) {
    return false;
  }
  if (!bell_) bell_.emplace();
  if (!bell_->Arm(fd, quiet_.fd(), quiet_.version())) return false;
  size_t size = trace::kMaxSegment;
  const io::ReadEnd::Outcome outcome = source(stream).Await(buffer_.get(), &size);
  if (!Take(stream, outcome, size)) return false;
  ReportClosedSinks();
  return true;
}

// Waits until a slot is ready or the deadline is over. It polls the two streams of messages, and
// what else there is behind one descriptor, which takes few steps of the kernel. Each is polled
// only if that one is ready, or while a reader is slow.
int Driver::Wait(std::span<io::PollSlot> slots) {
  const int64_t deadline = Deadline();
  if (AnyPending() || !quiet_.Watch(slots.subspan(kBusySlots))) {
    return io::Poll(slots, deadline == kNever ? kNever : deadline - Now());
  }
  quiet_.WakeBy(deadline);
  io::PollSlot few[] = {slots[0], slots[1], io::ForRead(quiet_.fd())};
  static_assert(std::size(few) == kBusySlots + 1);
  const int ready = io::Poll(few, kNever);
  if (ready > 0 && io::IsReady(few[kBusySlots])) {
    quiet_.ForgetTime();
    return io::Poll(slots, 0);
  }
  std::copy(few, few + kBusySlots, slots.begin());
  return ready;
}

bool Driver::AnyPending() const {
  return std::any_of(std::begin(kStreams), std::end(kStreams),
                     [this](Stream stream) { return sink(stream).pending() > 0; });
}

// In this order: what the plugin writes before it falls asleep is there to be read afterwards.
bool Driver::PluginIsIdle() const {
  if (ends_.plugin <= 0) return true;
  if (sink(Stream::kHostToPlugin).pending() > 0 || sink(Stream::kHostToPlugin).Unread() > 0) {
    return false;
  }
  return io::StateOf(ends_.plugin).asleep && source(Stream::kPluginToHost).Unread() == 0;
}

int64_t Driver::PluginStarvedNs() const {
  return ends_.plugin <= 0 ? 0 : io::StateOf(ends_.plugin).starved_ns;
}

// Called before each poll while bytes are pending, and once after that: without pending bytes there
// is neither a deadline nor a look at the clock.
void Driver::WatchSink(Stream stream) {
  const io::WriteEnd& to = sink(stream);
  Blocked& blocked = blocked_[static_cast<int>(stream)];
  const bool pending = to.open() && to.pending() > 0;
  if (pending && blocked.since != kNever && to.sent() == blocked.sent) return;
  const int64_t now = Now();
  // A reader that is gone, or has dropped the bytes, has not read them.
  if (blocked.recorded && to.sent() != blocked.sent) {
    Record(trace::ResumedEvent{std::string(trace::Name(stream)), (now - blocked.since) / kMs});
  }
  blocked = pending ? Blocked{.since = now, .sent = to.sent()} : Blocked();
}

int64_t Driver::StallDeadline() const {
  int64_t deadline = kNever;
  for (const Blocked& blocked : blocked_) {
    if (blocked.since == kNever || blocked.recorded) continue;
    deadline = std::min(deadline, blocked.since + kStalledNs);
  }
  return deadline;
}

// Records each reader that has taken nothing for `after_ns`, also one that has read just now: a
// host that sends a signal often reads the rest at the same moment.
void Driver::RecordStalls(int64_t after_ns) {
  if (StallDeadline() == kNever) return;
  const int64_t now = Now();
  for (Stream stream : kStreams) {
    Blocked& blocked = blocked_[static_cast<int>(stream)];
    const io::WriteEnd& to = sink(stream);
    if (blocked.since == kNever || blocked.recorded || now - blocked.since < after_ns) continue;
    blocked.recorded = true;
    Record(trace::StalledEvent{std::string(trace::Name(stream)), (now - blocked.since) / kMs,
                               static_cast<int64_t>(to.Unread() + to.pending())});
  }
}

int64_t Driver::Deadline() const {
  return std::min(
      {machine_->Deadline(), tap_ ? tap_->Deadline() : kNever, background_until_, StallDeadline()});
}

void Driver::CallTimers() {
  const int64_t tap_deadline = tap_ ? tap_->Deadline() : kNever;
  const int64_t stall_deadline = StallDeadline();
  if (Deadline() == kNever) return;
  const int64_t now = Now();
  if (now >= stall_deadline) RecordStalls(kStalledNs);
  if (now >= background_until_) background_until_ = kNever;
  if (now >= tap_deadline) tap_->OnTime();
  if (now >= machine_->Deadline()) machine_->OnTime(this);
}

void Driver::ReadSource(Stream stream) {
  if (!source(stream).open() || sink(stream).pending() > 0) return;
  if (held_[static_cast<int>(stream)]) return;
  size_t size = trace::kMaxSegment;
  const io::ReadEnd::Outcome outcome = source(stream).Read(buffer_.get(), &size);
  Take(stream, outcome, size);
}

// What a read has given. False: nothing.
bool Driver::Take(Stream stream, io::ReadEnd::Outcome outcome, size_t size) {
  switch (outcome) {
    case io::ReadEnd::Outcome::kNothing:
      return false;
    case io::ReadEnd::Outcome::kInBackground:
      background_until_ = Now() + kBackgroundRetryNs;
      return false;
    case io::ReadEnd::Outcome::kBytes: {
      const std::string_view bytes(buffer_.get(), size);
      if (tap_) tap_->OnBytes(stream, bytes);  // before the machine gets them (P2)
      machine_->OnBytes(stream, bytes, this);
      return true;
    }
    case io::ReadEnd::Outcome::kEof:
      CloseSource(stream);
      Record(trace::EofEvent{std::string(trace::Name(stream))});
      machine_->OnEof(stream, this);
      break;
  }
  return true;
}

void Driver::FlushSink(Stream stream) {
  io::WriteEnd& to = sink(stream);
  if (!to.open()) return;
  if (to.pending() > 0) {
    to.Flush();
    if (to.pending() == 0 && !to.reader_gone()) machine_->OnSent(stream, this);
  } else {
    to.SetReaderGone();  // no events were requested, so this is an error or a hang-up
  }
}

void Driver::ReportClosedSinks() {
  for (Stream stream : kStreams) {
    io::WriteEnd& to = sink(stream);
    if (!to.open() || !to.reader_gone() || finished_) continue;
    // Before the sink is dropped: while it is open, the pipe keeps what was not read.
    const auto unread = static_cast<int64_t>(to.Unread() + to.pending());
    to.Drop();
    Record(trace::ClosedEvent{std::string(trace::Name(stream)), unread});
    machine_->OnClosed(stream, this);
  }
}

void Driver::TakeSignals() {
  bool child_changed = false;
  while (const auto signal = signals_->Next()) {
    // A SIGCHLD sent by another process may have merged with the kernel's: only one is pending.
    if (signal->number == SIGCHLD) child_changed = true;
    if (signal->number == SIGCONT) stop_asked_ = false;
    if (signal->from_terminal && IsJobControlStop(signal->number)) stop_asked_ = true;
    if (signal->number != SIGCHLD || !signal->from_terminal) machine_->OnSignal(*signal, this);
  }
  // Last: the terminal's stop signal may be queued behind the plugin's SIGCHLD.
  if (child_changed && !finished_) ReapPlugin();
  // The plugin's stop and the terminal's signal come in either order.
  if (plugin_stopped_ && stop_asked_) {
    plugin_stopped_ = stop_asked_ = false;
    raise(SIGSTOP);
  }
}

void Driver::ReapPlugin() {
  using Type = io::ChildChange::Type;
  for (;;) {
    const io::ChildChange change = io::NextChange(ends_.plugin);
    if (change.type == Type::kNone) return;
    if (change.type == Type::kStopped) {
      // Ctrl-Z reaches the plugin, but is blocked here: stop as the host expects. SIGCONT continues
      // midwire and is passed on. A plugin that stops itself may be continued by its pid alone,
      // which midwire does not notice, so midwire does not stop then.
      plugin_stopped_ = IsJobControlStop(change.stop_signal);
    } else if (change.type == Type::kContinued) {
      plugin_stopped_ = false;
    } else {
      NoteExit(change.status);
      NoteUnread();
      machine_->OnExit(status_, this);
    }
  }
}

void Driver::NoteExit(const ExitStatus& status) {
  RecordStalls(kStalledAtEndNs);
  ends_.plugin = -1;
  status_ = status;
  Record(status);
}

// The exit may be noticed before the end of the plugin's stdin, and may end the run: then the
// messages that it never read would not be known.
void Driver::NoteUnread() {
  io::WriteEnd& to = sink(Stream::kHostToPlugin);
  if (!to.open() || to.Unread() + to.pending() == 0) return;
  io::PollSlot slot[] = {io::ForHangUp(to.fd())};
  if (io::Poll(slot, 0) > 0) to.SetReaderGone();
  ReportClosedSinks();
}

bool Driver::EndPlugin() {
  if (const auto ended = io::ReapIfEnded(ends_.plugin)) NoteExit(*ended);
  const bool lives_on = ends_.plugin > 0;
  SignalPlugin({.number = SIGKILL});
  if (lives_on) NoteExit(io::WaitForEnd(ends_.plugin));
  TakeRest(Stream::kPluginToHost);
  TakeRest(Stream::kStderr);
  return lives_on;
}

void Driver::CloseOurs() {
  for (io::ReadEnd& from : ends_.sources) from.CloseOurs();
  for (io::WriteEnd& to : ends_.sinks) to.CloseOurs();
}

// Reads only what is in the pipe now: another process may hold the pipe open.
void Driver::TakeRest(Stream stream) {
  io::ReadEnd& from = source(stream);
  for (size_t left = from.Unread(); left > 0;) {
    size_t size = std::min(left, trace::kMaxSegment);
    if (from.Read(buffer_.get(), &size) != io::ReadEnd::Outcome::kBytes) return;
    const std::string_view bytes(buffer_.get(), size);
    if (tap_) tap_->OnBytes(stream, bytes);
    if (stream == Stream::kStderr) sink(stream).Write(bytes);
    left -= size;
  }
}

void Driver::Send(Stream stream, std::string_view bytes) {
  offered_[static_cast<size_t>(stream)] += bytes.size();
  if (!sink(stream).open()) return;
  // Without a source the machine has made these bytes, and the tap does not have them yet.
  if (tap_ && made_up_[static_cast<int>(stream)]) {
    for (size_t at = 0; at < bytes.size(); at += trace::kMaxSegment) {
      tap_->OnBytes(stream, bytes.substr(at, trace::kMaxSegment));
    }
  }
  sink(stream).Write(bytes);
}

void Driver::CloseSink(Stream stream) {
  // Recorded as if a host had closed its end. (stderr may have no source because it is merged.)
  if (stream == Stream::kHostToPlugin && made_up_[0] && sink(stream).open() &&
      !sink(stream).closing()) {
    Record(trace::EofEvent{std::string(trace::Name(stream))});
  }
  sink(stream).CloseWhenFlushed();
}
void Driver::CloseSource(Stream stream) {
  bell_.reset();  // it may be that of this source
  source(stream).Close();
}

void Driver::SignalPlugin(const SignalInfo& signal) {
  if (ends_.plugin <= 0) return;
  RecordStalls(kStalledAtEndNs);
  Record(trace::SignalEvent{signal.number});
  io::PassOn(signal, ends_.plugin);
}

void Driver::Warn(std::string_view line) { sink(Stream::kStderr).Write(line); }

void Driver::FlushFor(Stream stream, int64_t patience_ns) {
  io::WriteEnd& to = sink(stream);
  while (to.open() && to.pending() > 0 && !to.reader_gone()) {
    io::PollSlot slot[] = {io::ForWrite(to.fd())};
    if (io::Poll(slot, patience_ns) <= 0) return;
    to.Flush();
  }
}

void Driver::Record(const trace::Event& event) {
  if (tap_) tap_->OnEvent(event);
}
}  // namespace midwire::proxy
