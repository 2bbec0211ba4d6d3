#include "tools/replaying/stopwatch.h"

namespace midwire::tools {

void Stopwatch::OnLive(replay::StepIndex step, bool differs, const wire::Frame& frame) {
  if (next_) next_->OnLive(step, differs, frame);
  if (step == replay::kNoStep) return;
  const std::string& method = script_->methods[script_->steps[step].method];
  methods_[method] += static_cast<double>(now_ns_ - last_ns_) / 1e9;
  last_ns_ = now_ns_;
}

}  // namespace midwire::tools
