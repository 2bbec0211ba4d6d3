// The runner moves bytes: what is said to the peer and what it says, each within its time.
#include <sched.h>

#include <algorithm>
#include <utility>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/random.h"

namespace midwire::fuzz {
namespace {

// Within an input an answer is waited for this much shorter than at its end.
constexpr int kPatientSteps = 8;
// First look at whether a peer sleeps; each further one comes after twice that.
constexpr int64_t kFirstLook = 20'000;

}  // namespace

int64_t Runner::Timeout() const {
  return timeout_ns_ * patience_ + (heard_ ? 0 : kStarts * opened_ns_);
}

int64_t Runner::LostTimeout() const { return lost_ns_ + (heard_ ? 0 : kStarts * opened_ns_); }

// Within an input; but for the start of the process.
int64_t Runner::StepTimeout() const { return heard_ ? Timeout() / kPatientSteps : Timeout(); }

void Runner::Note(wire::Direction direction, std::string_view bytes) {
  if (transcript_ == nullptr || noted_ > kMaxTranscript) return;
  noted_ += bytes.size();
  transcript_->said.push_back({direction, std::string(bytes)});
}

// Reads what there is, and writes what the peer's requests are owed: behind a message that is being
// written, never into it.
void Runner::Read(int64_t timeout_ns, bool want_write) {
  out_.clear();
  const size_t err = err_.size();
  if (!peer_.Wait(timeout_ns, want_write, &out_, &err_)) return strays_.Reap(peer_.pid());
  if (err_.size() > kMaxStderr) err_.resize(kMaxStderr);  // the first of it tells the cause
  if (transcript_ != nullptr) {
    transcript_->err.append(err_, std::min(err, err_.size()));
  }
  if (out_.empty()) return;
  heard_ = true;
  oracle_.OnBytes(out_, &reply_);
  if (!writing_) Reply();
}

// A peer that asks on and on without reading is given up.
bool Runner::Reply() {
  const int64_t end = MonotonicNow() + Timeout();
  while (!reply_.empty()) {
    const std::string reply = std::move(reply_);
    reply_.clear();
    if (!WriteAll(reply, false, false) || MonotonicNow() >= end) {
      reply_.clear();
      return false;
    }
  }
  return true;
}

// False: the peer takes no more.
bool Runner::Push(std::string_view bytes, bool split, bool is_probe) {
  return WriteAll(bytes, split, is_probe) && Reply();
}

bool Runner::WriteAll(std::string_view bytes, bool split, bool is_probe) {
  if (!is_probe) Note(seeds_->ours, bytes);
  writing_ = true;
  const bool written = WriteOn(bytes, split);
  writing_ = false;
  return written;
}

bool Runner::WriteOn(std::string_view bytes, bool split) {
  Random random(bytes.size());
  // Of what is long, the pieces are longer: each costs as much as a message.
  const size_t longest = std::max<size_t>(64, bytes.size() / 16);
  const int64_t end = MonotonicNow() + Timeout();
  while (!bytes.empty()) {
    const size_t piece = split ? 1 + random.Below(std::min(bytes.size(), longest)) : bytes.size();
    const size_t taken = peer_.Write(bytes.substr(0, piece));
    bytes.remove_prefix(taken);
    if (split) sched_yield();
    if (taken > 0) continue;
    Read(std::min<int64_t>(end - MonotonicNow(), 50'000'000), true);
    if (MonotonicNow() >= end || (stop && stop())) return false;
  }
  return true;
}

// True: done. False: the time is over, or the peer's stdout is closed, or it has ended and said
// what it had to say: a child of its may hold its stdout.
bool Runner::Await(const std::function<bool()>& done, int64_t timeout_ns) {
  if (done()) return true;
  int64_t now = MonotonicNow(), end = now + timeout_ns;
  bool ended = false;
  while (!peer_.out_ended() && now < end) {
    const int64_t before = now;
    Read(std::min(end - now, kLostTimeout), false);
    if (done()) return true;
    if (stop && stop()) return false;
    now = MonotonicNow();
    if (ended || now - before < kLostTimeout || !peer_.Ended()) continue;
    ended = true;
    end = std::min(end, now + kLostTimeout);
  }
  return done();
}

// Whether it makes use of a damaged answer: it has that long, or until it has read all and sleeps,
// for as many requests of a peer's have no answer that it likes.
bool Runner::AwaitUse(const std::function<bool()>& answered, int64_t timeout_ns) {
  const int64_t end = MonotonicNow() + timeout_ns;
  for (int64_t look = kFirstLook; !peer_.out_ended() && !(stop && stop()); look *= 2) {
    const int64_t left = end - MonotonicNow();
    sched_yield();  // on one processor it has its turn now
    if (Await(answered, std::min(left, look)) || look >= left) break;
    if (!closely_ && peer_.HasRead() && peer_.Sleeps()) break;
  }
  return answered();
}

// What is owed, for its time; who answers something else meanwhile has that time anew. A peer whose
// own request had a damaged answer gets a good one: it may rightly wait for it.
bool Runner::AwaitAnswers(const std::function<bool()>& answered, int64_t timeout_ns) {
  int64_t end = MonotonicNow() + timeout_ns;
  while (true) {
    const int64_t left = std::max<int64_t>(end - MonotonicNow(), 0);
    const size_t before = oracle_.answers();
    const auto moves = [&] { return answered() || oracle_.asked() || oracle_.answers() > before; };
    if (!Await(moves, left)) return false;
    if (!answered() && oracle_.answers() > before) {
      end = MonotonicNow() + timeout_ns;
      continue;
    }
    if (answered() || left == 0 || AwaitUse(answered, std::min(left, use_ns_))) {
      return answered();
    }
    if (peer_.out_ended() || (stop && stop()) || !Push(oracle_.AnswerOpen(), false)) return false;
  }
}

}  // namespace midwire::fuzz
