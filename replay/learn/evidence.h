// What one run of the plugin showed: the messages that differ from the recording, and all
// notifications. Filled by the matcher during the run, read by the learner. Bounded.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/learn/call_names.h"
#include "replay/match/variations.h"
#include "replay/values/bindings.h"
#include "trace/report/excerpt.h"
#include "trace/report/replay_report.h"

namespace midwire::replay {

// A message of the peer that differs from the recording that it was matched with.
struct Varied {
  StepIndex step;
  std::string method;  // as declarations call it (call_names.h)
  std::string recorded, live;
  std::vector<std::string> pointers;    // of the places that differ
  std::vector<trace::ShownPair> shown;  // of each, what differs
};

// Bytes of messages kept of one run. The rest of a longer run is not learned from.
inline constexpr size_t kMaxEvidence = 64u << 20;

class Evidence : public Variations {
 public:
  // null: messages are called by their methods.
  explicit Evidence(const CallNames* names = nullptr) : names_(names) {}

  void OnVariation(const Variation& variation) override;
  void OnNotification(std::string_view method, std::string_view body) override;
  std::string CallOf(std::string_view method, std::string_view body) override;
  // Once, after the run: the values that the run replaced, and its report.
  void End(const Bindings& bindings, trace::ReplayReport report);

  const std::vector<Varied>& varied() const { return varied_; }
  // The bodies of the notifications of that name, in order; bound values are as recorded.
  const std::vector<std::string>& NotificationsOf(const std::string& name) const;
  // What declarations call the message of a difference.
  std::string NameOf(const trace::Difference& item) const;
  const std::string& NameOf(const Script& script, StepIndex step) const;
  const trace::ReplayReport& report() const { return report_; }
  bool overflowed() const { return bytes_ > kMaxEvidence; }

 private:
  bool HasRoom(size_t size);

  const CallNames* names_;
  std::vector<Varied> varied_;
  std::map<std::string, std::vector<std::string>> notifications_;
  trace::ReplayReport report_;
  size_t bytes_ = 0;
};

}  // namespace midwire::replay
