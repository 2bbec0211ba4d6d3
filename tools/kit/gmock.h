// A GoogleTest matcher: replays a recorded session to a plugin, which is a program or a function.
//
//   EXPECT_THAT(Command({"./my-plugin", "--flag"}), Replays("session.jsonl"));
//   EXPECT_THAT(&Dispatch, Replays("session.jsonl").Ignoring("/result/pid").Volatile("log"));
//
// For test programs that link midwire::kit and GoogleTest (doc/replay-in-tests.md). The plugin runs
// once per expectation. Header-only, so that midwire builds without GoogleTest.
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

// How EXPECT_THAT prints its argument.
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

  // Each as the option of `midwire replay`; repeatable. What may be at a place:
  ReplaysMatcher Ignoring(std::string place) const { return Declaring("ignore", place); }
  ReplaysMatcher Shaped(std::string place_and_shape) const {
    return Declaring("shape", place_and_shape);
  }
  ReplaysMatcher Unordered(std::string place) const { return Declaring("unordered", place); }
  ReplaysMatcher Chunked(std::string place) const { return Declaring("chunked", place); }
  // When messages of a method may come:
  ReplaysMatcher Floating(std::string method) const { return Declaring("floating", method); }
  ReplaysMatcher Volatile(std::string method) const { return Declaring("volatile", method); }
  // Values that differ in each run, and paths of another machine:
  ReplaysMatcher Binding(std::string from_and_to) const { return Declaring("bind", from_and_to); }
  ReplaysMatcher Mapping(std::string from_and_to) const {
    return With([&](ReplayOptions* options) { options->maps.push_back(std::move(from_and_to)); });
  }
  ReplaysMatcher InOrder(replay::Order order) const {
    return With([&](ReplayOptions* options) { options->order = order; });
  }
  // Of silence. A function that does not return is waited for.
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

  void DescribeTo(std::ostream* os) const {
    *os << "replays " << trace_ << " without a difference";
  }
  void DescribeNegationTo(std::ostream* os) const { *os << "differs from " << trace_; }

 private:
  // GoogleTest calls this twice if a match fails: for the result, then for the explanation. The
  // second call must explain the run that failed, and not start another one.
  struct Latest {
    const void* plugin = nullptr;
    Outcome outcome;
  };

  Outcome Run(const Command& plugin) const {
#ifdef MIDWIRE_KIT_COMMAND  // set by the CMake package to the installed command
    return ReplayCommand(trace_, plugin, options_, MIDWIRE_KIT_COMMAND);
#else
    return ReplayCommand(trace_, plugin, options_, "");
#endif
  }

  ReplaysMatcher Declaring(const char* option, std::string& value) const {
    return With([&](ReplayOptions* options) {
      options->declared.push_back({option, std::move(value)});
    });
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
      *listener << "whose replay reports:\n" << latest_->outcome.text;
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
