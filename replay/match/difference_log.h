// Collects the differences of a run into its report: ordered by step, never by arrival, and
// bounded. Filled by the matcher and the player; the report is complete after Finish.
#pragma once

#include <cstddef>

#include "replay/match/compare.h"
#include "replay/script/script.h"
#include "replay/values/bindings.h"
#include "trace/report/replay_report.h"

namespace midwire::replay {

using trace::Difference;
using trace::DifferenceKind;
using trace::kMaxDifferences;
using trace::ReplayReport;

class DifferenceLog {
 public:
  DifferenceLog(const Script* script, const Bindings* bindings, ReplayReport* report)
      : script_(script), bindings_(bindings), report_(report) {}

  // The number of the message from which the next differences come; 0: it has none.
  void From(uint32_t number) { from_ = number; }
  uint32_t from() const { return from_; }
  // Counts a difference, and keeps it if it is among the first by step.
  void Add(Difference item);
  // A difference about a step, without values.
  Difference ItemOf(DifferenceKind kind, StepIndex step) const;
  // Where the message of `item` differs first.
  static void SetPlace(const ValueDifference& first, Difference* item);
  void Finish();

  ReplayReport* report() { return report_; }

 private:
  void Trim(size_t limit);
  void NameLiveValues(Difference* item) const;

  const Script* script_;
  const Bindings* bindings_;  // names the live values
  ReplayReport* report_;
  uint32_t from_ = 0;
};

}  // namespace midwire::replay
