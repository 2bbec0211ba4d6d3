// Counts the messages of a trace, as ReadTrace reads it. Called by commands/stats. The limits below
// bound its memory for any trace. Prints nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/read_trace.h"
#include "tools/reporting/facts.h"
#include "tools/showing/cancellations.h"
#include "trace/report/tally.h"
#include "trace/session.h"

namespace midwire::tools {

// Methods that get a row of their own, both directions together; real protocols have under 200. The
// rest is counted in one row.
inline constexpr size_t kMaxMethods = 512;
// Sessions and unanswered requests that are kept to be listed; the rest is counted.
// Labels that get a row of their own, of all methods together: a session of an editor has a few
// hundred files.
inline constexpr size_t kMaxLabels = 1024;
inline constexpr size_t kMaxListedSessions = 32;
inline constexpr size_t kMaxListedUnanswered = 100;

class TallyListener : public TraceListener, private trace::SessionHandler {
 public:
  // `dialect`: null if there is none; outlives it.
  explicit TallyListener(const wire::Dialect* dialect);
  void OnRecord(const trace::Record& record) override;
  void OnSection() override;
  void OnDamage(const trace::Damage& damage) override;

  // The trace has ended. Call once.
  trace::Tally Finish(const ReadOutcome& outcome);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Rows = std::unordered_map<std::string, size_t, Hash, std::equal_to<>>;

  void OnMessage(const trace::RecordedMessage& recorded) override;
  void OnElement(const trace::RecordedMessage& recorded) override;
  void OnJunk(const trace::RecordedJunk& recorded) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;
  void OnSectionEnd(const wire::Exchanges& exchanges) override;

  trace::DirectionTally* TotalsOf(wire::Direction direction);
  size_t RowOf(wire::Direction direction, std::string_view method);
  trace::MethodTally* LabelOf(size_t row, std::string_view label);
  // Calls `add` with the row of a method, and with that of the label if there is one.
  template <typename Add>
  void CountIn(wire::Direction direction, std::string_view method, std::string_view label,
               const Add& add);
  void Count(const trace::RecordedMessage& recorded, const Facts& facts, uint64_t bytes);
  void CollectUnanswered(const wire::Exchanges& exchanges);
  void CountStall(int64_t time_ns, const trace::Event& event, trace::SessionTally* session);
  void EndStall(size_t stream, int64_t ms, trace::SessionTally* session);
  void EndStalls(int64_t time_ns, trace::SessionTally* session);
  trace::SessionTally* ThisSession();

  FactReader facts_;
  Cancellations cancellations_;
  trace::Session session_;
  Rows rows_[2];              // by direction: index into the tally's methods
  std::vector<Rows> labels_;  // by that index: index into the method's labels
  size_t label_count_ = 0;
  trace::Tally tally_;
  trace::SessionTally unlisted_;
  bool in_session_ = false;
  // By Stream: readers that do not read now. ms: so far, when it was recorded.
  struct OpenStall {
    int64_t time_ns = 0, ms = -1;
  };
  std::array<OpenStall, 3> stalls_;
};

}  // namespace midwire::tools
