// HostRunner, moving bytes: in place of the host's plugin, and the host's own output.
#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "fuzz/live/host_runner.h"
#include "fuzz/random.h"
#include "io/process/scheduling.h"

namespace midwire::fuzz {
namespace {

// Unread bytes after which nothing more is sent to a host.
constexpr size_t kMaxUnsent = 4u << 20;
constexpr size_t kRead = 64 * 1024;
constexpr size_t kMaxLeft = 1u << 20;  // the most that a pipe may hold

}  // namespace

void HostRunner::Note(wire::Direction direction, std::string_view bytes) {
  if (transcript_ == nullptr || noted_ > kMaxTranscript) return;
  noted_ += bytes.size();
  transcript_->chunks.push_back({direction, std::string(bytes)});
}

void HostRunner::Wait(int64_t timeout_ns) {
  const bool writes = sent_ < unsent_.size();
  io::PollSlot link[] = {io::ForRead(link_.from_host), io::ForWrite(writes ? link_.to_host : -1),
                         io::ForHangUp(link_.hold), io::ForRead(listener_.descriptor())};
  out_.clear();
  if (!host_.Wait(timeout_ns, false, &out_, &err_, link)) return;
  if (err_.size() > kMaxStderr) err_.resize(kMaxStderr);
  if (io::IsReady(link[0])) ReadLink(/*answer=*/true);
  if (io::IsReady(link[1])) Write("");
  // The host killed its plugin.
  if (io::IsReady(link[2]) && !io::IsReady(link[0])) Disconnect();
  if (io::IsReady(link[3])) {
    const Link link = listener_.Accept();
    if (link.hold >= 0) Connect(link);
  }
}

// A host may restart its plugin; the new one replaces the old one and gets the input from the
// beginning.
void HostRunner::Connect(const Link& link) {
  const int64_t now = io::MonotonicNow();
  link_.Close();
  link_ = link;
  if (linked_) {
    oracle_.OnPeer();
    oracle_.OnRun(&life_->input);
    if (transcript_ != nullptr) transcript_->chunks.clear();
    noted_ = 0;
  } else {
    first_link_ = now;
  }
  linked_ = true;
  rested_ = false;
  disconnected_ = 0;
  unsent_.clear();
  sent_ = 0;
  active_ = now;
  processor_time_ = host_.ProcessorTime();
}

void HostRunner::Disconnect() {
  link_.Close();
  unsent_.clear();
  sent_ = 0;
  if (disconnected_ == 0) disconnected_ = io::MonotonicNow();
}

void HostRunner::Write(std::string_view bytes) {
  if (unsent_.size() - sent_ + bytes.size() <= kMaxUnsent) unsent_ += bytes;
  const bool split = life_->pace == Pace::kSplit;
  Random random(unsent_.size());
  while (sent_ < unsent_.size() && link_.to_host >= 0) {
    const size_t left = unsent_.size() - sent_;
    const size_t piece = split ? 1 + random.Below(std::min<size_t>(left, 64)) : left;
    const ssize_t written = write(link_.to_host, unsent_.data() + sent_, piece);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (written < 0) break;  // the reader is gone
    sent_ += static_cast<size_t>(written);
    if (split) io::YieldProcessor();
  }
  unsent_.clear();
  sent_ = 0;
}

// `answer`: the host is running and gets answers to its requests.
void HostRunner::ReadLink(bool answer) {
  char buffer[kRead];
  const ssize_t count = read(link_.from_host, buffer, sizeof buffer);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    // The host closed the plugin's stdin, or has exited, which shows a little later.
    close(std::exchange(link_.from_host, -1));
    active_ = io::MonotonicNow();
    return;
  }
  longest_ = std::max(longest_, io::MonotonicNow() - active_);
  std::string reply;
  const bool owed = oracle_.state().due != 0;
  oracle_.OnBytes({buffer, static_cast<size_t>(count)}, answer ? &reply : nullptr);
  active_ = io::MonotonicNow();
  processor_time_ = host_.ProcessorTime();
  // The host has answered our request: the plugin continues.
  if (reply.empty() && answer && owed && oracle_.state().due == 0) reply = oracle_.Next();
  if (reply.empty()) return;
  ++messages_;
  Note(seeds_->ours, reply);
  Write(reply);
}

// Sends messages that answer nothing, up to the next answer, or everything that is left.
void HostRunner::SendRest(bool all) {
  active_ = io::MonotonicNow();
  std::string rest = oracle_.Next();
  if (rest.empty() || all) {
    rest += oracle_.Rest();
    rested_ = true;
  }
  if (rest.empty()) return;
  ++messages_;
  Note(seeds_->ours, rest);
  Write(rest);
}

// Reads the final output of the host, which may even have started its plugin.
void HostRunner::ReadLeft() {
  for (Link late = listener_.Accept(); late.hold >= 0; late = listener_.Accept()) {
    if (linked_) {
      late.Close();
    } else {
      Connect(late);
    }
  }
  for (size_t i = 0; i < kMaxLeft / kRead && link_.from_host >= 0; ++i) ReadLink(/*answer=*/false);
}

}  // namespace midwire::fuzz
