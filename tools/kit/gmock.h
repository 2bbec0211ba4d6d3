// A GoogleTest matcher: holds a plugin, a program or a function, against a recorded session.
//
//   EXPECT_THAT(Command({"./my-plugin", "--flag"}), Replays("session.jsonl"));
//   EXPECT_THAT(&Dispatch, Replays("session.jsonl").Ignoring("/result/pid").Volatile("log"));
//
// For test programs that link midwire::kit and GoogleTest (doc/replay-in-tests.md). The plugin runs
// once for each expectation. Header-only, so that midwire is built without GoogleTest.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/kit/replays.h"

namespace midwire::kit {

// Where EXPECT_THAT says what it was given.
inline void PrintTo(const Command& command, std::ostream* os) {
  const char* blank = "";
  for (const std::string& word : command.argv) {
    *os << std::exchange(blank, " ") << testing::PrintToString(word);
  }
}

class ReplaysMatcher {
 public:
  using is_gtest_matcher = void;

  explicit ReplaysMatcher(std::string trace) : trace_(std::move(trace)) {}

  // Each as the option of `midwire replay`; repeatable.
  ReplaysMatcher Ignoring(std::string pointer) const {
    return With([&](ReplayOptions* options) { options->ignores.push_back(std::move(pointer)); });
  }
  ReplaysMatcher Volatile(std::string method) const {
    return With(
        [&](ReplayOptions* options) { options->volatile_methods.push_back(std::move(method)); });
  }
  ReplaysMatcher Binding(std::string bind) const {
    return With([&](ReplayOptions* options) { options->binds.push_back(std::move(bind)); });
  }
  ReplaysMatcher InOrder(replay::Order order) const {
    return With([&](ReplayOptions* options) { options->order = order; });
  }
  // Of silence; a function that does not return is waited for.
  ReplaysMatcher Within(std::chrono::milliseconds timeout) const {
    return With([&](ReplayOptions* options) { options->timeout = timeout; });
  }

  bool MatchAndExplain(const Command& plugin, testing::MatchResultListener* listener) const {
    return Explain(&plugin, listener, [&] { return Run(plugin); });
  }
  bool MatchAndExplain(const std::vector<std::string>& argv,
                       testing::MatchResultListener* listener) const {
    return Explain(&argv, listener, [&] { return Run(Command(argv)); });
  }
  template <typename Function>
  requires std::is_constructible_v<replay::Dispatcher, const Function&>
  bool MatchAndExplain(const Function& plugin, testing::MatchResultListener* listener) const {
    return Explain(&plugin, listener,
                   [&] { return ReplayDispatcher(trace_, replay::Dispatcher(plugin), options_); });
  }

  void DescribeTo(std::ostream* os) const { *os << "says what " << trace_ << " has"; }
  void DescribeNegationTo(std::ostream* os) const {
    *os << "says something else than " << trace_ << " has";
  }

 private:
  // GoogleTest asks twice when a match fails: whether, then why. The second question is about the
  // run that failed, and must not be another run.
  struct Latest {
    const void* plugin = nullptr;
    Outcome outcome;
  };

  Outcome Run(const Command& plugin) const {
#ifdef MIDWIRE_KIT_COMMAND  // the CMake package says where it has installed the command
    return ReplayCommand(trace_, plugin, options_, MIDWIRE_KIT_COMMAND);
#else
    return ReplayCommand(trace_, plugin, options_, "");
#endif
  }

  template <typename Change>
  ReplaysMatcher With(Change change) const {
    ReplaysMatcher changed(trace_);
    changed.options_ = options_;
    change(&changed.options_);
    return changed;
  }

  template <typename Play>
  bool Explain(const void* plugin, testing::MatchResultListener* listener, Play play) const {
    const bool why = listener->IsInterested();
    if (!why || latest_->plugin != plugin) *latest_ = {plugin, play()};
    if (why) {
      *listener << "which says:\n" << latest_->outcome.text;
      latest_->plugin = nullptr;
    }
    return latest_->outcome.same;
  }

  std::string trace_;
  ReplayOptions options_;
  std::shared_ptr<Latest> latest_ = std::make_shared<Latest>();
};

// `trace`: a tape or a cassette.
inline ReplaysMatcher Replays(std::string trace) { return ReplaysMatcher(std::move(trace)); }

}  // namespace midwire::kit
