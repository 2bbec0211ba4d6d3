#include "tools/probing/try_plugin.h"

#include <algorithm>
#include <memory>

#include "io/clock.h"
#include "io/process/child_process.h"

namespace midwire::tools {
namespace {

// How long one of several processes is waited for before the next one: the error of the times.
constexpr int64_t kTurnNs = 2'000'000;
// Another framing than that of the first answers may still fit: it gets so much longer, at least.
constexpr int64_t kAfterAnswerNs = 1'000'000'000;
// For a plugin to end after its stdin has: a plugin that writes its state then can do so.
constexpr int64_t kEndNs = 500'000'000;

struct Run {
  std::unique_ptr<io::ChildProcess> process;
  std::string unsent, out;
  size_t judged = 0;  // bytes of `out`
  Tried tried;

  bool Waits() const { return process->running() && tried.answer_ns < 0 && !tried.ended; }

  void Turn(int64_t start_ns, int64_t timeout_ns) {
    unsent.erase(0, process->Write(unsent));
    process->Wait(timeout_ns, !unsent.empty(), &out, &tried.err);
    if (out.size() > kMaxReceived) out.resize(kMaxReceived);
    if (tried.err.size() > kMaxReceived) tried.err.resize(kMaxReceived);
    if (process->HasEnded() || (process->out_ended() && process->err_ended())) {
      tried.ended = process->Reap(kEndNs, &tried.status, &out, &tried.err);
    }
    if (out.size() == judged && !tried.ended) return;
    judged = out.size();
    tried.received = Judge(*tried.probe, out, tried.ended);
    if (tried.received.answer == Received::Answer::kNone) return;
    tried.answer_ns = io::MonotonicNow() - start_ns;
  }
};

bool IsDone(const std::vector<Run>& runs) {
  return std::none_of(runs.begin(), runs.end(), [](const Run& run) { return run.Waits(); }) ||
         std::any_of(runs.begin(), runs.end(), [](const Run& run) {
           return run.tried.received.answer == Received::Answer::kExpected;
         });
}

// Whether another protocol may still fit better than the answer of `run` does. A plugin that
// answers in a framing mostly answers each request in it, one of another protocol with an error,
// and that may come first. So all probes in it have the whole time.
bool MayFitBetter(const std::vector<Run>& runs, const Run& run) {
  return std::any_of(runs.begin(), runs.end(), [&](const Run& other) {
    return other.Waits() && other.tried.probe->framing == run.tried.probe->framing;
  });
}

}  // namespace

Result<std::vector<Tried>> TryPlugin(const std::vector<std::string>& argv,
                                     const std::vector<const Probe*>& probes, int64_t wait_ns) {
  std::vector<Run> runs;
  const int64_t start_ns = io::MonotonicNow();
  for (const Probe* probe : probes) {
    Run run;
    run.process = std::make_unique<io::ChildProcess>(argv);
    run.unsent = BytesOf(*probe);
    run.tried.probe = probe;
    if (Status started = run.process->Start(); !started) return started.error();
    runs.push_back(std::move(run));
  }
  while (!IsDone(runs) && io::MonotonicNow() - start_ns < wait_ns) {
    for (Run& run : runs) {
      if (!run.Waits()) continue;
      run.Turn(start_ns, runs.size() == 1 ? 10 * kTurnNs : kTurnNs);
      const int64_t answer_ns = run.tried.answer_ns;
      if (answer_ns >= 0 && !MayFitBetter(runs, run))
        wait_ns = std::min(wait_ns, 3 * answer_ns + kAfterAnswerNs);
    }
  }
  for (Run& run : runs) run.process->CloseStdin();
  const int64_t end_ns = io::MonotonicNow() + kEndNs;
  std::vector<Tried> tried;
  for (Run& run : runs) {
    ExitStatus status;
    std::string ignored;
    if (run.process->running()) {
      (void)run.process->Reap(std::max<int64_t>(end_ns - io::MonotonicNow(), 1), &status, &ignored,
                              &ignored);
    }
    run.process->Kill();
    tried.push_back(std::move(run.tried));
  }
  return tried;
}

}  // namespace midwire::tools
