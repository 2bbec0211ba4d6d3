// The test language of the oracle: a script of a session in, one line per finding's key out.
//
//   EXPECT_EQ(Findings(R"(
//     > {"id":1,"method":"open"}     the host sends; the input of a run has these lines
//     < {"id":1,"result":{}}         the plugin sends
//     due                            a later request is answered: expected answers are missing
//   )"),
//             "missing open\n");
//
// Other lines: run (the next input for the same peer), peer (a fresh peer), eof (stdin was closed
// and the time is over), dies (the peer ends, its last line is cut off), sent TEXT (a probe). =>
// and <= have a Content-Length header; >> and << are bytes without an end of line. # starts a
// comment. Any other line fails the test. What the oracle sends by itself, in answer to the plugin,
// is in the result as `> TEXT`. The protocol has the methods open, ping and note; messages have no
// "jsonrpc", as in the recording.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle/protocol_oracle.h"
#include "tests/lines.h"

namespace midwire::fuzz {

class Talk {
 public:
  explicit Talk(const ProtocolOracleOptions& options = {},
                wire::Framing framing = wire::Framing::kLine) {
    seeds_.framing = framing;
    seeds_.methods = {"open", "ping", "note"};
    seeds_.usual_flags = wire::kNoVersion;
    options_ = options;
  }
  Seeds& seeds() { return seeds_; }

  // Runs the script: keys of findings, and what the oracle sent by itself.
  std::string Run(std::string_view text) {
    Features features({});
    ProtocolOracle oracle(&seeds_, &features, options_, [this](Finding finding) {
      result_ += finding.key + "\n";
      findings_.push_back(std::move(finding));
    });
    oracle.OnPeer();
    const std::vector<std::string> lines = LinesOf(text);
    size_t part = 0;
    Input input = InputOf(lines, 0);
    oracle.OnRun(&input);
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      std::string reply;
      if (IsSent(line)) {
        sent_ += oracle.PartToSend(part++);
      } else if (IsReceived(line)) {
        oracle.OnBytes(BytesOf(line), &reply);
      } else if (line.starts_with("sent ")) {
        oracle.OnSent(line.substr(5) + "\n", Sent::kProbe);
      } else if (line == "due") {
        oracle.ReportMissing(Oracle::kMissing);
        oracle.ReportUnanswered();
      } else if (line == "eof") {
        oracle.ReportMissing(Oracle::kLostAtEof);
      } else if (line == "dies") {
        oracle.OnPeerEnd();
      } else if (line == "run" || line == "peer") {
        if (line == "peer") oracle.OnPeer();
        input = InputOf(lines, i + 1);
        part = 0;
        oracle.OnRun(&input);
      } else {
        ADD_FAILURE() << "not a line of the script: " << line;
      }
      if (!reply.empty()) result_ += "> " + reply + (reply.ends_with('\n') ? "" : "\n");
    }
    state_ = oracle.state();
    place_ = oracle.PlaceAfter(oracle.last_sent()).Text();
    return std::move(result_);
  }

  // Of all scripts so far, and the state after the last one.
  const std::vector<Finding>& findings() const { return findings_; }
  const std::string& sent() const { return sent_; }  // parts of the input
  const PeerState& state() const { return state_; }
  const std::string& place() const { return place_; }  // of a fault behind it, for people

 private:
  static bool IsSent(std::string_view line) {
    return line.starts_with("> ") || line.starts_with(">> ") || line.starts_with("=> ");
  }
  static bool IsReceived(std::string_view line) {
    return line.starts_with("< ") || line.starts_with("<< ") || line.starts_with("<= ");
  }
  // Of a line that is sent or received.
  static std::string BytesOf(std::string_view line) {
    const size_t blank = line.find(' ');
    const std::string_view sign = line.substr(0, blank), body = line.substr(blank + 1);
    if (sign.size() == 1) return std::string(body) + "\n";
    return sign.find('=') == sign.npos ? std::string(body) : WithLength(body);
  }
  static Input InputOf(const std::vector<std::string>& lines, size_t at) {
    Input input;
    for (; at < lines.size() && lines[at] != "run" && lines[at] != "peer"; ++at) {
      if (!IsSent(lines[at])) continue;
      Input one = ParseInput(BytesOf(lines[at]));
      // A line with two frames is one part, as in a mutant.
      if (one.parts.size() == 1) {
        input.parts.push_back(std::move(one.parts[0]));
      } else {
        input.parts.push_back({.bytes = BytesOf(lines[at])});
      }
    }
    return input;
  }

  ProtocolOracleOptions options_;
  Seeds seeds_{wire::Direction::kHostToPlugin};
  std::vector<Finding> findings_;
  std::string result_, sent_, place_;
  PeerState state_;
};

inline std::string Findings(std::string_view text) { return Talk().Run(text); }

// With the oracles of `midwire fuzz --oracle`.
inline std::string FindingsWith(std::string_view oracles, std::string_view text) {
  return Talk({.oracles = *ParseOracles(oracles)}).Run(text);
}

}  // namespace midwire::fuzz
