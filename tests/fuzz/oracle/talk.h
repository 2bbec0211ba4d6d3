// The test language of the oracle: a session in, keys of findings out, a line each.
//
//   EXPECT_EQ(Told(R"(
//     > {"id":1,"method":"open"}     the host says; one input a run
//     < {"id":1,"result":{}}         the plugin says
//     due                            what was asked behind this is answered: what is owed is
//     missing
//   )"),
//             "missing open\n");
//
// Lines besides: run (the next input of the same peer), peer (a fresh one), eof (stdin was closed,
// and the time is over), dies (with its last line cut off), sent TEXT (a probe of ours). => and <=
// have a Content-Length header; >> and << are bytes without the end of a line. What the oracle says
// by itself, in answer to the plugin, is in the result as `> TEXT`. # is a remark. The words of the
// protocol are open, ping and note; messages have no "jsonrpc", as in the recording.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle/protocol_oracle.h"

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

  // Keys of what was told, and what was said by itself.
  std::string Told(std::string_view text) {
    Features features({});
    ProtocolOracle oracle(&seeds_, &features, options_, [this](Finding finding) {
      told_ += finding.key + "\n";
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
      if (line[0] == '>' || line[0] == '=') {
        said_ += oracle.Say(part++);
      } else if (line[0] == '<') {
        oracle.OnBytes(BytesOf(line), &reply);
      } else if (line.starts_with("sent ")) {
        oracle.Sent(line.substr(5) + "\n");
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
        told_ += "what is this line? " + line + "\n";
      }
      if (!reply.empty()) told_ += "> " + reply + (reply.ends_with('\n') ? "" : "\n");
    }
    owed_ = oracle.owed();
    settled_ = oracle.settled();
    in_sync_ = oracle.in_sync();
    at_boundary_ = oracle.at_boundary();
    closing_ = oracle.closing();
    return std::move(told_);
  }

  // Of the last thing that was told, and how things stood at the end.
  const std::vector<Finding>& findings() const { return findings_; }
  const std::string& said() const { return said_; }  // by the input
  size_t owed() const { return owed_; }
  bool settled() const { return settled_; }
  bool in_sync() const { return in_sync_; }
  bool at_boundary() const { return at_boundary_; }
  bool closing() const { return closing_; }

 private:
  static std::vector<std::string> LinesOf(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      while (line.starts_with(' ')) line.remove_prefix(1);
      if (!line.empty() && line[0] != '#') lines.emplace_back(line);
    }
    return lines;
  }
  // "> TEXT", ">> TEXT", "=> TEXT", and the same with <.
  static std::string BytesOf(const std::string& line) {
    const size_t blank = std::min(line.find(' '), line.size());
    const std::string sign = line.substr(0, blank);
    const std::string body = blank < line.size() ? line.substr(blank + 1) : "";
    if (sign.size() == 1) return body + "\n";
    if (sign[1] != '=' && sign[0] != '=') return body;
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  static Input InputOf(const std::vector<std::string>& lines, size_t at) {
    Input input;
    for (; at < lines.size() && lines[at] != "run" && lines[at] != "peer"; ++at) {
      if (lines[at][0] != '>' && lines[at][0] != '=') continue;
      Input one = ParseInput(BytesOf(lines[at]));
      // What framing makes two of stays one part, as a mutant's may be.
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
  std::string told_, said_;
  size_t owed_ = 0;
  bool settled_ = false, in_sync_ = false, at_boundary_ = false, closing_ = false;
};

inline std::string Told(std::string_view text) { return Talk().Told(text); }

// With these switched as `midwire fuzz --oracle` does.
inline std::string ToldWith(std::string_view oracles, std::string_view text) {
  return Talk({.oracles = *ParseOracles(oracles)}).Told(text);
}

}  // namespace midwire::fuzz
