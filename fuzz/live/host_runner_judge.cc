// HostRunner, judging the process: how it ended, whether it ends, and its memory.
#include <algorithm>
#include <utility>

#include "fuzz/live/host_runner.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/oracle/ending.h"

namespace midwire::fuzz {
namespace {

constexpr int64_t kBusyLook = 5'000'000;  // between two measurements of processor use

}  // namespace

bool HostRunner::Grown(uint64_t memory) {
  peak_ = std::max(peak_, memory);
  if (baseline_ == 0 || peak_ <= baseline_ + options_.max_growth) return false;
  Report({.oracle = Oracle::kMemory,
          .key = "memory resident",
          .text = "the host's memory has grown by " + std::to_string((peak_ - baseline_) >> 20) +
                  " MiB, after " + oracle_.last_sent(),
          .evidence = ""});
  return true;
}

void HostRunner::JudgeEnd(const ExitStatus& exit) {
  ReadLeft();
  oracle_.OnPeerEnd();
  if (transcript_ != nullptr) transcript_->exit = exit;
  Grown(host_.peak_memory());
  const std::string place = " after " + oracle_.last_sent();
  if (auto death = DeathOf(exit, err_, oracle_.PlaceAfter(oracle_.last_sent()))) {
    death->text = "the host: " + death->text;
    Report(std::move(*death));
  } else if (exit.code != usual_code_) {
    // Most hosts drop a faulty plugin this way, and may. So kExit is off for hosts by default.
    const std::string how = EndingText(exit);
    Report({.oracle = Oracle::kExit,
            .key = how + place,
            .text = "the host: " + how + "," + place,
            .evidence = err_.substr(0, kMaxEvidence)});
  }
}

// Whether it keeps a processor busy now; on a busy machine it may get only a small part.
bool HostRunner::IsBusy() {
  const int64_t used = host_.ProcessorTime(), until = io::MonotonicNow() + kBusyWindow;
  int runs = 0, sleeps = 0;
  while (io::MonotonicNow() < until) {
    Wait(kBusyLook);
    ++(host_.Runs() ? runs : sleeps);
    if (host_.ProcessorTime() - used > kBusyWindow / 5) return true;
  }
  return runs > sleeps;
}

void HostRunner::JudgeStillThere() {
  if (!ends_ || (stop && stop())) return;
  const bool hang = IsBusy();
  const std::string place = " after " + oracle_.last_sent();
  Report({.oracle = hang ? Oracle::kHang : Oracle::kSilence,
          .key = (hang ? "hang" : "silence") + place,
          .text = "the host does not exit, which it does with a correct plugin," + place +
                  (hang ? "; the processor is busy" : "; it sleeps"),
          .evidence = err_.substr(0, kMaxEvidence)});
}

}  // namespace midwire::fuzz
