// Checks a session against a dialect. A handler of a session: it prepares each message once (spans
// of params and result, the method's spec, the request of an answer) and passes it to a list of
// rules, each for one clause. Called by tools/ for `midwire check`, and by infer. Pure: the caller
// prints what the rules report.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/rules/rule.h"
#include "wire/json/parts.h"

namespace midwire::check {

class Checker : public trace::SessionHandler {
 public:
  // An error: a rule of the dialect cannot be made. `dialect` must outlive it.
  static Result<std::unique_ptr<Checker>> Create(const wire::Dialect* dialect,
                                                 CheckReport::Sink sink);

  // Adds a rule that runs after those of the dialect: infer.h observes messages through one.
  void Add(std::unique_ptr<CheckRule> rule) { rules_.push_back(std::move(rule)); }

  void OnMessage(const RecordedMessage& recorded) override;
  void OnElement(const RecordedMessage& element) override;
  void OnJunk(const RecordedJunk& junk) override;
  void OnEvent(int64_t time_ns, const Event& event) override;
  void OnSectionEnd(const wire::Exchanges& exchanges) override;
  // Damage in the trace: call before the session's OnGap.
  void OnGap();
  // The trace is over. Call once.
  void Finish();

 private:
  Checker(const wire::Dialect* dialect, CheckReport::Sink sink)
      : dialect_(dialect), report_(dialect, std::move(sink)) {}
  void Show(const RecordedMessage& recorded, std::string_view body);
  void ReportJunk(const RecordedJunk& junk);
  void ReportCutOff(wire::Direction direction);

  const wire::Dialect* dialect_;
  CheckReport report_;
  std::vector<std::unique_ptr<CheckRule>> rules_;
  std::optional<wire::JsonParts> elements_;  // of the current batch, from its next element on
  // A message that its stream's end cut off, by direction. Later events show whether the peer or
  // the recording ended there.
  struct CutOff {
    int64_t time_ns;
    std::string bytes;
    uint64_t size;
  };
  std::optional<CutOff> cut_off_[2];
  bool spawned_ = false, ended_ = false, gap_ = false;
};

}  // namespace midwire::check
