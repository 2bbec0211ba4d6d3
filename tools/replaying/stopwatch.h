// Measures how long a run waited for messages of each method, for JUnit. An observer of the player
// in front of another one. The machine sets the time; the stopwatch reads no clock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "replay/play/player.h"

namespace midwire::tools {

class Stopwatch : public replay::Observer {
 public:
  // next: gets everything too; may be null.
  Stopwatch(const replay::Script* script, replay::Observer* next) : script_(script), next_(next) {}

  // Nanoseconds of a monotonic clock, before the player gets bytes.
  void SetTime(int64_t now) {
    if (start_ns_ < 0) start_ns_ = last_ns_ = now;
    now_ns_ = now;
  }

  void OnElement(replay::StepIndex step) override {
    if (next_) next_->OnElement(step);
  }
  void OnLive(replay::StepIndex step, bool differs, const wire::Frame& frame) override {
    if (next_) next_->OnLive(step, differs, frame);
    if (step == replay::kNoStep) return;
    const std::string& method = script_->methods[script_->steps[step].method];
    methods_[method] += static_cast<double>(now_ns_ - last_ns_) / 1e9;
    last_ns_ = now_ns_;
  }
  void OnSent(replay::StepIndex step) override {
    if (next_) next_->OnSent(step);
  }
  bool NeedsStepsAtOnce() const override { return next_ && next_->NeedsStepsAtOnce(); }
  void OnMadeUp(std::string_view frame) override {
    if (next_) next_->OnMadeUp(frame);
  }

  // Of the whole run until the last SetTime, and of each method's messages.
  double seconds() const { return static_cast<double>(now_ns_ - start_ns_) / 1e9; }
  std::map<std::string, double, std::less<>> MethodSeconds() const { return methods_; }

 private:
  const replay::Script* script_;
  replay::Observer* next_;
  int64_t start_ns_ = -1, last_ns_ = 0, now_ns_ = -1;
  std::map<std::string, double, std::less<>> methods_;
};

}  // namespace midwire::tools
