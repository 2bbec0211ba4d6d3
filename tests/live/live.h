// The test language of the runner: a plugin of tests/peers, its input one message per line, and the
// keys of the findings, one per line.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/live/investigate.h"
#include "fuzz/live/runner.h"
#include "tests/paths.h"

namespace midwire::fuzz {

inline constexpr char kOpen[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\",\"params\":{}}\n";
inline constexpr char kGood[] =
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"open\",\"params\":{\"path\":\"a\"}}\n";
inline constexpr char kNote[] = "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n";

// The note shows nothing by itself, so a request checks that all was received.
inline const std::string kOpenNote = std::string(kOpen) + kNote;

// A faulty mode of a peer, what is sent to it, and the finding that it must be.
struct PeerFault {
  const char* mode;
  std::string sent;
  const char* key;  // how it begins
};
inline std::ostream& operator<<(std::ostream& out, const PeerFault& fault) {
  return out << fault.mode;
}

class Live {
 public:
  explicit Live(const std::string& mode, RunnerOptions options = {}) {
    seeds_.framing = wire::Framing::kLine;
    seeds_.methods = {"open", "ping", "note"};
    options.argv = {PeersFolder() + "/ill", mode};
    options_ = std::move(options);
  }
  // The plugin uses headers.
  Live& WithHeaders() {
    seeds_.framing = wire::Framing::kContentLength;
    options_.argv.push_back("content-length");
    return *this;
  }
  Seeds& seeds() { return seeds_; }
  RunnerOptions& options() { return options_; }
  // Created by the first call.
  Runner& runner() {
    if (runner_ == nullptr) runner_ = std::make_unique<Runner>(options_, &seeds_, &features_);
    return *runner_;
  }

  Live& Calibrated() {
    const Status calibrated = runner().Calibrate();
    EXPECT_TRUE(calibrated) << calibrated.error().Text();
    return *this;
  }
  std::string Run(std::string_view text, Pace pace = Pace::kLockstep) {
    const auto findings = runner().Run(ParseInput(text, seeds_.framing), pace);
    return findings ? KeysOf(*findings) : findings.error().Text();
  }
  std::string Play(std::string_view text, bool eof = false, Transcript* transcript = nullptr) {
    return Play({.input = ParseInput(text, seeds_.framing), .eof = eof}, transcript);
  }
  std::string Play(const Case& life, Transcript* transcript = nullptr) {
    const auto findings = runner().Play(life, 1, transcript);
    return findings ? KeysOf(*findings) : findings.error().Text();
  }
  std::string Retire() { return KeysOf(runner().Retire()); }

  static std::string KeysOf(const std::vector<Finding>& findings) {
    std::string keys;
    for (const Finding& finding : findings) keys += finding.key + "\n";
    return keys;
  }

 private:
  Seeds seeds_{wire::Direction::kHostToPlugin};
  Features features_{{}};
  RunnerOptions options_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace midwire::fuzz
