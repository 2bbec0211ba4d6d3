// Counts what stats reports: per method, per direction, per session. Fed by ReadTrace; memory is
// bounded by the caps below whatever a peer sends. Formats nothing (stats_report.h does).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/latencies.h"
#include "tools/read_trace.h"
#include "trace/session.h"

namespace midwire::tools {

// Methods that get a row of their own, both directions together; real protocols have under 200. The
// rest is counted in one row.
inline constexpr size_t kMaxMethods = 512;
// Sessions and unanswered requests that are kept to be listed; the rest is counted.
inline constexpr size_t kMaxListedSessions = 32;
inline constexpr size_t kMaxListedUnanswered = 100;

inline constexpr int kKinds = 6;        // wire::Kind
inline constexpr int kOddityBits = 17;  // wire::Oddity
inline constexpr int kFlagBits = 16;    // wire::MessageFlag

// One method in the direction in which it is called. Answers count with their requests.
struct MethodTally {
  std::string method;
  wire::Direction direction = wire::Direction::kHostToPlugin;
  uint64_t requests = 0, notifications = 0, answers = 0, errors = 0;
  uint64_t bytes = 0, answer_bytes = 0;  // whole frames; messages in a batch have none of their own
  Latencies latencies;
};

struct DirectionTally {
  uint64_t bytes = 0;
  uint64_t messages = 0;  // frames
  uint64_t batched = 0;   // messages in batches
  uint64_t junk = 0, junk_bytes = 0;
  uint64_t answers_to_nothing = 0;
  uint64_t unanswered = 0;  // requests of this direction
  std::array<uint64_t, kKinds> kinds = {};
  std::array<uint64_t, kOddityBits> oddities = {};
  std::array<uint64_t, kFlagBits> flags = {};
};

struct SessionTally {
  std::string spawn, exit;  // as trace::Describe says; "" when there was no such event
  int64_t start_ns = 0, last_ns = 0;
  bool ended = false;
};

struct UnansweredRequest {
  wire::Direction direction;
  wire::OpenRequest request;
};

class Tally : public TraceListener, private trace::SessionHandler {
 public:
  Tally();
  void OnRecord(const trace::Record& record) override;
  void OnSection() override;
  void OnDamage(const trace::Damage& damage) override;
  void Finish();  // the trace is over

  // Busiest first; the same trace gives the same order.
  std::vector<const MethodTally*> Methods() const;
  const MethodTally& other_methods() const { return other_; }  // beyond kMaxMethods
  const DirectionTally& direction(wire::Direction d) const {
    return directions_[static_cast<int>(d)];
  }
  const std::vector<SessionTally>& sessions() const { return sessions_; }
  uint64_t session_count() const { return session_count_; }
  const std::vector<UnansweredRequest>& unanswered() const { return unanswered_; }
  uint64_t stderr_bytes() const { return stderr_bytes_; }
  uint64_t damaged_places() const { return damaged_places_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Rows = std::unordered_map<std::string, size_t, Hash, std::equal_to<>>;

  void OnMessage(const trace::SaidMessage& said) override;
  void OnElement(const trace::SaidMessage& said) override;
  void OnJunk(const trace::SaidJunk& said) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;
  void OnSectionEnd(const wire::Exchanges& exchanges) override;

  MethodTally* RowOf(wire::Direction direction, std::string_view method);
  void Count(const trace::SaidMessage& said, uint64_t bytes);
  void CollectUnanswered(const wire::Exchanges& exchanges);
  SessionTally* ThisSession();

  trace::Session session_;
  Rows rows_[2];  // by direction: index into methods_
  std::vector<MethodTally> methods_;
  MethodTally other_;
  DirectionTally directions_[2];
  std::vector<SessionTally> sessions_;
  SessionTally unlisted_;
  uint64_t session_count_ = 0;
  bool in_session_ = false;
  std::vector<UnansweredRequest> unanswered_;
  uint64_t stderr_bytes_ = 0, damaged_places_ = 0;
};

}  // namespace midwire::tools
