// Runner, moving bytes: to the peer and from it, within time limits.
#include <algorithm>
#include <utility>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/random.h"
#include "io/process/scheduling.h"

namespace midwire::fuzz {
namespace {

// Within an input the time for an answer is this much shorter than at its end.
constexpr int kPatientSteps = 8;
// Time before the first check whether a peer sleeps; each further one comes after twice the time.
constexpr int64_t kFirstLook = 20'000;

}  // namespace

// What is left of the additional time for the first answer. It is counted from the start on, and
// not again in each of the waits of a run: a peer that answers nothing had three times as much.
int64_t Runner::StartTimeLeft() const {
  if (received_) return 0;
  return std::max<int64_t>(0, started_at_ + kStarts * opened_ns_ - io::MonotonicNow());
}

int64_t Runner::Timeout() const { return timeout_ns_ * patience_ + StartTimeLeft(); }

int64_t Runner::LostTimeout() const { return lost_ns_ + StartTimeLeft(); }

// Time for an answer within an input, without that for the start of the process.
int64_t Runner::StepTimeout() const { return received_ ? Timeout() / kPatientSteps : Timeout(); }

void Runner::Note(wire::Direction direction, std::string_view bytes) {
  if (transcript_ == nullptr || noted_ > kMaxTranscript) return;
  noted_ += bytes.size();
  transcript_->chunks.push_back({direction, std::string(bytes)});
}

// Reads available output and writes answers to the peer's requests, never in the middle of a
// message that is being written.
void Runner::Read(int64_t timeout_ns, bool want_write) {
  out_.clear();
  const size_t err = err_.size();
  if (!peer_.Wait(timeout_ns, want_write, &out_, &err_)) return orphans_.Reap(peer_.pid());
  if (err_.size() > kMaxStderr) err_.resize(kMaxStderr);  // the first part has the cause
  if (transcript_ != nullptr) {
    transcript_->err.append(err_, std::min(err, err_.size()));
  }
  if (out_.empty()) return;
  received_ = true;
  received_bytes_ += out_.size();
  oracle_.OnBytes(out_, &reply_);
  if (!writing_) Reply();
}

// Gives up on a peer that sends requests without end and does not read.
bool Runner::Reply() {
  const int64_t end = io::MonotonicNow() + Timeout();
  while (!reply_.empty()) {
    const std::string reply = std::move(reply_);
    reply_.clear();
    if (!WriteAll(reply, false, false) || io::MonotonicNow() >= end) {
      reply_.clear();
      return false;
    }
  }
  return true;
}

// False: the peer accepts no more.
bool Runner::Push(std::string_view bytes, bool split, bool is_probe) {
  return WriteAll(bytes, split, is_probe) && Reply();
}

bool Runner::WriteAll(std::string_view bytes, bool split, bool is_probe) {
  if (!is_probe) Note(seeds_->ours, bytes);
  last_.size += bytes.size();
  writing_ = true;
  const bool written = WriteOn(bytes, split);
  writing_ = false;
  return written;
}

bool Runner::WriteOn(std::string_view bytes, bool split) {
  Random random(bytes.size());
  // Long messages get longer pieces, because each piece costs as much as a message.
  const size_t longest = std::max<size_t>(64, bytes.size() / 16);
  int64_t end = io::MonotonicNow() + Timeout();
  while (!bytes.empty()) {
    const size_t piece = split ? 1 + random.Below(std::min(bytes.size(), longest)) : bytes.size();
    const size_t taken = peer_.Write(bytes.substr(0, piece));
    bytes.remove_prefix(taken);
    if (split) io::YieldProcessor();
    if (taken > 0) continue;
    Read(std::min<int64_t>(end - io::MonotonicNow(), 50'000'000), true);
    if (stop && stop()) return false;
    if (io::MonotonicNow() < end) continue;
    // A peer that waits for a processor reads on later.
    const auto reads = [this] { return peer_.HasRead(); };
    if (!closely_ || IsStuck(reads, RanFor()) || !reads()) return false;
    end = io::MonotonicNow() + Timeout();
  }
  return true;
}

// True: done. False: the time is over, the peer's stdout is closed, or it has exited and all output
// is read (a child may hold its stdout open).
bool Runner::Await(const std::function<bool()>& done, int64_t timeout_ns) {
  if (done()) return true;
  int64_t now = io::MonotonicNow(), end = now + timeout_ns;
  bool ended = false;
  while (!peer_.out_ended() && now < end) {
    const int64_t before = now;
    Read(std::min(end - now, kLostTimeout), false);
    if (done()) return true;
    if (stop && stop()) return false;
    now = io::MonotonicNow();
    if (ended || now - before < kLostTimeout || !peer_.HasEnded()) continue;
    ended = true;
    end = std::min(end, now + kLostTimeout);
  }
  return done();
}

// Waits for a reaction to a damaged answer: for this time, or until the peer has read everything
// and sleeps.
bool Runner::AwaitUse(const std::function<bool()>& answered, int64_t timeout_ns) {
  const int64_t end = io::MonotonicNow() + timeout_ns;
  for (int64_t look = kFirstLook; !peer_.out_ended() && !(stop && stop()); look *= 2) {
    const int64_t left = end - io::MonotonicNow();
    io::YieldProcessor();  // lets the peer run if both share a processor
    if (Await(answered, std::min(left, look)) || look >= left) break;
    if (!closely_ && peer_.HasRead() && peer_.Sleeps()) break;
  }
  return answered();
}

// Reads until the peer has read everything and sleeps: what it writes by then belongs to what was
// sent.
void Runner::AwaitQuiet() {
  const int64_t end = io::MonotonicNow() + Timeout();
  for (int64_t look = kFirstLook; !peer_.out_ended() && !(stop && stop()); look *= 2) {
    const bool quiet = peer_.HasRead() && peer_.Sleeps();
    const int64_t left = end - io::MonotonicNow();
    Await([] { return false; }, quiet ? 0 : std::min(left, look));
    if (quiet || left <= 0) break;
  }
  Read(0, false);
}

// Waits for expected replies; each reply restarts the time. A peer whose own request got a damaged
// answer gets a good one, because it may correctly wait for it.
bool Runner::AwaitAnswers(const std::function<bool()>& answered, int64_t timeout_ns) {
  int64_t end = io::MonotonicNow() + timeout_ns;
  while (true) {
    const int64_t begin = io::MonotonicNow(), left = std::max<int64_t>(end - begin, 0);
    const bool counts = received_ && !closely_ && patience_ == 1 && !answered();
    const size_t before = state().answers;
    const auto moves = [&] {
      const PeerState now = state();
      return answered() || now.asks || now.answers > before;
    };
    if (!Await(moves, left)) return false;
    if (counts && state().answers > before) answer_times_.Add(io::MonotonicNow() - begin);
    if (!answered() && state().answers > before) {
      end = io::MonotonicNow() + timeout_ns;
      continue;
    }
    if (answered() || left == 0 || AwaitUse(answered, std::min(left, use_ns_))) {
      return answered();
    }
    if (peer_.out_ended() || (stop && stop()) || !Push(oracle_.AnswerPeerRequests(), false))
      return false;
  }
}

}  // namespace midwire::fuzz
