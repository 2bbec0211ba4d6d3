// The runner of a host judges the process: how it ended, whether it ends at all, and its memory.
#include <algorithm>
#include <utility>

#include "fuzz/live/host_runner.h"
#include "fuzz/oracle/ending.h"

namespace midwire::fuzz {
namespace {

constexpr int64_t kBusyWindow = 100'000'000, kLook = 5'000'000;  // for burning the processor

}  // namespace

bool HostRunner::Grown(uint64_t memory) {
  peak_ = std::max(peak_, memory);
  if (baseline_ == 0 || peak_ <= baseline_ + options_.max_growth) return false;
  Report({.oracle = Oracle::kMemory,
          .key = "memory resident",
          .text = "the host's memory has grown by " + std::to_string((peak_ - baseline_) >> 20) +
                  " MiB, after " + oracle_.last_said(),
          .evidence = ""});
  return true;
}

void HostRunner::JudgeEnd(const Peer::Ending& ending) {
  ReadLeft();
  oracle_.OnPeerEnd();
  if (transcript_ != nullptr) {
    transcript_->code = ending.code;
    transcript_->signal = ending.signal;
    transcript_->ended = true;
  }
  Grown(ending.peak);
  const std::string place = " after " + oracle_.last_said();
  if (auto death = DeathOf(ending.code, ending.signal, err_, oracle_.last_said())) {
    death->text = "the host: " + death->text;
    Report(std::move(*death));
  } else if (ending.code != usual_code_) {
    // Most give up a plugin that talks nonsense so, and are right: asked for, it is told.
    const std::string how = EndingText(ending.code, ending.signal);
    Report({.oracle = Oracle::kExit,
            .key = how + place,
            .text = "the host: " + how + "," + place,
            .evidence = err_.substr(0, kMaxEvidence)});
  }
}

// Whether it burns the processor now; of a machine that is busy it may have a small part.
bool HostRunner::IsBusy() {
  const int64_t used = host_.ProcessorTime(), until = MonotonicNow() + kBusyWindow;
  int runs = 0, sleeps = 0;
  while (MonotonicNow() < until) {
    Wait(kLook);
    ++(host_.Runs() ? runs : sleeps);
    if (host_.ProcessorTime() - used > kBusyWindow / 5) return true;
  }
  return runs > sleeps;
}

void HostRunner::JudgeStillThere() {
  if (!ends_ || (stop && stop())) return;
  const bool hang = IsBusy();
  const std::string place = " after " + oracle_.last_said();
  Report({.oracle = hang ? Oracle::kHang : Oracle::kSilence,
          .key = (hang ? "hang" : "silence") + place,
          .text = "the host does not end, which it did with a plugin in order," + place +
                  (hang ? "; the processor is busy" : "; it sleeps"),
          .evidence = err_.substr(0, kMaxEvidence)});
}

}  // namespace midwire::fuzz
