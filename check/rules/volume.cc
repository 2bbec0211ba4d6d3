// Rule type "volume": a party sends at most this many bytes in a session.
//   {"type":"volume","from":"plugin","max":104857600}
// All bytes of its stream count, including headers, line ends and junk. The violation is
// reported once per session, on the message that exceeds the limit.
#include "check/rules/types.h"

namespace midwire::check {
namespace {

class VolumeRule : public CheckRule {
 public:
  VolumeRule(const wire::RuleSpec* rule, RuleReader* in) : rule_(rule), max_(in->Integer("max")) {
    const std::string from = in->Text("from");
    if (from == "host") direction_ = wire::Direction::kHostToPlugin;
    if (from != "host" && from != "plugin") in->Expect("from", "host or plugin");
    if (max_ < 0) in->Expect("max", "a whole number from 0 on");
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (seen.direction() != direction_ || seen.number() == latest_) return;
    latest_ = seen.number();  // elements of a batch have its number
    if (IsTooMuch(seen.recorded->frame->size)) Report(CheckReport::Of("", seen), report);
  }

  void OnJunk(const RecordedJunk& junk, CheckReport* report) override {
    if (junk.direction != direction_ || !IsTooMuch(junk.junk->size)) return;
    Violation violation;
    violation.direction = direction_;
    Report(std::move(violation), report);
  }

  void OnSessionEnd(bool, CheckReport*) override {
    sent_ = latest_ = 0;
    reported_ = false;
  }

 private:
  bool IsTooMuch(uint64_t size) {
    sent_ += size;
    return !reported_ && sent_ > static_cast<uint64_t>(max_);
  }
  void Report(Violation violation, CheckReport* report) {
    reported_ = true;
    violation.expected = "at most " + std::to_string(max_) + " bytes in all";
    violation.got = std::to_string(sent_) + " bytes";
    report->Add(std::move(violation), *rule_);
  }

  const wire::RuleSpec* rule_;
  wire::Direction direction_ = wire::Direction::kPluginToHost;
  int64_t max_;
  uint64_t sent_ = 0, latest_ = 0;
  bool reported_ = false;
};

}  // namespace

MadeRule MakeVolumeRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<VolumeRule>(&rule, in);
}

}  // namespace midwire::check
