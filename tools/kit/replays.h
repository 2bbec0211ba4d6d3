// The test kit without a test framework: holds a plugin against a trace and says in words what
// differs. kit/gmock.h makes a GoogleTest matcher of it. A command is run by the `midwire`
// executable, a function is called in process.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "replay/in_process.h"

namespace midwire::kit {

// A plugin that is a program; no shell reads this. A constructor, so that commas stay in
// parentheses: EXPECT_THAT is a macro.
struct Command {
  explicit Command(std::vector<std::string> words) : argv(std::move(words)) {}
  std::vector<std::string> argv;
};

// As the options of `midwire replay` (doc/replay.md).
struct ReplayOptions {
  std::vector<std::string> ignores, volatile_methods, binds;
  replay::Order order = replay::Order::kCausal;
  std::chrono::milliseconds timeout{5000};  // of silence of a command
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

// The environment variable MIDWIRE, else `installed` where that is an executable file, else
// "midwire", which PATH finds.
std::string FindMidwire(const std::string& installed);

// What is shown of the plugin's stderr: its last words.
inline constexpr size_t kMaxShownStderr = 4096;

}  // namespace midwire::kit
