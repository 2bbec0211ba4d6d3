// The runner of a host moves bytes: those of the host's plugin, for which it stands in, and what
// the host itself writes.
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "fuzz/live/host_runner.h"
#include "fuzz/random.h"

namespace midwire::fuzz {
namespace {

// Bytes that a host does not read; then nothing more is said to it.
constexpr size_t kMaxUnsent = 4u << 20;
constexpr size_t kRead = 64 * 1024;
constexpr size_t kMaxLeft = 1u << 20;  // what a pipe may hold at most

}  // namespace

void HostRunner::Note(wire::Direction direction, std::string_view bytes) {
  if (transcript_ == nullptr || noted_ > kMaxTranscript) return;
  noted_ += bytes.size();
  transcript_->said.push_back({direction, std::string(bytes)});
}

void HostRunner::Wait(int64_t timeout_ns) {
  const auto [out, err] = host_.descriptors();
  const bool writes = sent_ < unsent_.size();
  pollfd fds[] = {{link_.from_host, POLLIN, 0},
                  {writes ? link_.to_host : -1, POLLOUT, 0},
                  {link_.hold, 0, 0},
                  {out, POLLIN, 0},
                  {err, POLLIN, 0},
                  {listener_.descriptor(), POLLIN, 0}};
  const timespec timeout = {timeout_ns / 1'000'000'000, timeout_ns % 1'000'000'000};
  if (ppoll(fds, std::size(fds), &timeout, nullptr) <= 0) return;
  if (fds[0].revents != 0) ReadLink(/*answer=*/true);
  if (fds[1].revents != 0) Write("");
  if (fds[3].revents != 0 || fds[4].revents != 0) {
    out_.clear();
    host_.Wait(0, false, &out_, &err_);
    if (err_.size() > kMaxStderr) err_.resize(kMaxStderr);
  }
  // The host has killed its plugin.
  if (fds[2].revents != 0 && fds[0].revents == 0) Disconnect();
  if (fds[5].revents != 0) {
    const Link link = listener_.Accept();
    if (link.hold >= 0) Connect(link);
  }
}

// A host may start its plugin again; the new one is heard then, and hears all from the beginning.
void HostRunner::Connect(const Link& link) {
  const int64_t now = MonotonicNow();
  link_.Close();
  link_ = link;
  if (linked_) {
    oracle_.OnPeer();
    oracle_.OnRun(&life_->input);
    if (transcript_ != nullptr) transcript_->said.clear();
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
  thought_ = host_.ProcessorTime();
}

void HostRunner::Disconnect() {
  link_.Close();
  unsent_.clear();
  sent_ = 0;
  if (disconnected_ == 0) disconnected_ = MonotonicNow();
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
    if (written < 0) break;  // nobody reads it
    sent_ += static_cast<size_t>(written);
    if (split) sched_yield();
  }
  unsent_.clear();
  sent_ = 0;
}

// `answer`: the host lives, and hears what its requests are owed.
void HostRunner::ReadLink(bool answer) {
  char buffer[kRead];
  const ssize_t count = read(link_.from_host, buffer, sizeof buffer);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    // The end of a plugin's stdin; or of the host, which is seen a little later.
    close(std::exchange(link_.from_host, -1));
    active_ = MonotonicNow();
    return;
  }
  longest_ = std::max(longest_, MonotonicNow() - active_);
  std::string reply;
  const bool owed = oracle_.owed() != 0;
  oracle_.OnBytes({buffer, static_cast<size_t>(count)}, answer ? &reply : nullptr);
  active_ = MonotonicNow();
  thought_ = host_.ProcessorTime();
  // The host has answered what we had asked: a plugin goes on.
  if (reply.empty() && answer && owed && oracle_.owed() == 0) reply = oracle_.Next();
  if (reply.empty()) return;
  ++messages_;
  Note(seeds_->ours, reply);
  Write(reply);
}

// What nobody has asked for: in its turn, up to what answers something; or all that is left.
void HostRunner::SayRest(bool all) {
  active_ = MonotonicNow();
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

// What it has said with its last breath; it may even have started its plugin.
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
