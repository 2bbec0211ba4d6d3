#include "fuzz/suspicions.h"

#include <algorithm>
#include <utility>

namespace midwire::fuzz {
namespace {

// Each gets at least this at the end: less is not enough for a play that waits for a timeout.
constexpr int64_t kLeastTime = 1'000'000'000;

size_t SizeOf(const Suspicion& suspicion) {
  size_t size = 0;
  for (const Case& each : suspicion.cases) size += each.input.size();
  return size;
}

}  // namespace

bool Suspicions::Add(Suspicion suspicion) {
  if (waiting_.size() >= kMost) return false;
  auto& cases = suspicion.cases;
  while (cases.size() > 1 && bytes_ + SizeOf(suspicion) > kMaxBytes) cases.pop_back();
  if (bytes_ + SizeOf(suspicion) > kMaxBytes) return false;
  bytes_ += SizeOf(suspicion);
  waiting_.push_back(std::move(suspicion));
  return true;
}

int64_t Suspicions::Reserve() const {
  return std::max(run_ns_ / kReserveIn, std::min(kLeastReserve, run_ns_ / 4));
}

std::optional<Suspicion> Suspicions::Next(int64_t elapsed_ns) {
  const bool first = !confirmed_ && misses_ < kFirst;
  const bool ends = run_ns_ != 0 && elapsed_ns >= run_ns_ - Reserve();
  if (!first && !ends && share_.Left(elapsed_ns) == 0) return std::nullopt;
  return Take();
}

int64_t Suspicions::TimeFor(int64_t elapsed_ns) const {
  if (run_ns_ == 0 || elapsed_ns < run_ns_ - Reserve()) return INT64_MAX;
  const auto count = static_cast<int64_t>(waiting_.size() + 1);
  return std::max((run_ns_ - elapsed_ns) / count, kLeastTime);
}

void Suspicions::OnExamined(int64_t took_ns, bool confirmed) {
  confirmed_ = confirmed_ || confirmed;
  if (confirmed) return;
  ++misses_;
  share_.Spend(took_ns);
}

std::optional<Suspicion> Suspicions::Take() {
  if (waiting_.empty()) return std::nullopt;
  Suspicion next = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= SizeOf(next);
  return next;
}

}  // namespace midwire::fuzz
