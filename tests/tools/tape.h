// A tape as a script: Tape().Host("{...}\n").After(ms).Plugin("..."). Times are made up, so that
// the output of show can be compared verbatim.
#pragma once

#include <string>
#include <string_view>

#include "trace/tape_encoder.h"

namespace midwire::tools {

class Tape {
 public:
  // 2026-01-02T03:04:05.000000000Z
  static constexpr int64_t kStart = 1'767'323'045'000'000'000;

  Tape() { trace::AppendTapeStart(&bytes_); }
  // A spawn event; most tapes begin with it.
  static Tape Of(std::vector<std::string> argv) {
    trace::SpawnEvent spawn;
    spawn.argv = std::move(argv);
    spawn.cwd = "/";
    spawn.pid = 12;
    spawn.version = "0.1.0";
    return Tape().Event(spawn);
  }

  Tape& Host(std::string_view bytes) { return Say(trace::Stream::kHostToPlugin, bytes); }
  Tape& Plugin(std::string_view bytes) { return Say(trace::Stream::kPluginToHost, bytes); }
  Tape& Stderr(std::string_view bytes) { return Say(trace::Stream::kStderr, bytes); }
  Tape& Event(const trace::Event& event) {
    trace::AppendEvent(now_, event, &bytes_);
    return *this;
  }
  Tape& After(int64_t ns) {
    now_ += ns;
    return *this;
  }
  Tape& Us(int64_t us) { return After(us * 1000); }
  Tape& Exit(int code) {
    ExitStatus exit;
    exit.code = code;
    return Event(exit).Event(trace::EndEvent());
  }
  // Any bytes: damage, another tape.
  Tape& File(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Tape& Say(trace::Stream stream, std::string_view bytes) {
    while (!bytes.empty()) {
      trace::Record record;
      record.stream = stream;
      record.time_ns = now_;
      record.body = bytes.substr(0, trace::kMaxSegment);
      trace::AppendRecord(record, &bytes_);
      bytes.remove_prefix(record.body.size());
    }
    return *this;
  }

  std::string bytes_;
  int64_t now_ = kStart;
};

}  // namespace midwire::tools
