// Checks a trace, as ReadTrace reads it, against a dialect: the named one, else the one detected
// from its first messages. Records are kept until it is detected. Called by commands/check. Prints
// nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/checker.h"
#include "tools/read_trace.h"
#include "trace/dialect/detect.h"
#include "trace/report/frame_lines.h"
#include "trace/report/violation_list.h"
#include "trace/session.h"

namespace midwire::tools {

class CheckListener : public TraceListener, private trace::SessionHandler {
 public:
  // `load` loads the built-in dialect that is detected, json-rpc-2.0 if none fits.
  using Load = std::function<Result<wire::Dialect>(const std::string& name)>;
  explicit CheckListener(Load load);
  // Checks against this dialect.
  void Use(wire::Dialect dialect);

  void OnRecord(const trace::Record& record) override;
  void OnSection() override;
  void OnDamage(const trace::Damage& damage) override;
  bool stop() const override { return failed(); }
  void Finish();  // the trace has ended

  bool failed() const { return error_.has_value(); }
  const std::optional<Error>& error() const { return error_; }  // the dialect cannot be used
  const wire::Dialect* dialect() const { return &dialect_; }
  // What was detected; none if the dialect was named.
  const trace::Detection& detection() const { return detection_; }
  // After Finish: see check::Checker.
  const std::string& revisions() const { return checker_->revisions(); }
  trace::ViolationList* violations() { return &violations_; }
  uint64_t messages() const { return messages_; }
  uint64_t sessions() const { return sessions_; }

 private:
  // Bytes that are kept at most before the dialect is decided: a few large messages may come first.
  static constexpr size_t kMaxKept = 16u << 20;

  struct Kept {
    enum class What : uint8_t { kRecord, kSection, kGap } what;
    trace::Record record;
    std::string head, body;
    std::vector<trace::LinePlace> lines;
  };

  void OnMessage(const trace::RecordedMessage& recorded) override;
  void OnElement(const trace::RecordedMessage& element) override;
  void OnJunk(const trace::RecordedJunk& junk) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;
  void OnSectionEnd(const wire::Exchanges& exchanges) override;

  void Decide();
  void Section();
  void Gap();

  const Load load_;
  wire::Dialect dialect_;
  trace::Detection detection_;
  std::unique_ptr<check::Checker> checker_;  // null: not decided yet
  std::optional<Error> error_;

  trace::Opening opening_;
  trace::Session opening_session_;
  std::deque<Kept> kept_;
  size_t kept_bytes_ = 0;

  trace::Session session_;
  trace::FrameLines lines_;
  trace::ViolationList violations_;
  uint64_t messages_ = 0, sessions_ = 1;
};

}  // namespace midwire::tools
