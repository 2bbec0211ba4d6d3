// Checks a session against a dialect. The checker is a handler of a session: it prepares each
// message once (spans of params and result, the method's spec, the request of an answer) and shows
// it to a list of rules, each of which knows one clause. Pure; `midwire check` prints what they
// report.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/rules/rule.h"

namespace midwire::check {

class Checker : public trace::SessionHandler {
 public:
  // An error: a rule of the dialect cannot be made. `dialect` must outlive it.
  static Result<std::unique_ptr<Checker>> Create(const wire::Dialect* dialect,
                                                 CheckReport::Sink sink);

  // Another one that looks on, after those of the dialect (infer.h).
  void Add(std::unique_ptr<CheckRule> rule) { rules_.push_back(std::move(rule)); }

  void OnMessage(const SaidMessage& said) override;
  void OnElement(const SaidMessage& element) override;
  void OnJunk(const SaidJunk& junk) override;
  void OnEvent(int64_t time_ns, const Event& event) override;
  void OnSectionEnd(const wire::Exchanges& exchanges) override;
  // Damage in the trace: call before the session's OnGap.
  void OnGap();
  // The trace is over. Call once.
  void Finish();

 private:
  Checker(const wire::Dialect* dialect, CheckReport::Sink sink)
      : dialect_(dialect), report_(dialect, std::move(sink)) {}
  void Show(const SaidMessage& said, std::string_view body);
  void ReportJunk(const SaidJunk& junk);
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
