// The test language of checks: a dialect's members and a session as text, findings out as text.
//
//   EXPECT_EQ(Found(R"("methods": {"a": {"from": "host", "kind": "request"}})", R"(
//     -> {"id":1,"method":"a"}       -> host to plugin, <- plugin to host; => and <= with a
//     <- {"id":1,"result":1}         Content-Length header. What is not JSON is junk.
//   )"),
//             "must answer.once 2 a /id: expected X, got Y\n");
//
// A finding: SEVERITY RULE NUMBER METHOD POINTER: expected X, got Y; absent parts are left out (an
// absent number is -). Other lines: spawn, part N (a spawn of a later part), at MS, eof host, eof
// plugin, exit N, signal N, event JSON (any other), stderr TEXT, end, next (it continues
// elsewhere), session, gap (damage), torn DIRECTION TEXT (bytes without a line end). # is a
// comment. Times begin at 1 s and advance by 1 ms per line.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "check/checker.h"
#include "tests/lines.h"
#include "trace/session.h"
#include "wire/dialect/built_in.h"
#include "wire/dialect/dialect.h"

namespace midwire::trace {

// The dialect with these members ("extends" may be among them).
inline Result<wire::Dialect> DialectOf(const std::string& members, bool strict = false) {
  return wire::LoadDialect("{\"dialect\":\"test\"" + (members.empty() ? "" : "," + members) + "}",
                           "test.json", strict, wire::BuiltInDialect);
}

inline std::string TextOf(const check::Violation& finding) {
  std::string text = std::string(Name(finding.severity)) + " " + finding.rule + " ";
  if (finding.session > 1) text += "session " + std::to_string(finding.session) + " ";
  text += finding.frame == 0 ? "-" : std::to_string(finding.frame);
  if (!finding.method.empty()) text += " " + finding.method;
  if (!finding.pointer.empty()) text += " " + finding.pointer;
  if (!finding.expected.empty()) text += ": expected " + finding.expected;
  if (!finding.got.empty()) text += (finding.expected.empty() ? ": got " : ", got ") + finding.got;
  return text + "\n";
}

// Runs the lines of a conversation through a session.
class Talk {
 public:
  // keep_bytes: see Session.
  explicit Talk(SessionHandler* handler, size_t keep_bytes = wire::kKeepBytes)
      : session_(handler, keep_bytes) {}

  // gap: called in addition to the session's OnGap.
  void Play(std::string_view conversation, const std::function<void()>& gap) {
    for (const std::string& line : LinesOf(conversation)) {
      now_ms_ += 1;
      const std::string_view rest = std::string_view(line).substr(line.find(' ') + 1);
      if (line.starts_with("-> ")) {
        Say(Stream::kHostToPlugin, std::string(rest) + "\n");
      } else if (line.starts_with("<- ")) {
        Say(Stream::kPluginToHost, std::string(rest) + "\n");
      } else if (line.starts_with("=> ")) {
        Say(Stream::kHostToPlugin, WithLength(rest));
      } else if (line.starts_with("<= ")) {
        Say(Stream::kPluginToHost, WithLength(rest));
      } else if (line.starts_with("torn -> ")) {
        Say(Stream::kHostToPlugin, std::string_view(line).substr(8));
      } else if (line.starts_with("torn <- ")) {
        Say(Stream::kPluginToHost, std::string_view(line).substr(8));
      } else if (line.starts_with("at ")) {
        now_ms_ = std::stoll(std::string(rest));
      } else if (line == "spawn") {
        Happened(SpawnEvent{.argv = {"plugin"}});
      } else if (line.starts_with("part ")) {
        Happened(SpawnEvent{.argv = {"plugin"}, .part = std::stoll(std::string(rest))});
      } else if (line == "eof host") {
        Happened(EofEvent{"host-to-plugin"});
      } else if (line == "eof plugin") {
        Happened(EofEvent{"plugin-to-host"});
      } else if (line.starts_with("exit ")) {
        Happened(ExitStatus{.code = std::stoi(std::string(rest))});
      } else if (line.starts_with("signal ")) {
        Happened(ExitStatus{.signal = std::stoi(std::string(rest))});
      } else if (line.starts_with("stderr ")) {
        Say(Stream::kStderr, std::string(rest) + "\n");
      } else if (line.starts_with("event ")) {
        Say(Stream::kEvents, rest);
      } else if (line == "end") {
        Happened(EndEvent());
      } else if (line == "next") {
        Happened(EndEvent{.next = "tape.2.pcapng"});
      } else if (line == "session") {
        session_.OnSection();
      } else if (line == "gap") {
        gap();
        session_.OnGap();
      } else {
        ADD_FAILURE() << "no such line: " << line;
      }
    }
    session_.OnEnd();
  }

 private:
  void Say(Stream stream, std::string_view bytes) {
    session_.OnRecord({.stream = stream, .time_ns = now_ms_ * 1'000'000, .body = bytes});
  }
  void Happened(const Event& event) { Say(Stream::kEvents, ToJson(event)); }

  Session session_;
  int64_t now_ms_ = 1000;
};

inline std::string FoundWith(const wire::Dialect& dialect, std::string_view conversation,
                             size_t keep_bytes = wire::kKeepBytes) {
  std::string found;
  auto checker = check::Checker::Create(
      &dialect, [&found](const check::Violation& finding) { found += TextOf(finding); });
  if (!checker) return checker.error().Text();
  Talk(checker->get(), keep_bytes).Play(conversation, [&] { (*checker)->OnGap(); });
  (*checker)->Finish();
  return found;
}

inline std::string Found(const std::string& members, std::string_view conversation,
                         bool strict = false) {
  const Result<wire::Dialect> dialect = DialectOf(members, strict);
  return dialect ? FoundWith(*dialect, conversation) : dialect.error().Text();
}

}  // namespace midwire::trace
