// The test kit without a test framework: replays a trace to a plugin and describes the differences.
// A program is run by the `midwire` executable, a function is called in process. kit/gmock.h makes
// a GoogleTest matcher of it.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "replay/in_process.h"

namespace midwire::kit {

// A plugin that is a program; no shell is involved. Has a constructor because EXPECT_THAT is a
// macro and commas must stay in parentheses.
struct Command {
  explicit Command(std::vector<std::string> words) : argv(std::move(words)) {}
  std::vector<std::string> argv;
};

// The options of `midwire replay` (doc/replay.md).
struct ReplayOptions {
  // An option that declares something of the trace, and its value: "ignore" and a place.
  struct Declared {
    std::string option, value;
  };
  std::vector<Declared> declared;
  std::vector<std::string> maps;
  replay::Order order = replay::Order::kCausal;
  std::chrono::milliseconds timeout{5000};  // silence of a program that ends the run
};

struct Outcome {
  bool same = false;
  std::string text;  // for people: the report, or why there is none
};

// `midwire`: the executable; empty: see FindMidwire.
Outcome ReplayCommand(const std::string& trace, const Command& plugin, const ReplayOptions& options,
                      const std::string& midwire);
Outcome ReplayDispatcher(const std::string& trace, const replay::Dispatcher& plugin,
                         const ReplayOptions& options);

// The environment variable MIDWIRE, else `installed` if that is an executable file, else "midwire",
// looked up in PATH.
std::string FindMidwire(const std::string& installed);

// How much of the end of the plugin's stderr is shown.
inline constexpr size_t kMaxShownStderr = 4096;

}  // namespace midwire::kit
