// Explains a recorded session to people: each message, and for each answer of the peer the rule
// that decides about it. Describes each fault, and states why a fault is not reported. Knows which
// message is at fault. Called by `midwire fuzz --explain` and `midwire findings`. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle/protocol_oracle.h"

namespace midwire::fuzz {

// The finding of the session. Without a key there is none.
struct ExplainedFinding {
  Oracle oracle = Oracle::kSignal;
  std::string key{};
};

class Explainer {
 public:
  // probed: a probe, which the trace does not have, followed bytes that do not frame, and was
  // answered. Seeds are not owned.
  Explainer(Seeds* seeds, const ProtocolOracleOptions& options, bool probed,
            ExplainedFinding finding = {});

  // The bytes of one record, in the order of the trace. Bytes of seeds->ours were sent.
  void On(wire::Direction direction, std::string_view bytes);
  // The lines so far. Text of the peer is escaped.
  const std::string& text() const { return text_; }
  // Adds those about the end of the session, and below each request those about its answer that is
  // missing.
  void End();
  // Whether one of its messages was reported.
  bool any() const { return any_; }
  // After End: where the message begins that shows the finding, in all that was sent. nullopt: no
  // message does, as with the use of memory, or the session does not show the finding.
  std::optional<size_t> fault_at() const { return fault_at_; }

 private:
  // One record that was sent.
  struct SentRecord {
    size_t at = 0;            // in all that was sent
    size_t text_end = 0;      // of its line
    size_t last_request = 0;  // the place of the last request up to it
  };
  void OnReported(const Finding& finding);
  void OnSent(std::string_view bytes);
  void OnReceived(std::string_view bytes);
  void OnRule(const wire::Message& answer, const AnswerRule& rule);
  std::string Shown(std::string_view bytes) const;
  std::optional<size_t> AtOfRequest(size_t place) const;
  std::optional<size_t> AtOfProcess() const;
  void AddMissing();

  Seeds* seeds_;
  const ProtocolOracleOptions options_;
  const bool probed_;
  const ExplainedFinding finding_;
  Features features_{{}};
  ProtocolOracle oracle_;
  std::string text_;
  std::vector<SentRecord> sent_;
  size_t sent_bytes_ = 0;
  std::optional<size_t> fault_at_;
  bool any_ = false;
};

}  // namespace midwire::fuzz
