// Explains a recorded session to people: each message, and for each answer of the peer the rule
// that decides about it. Describes each fault, and states why a fault is not reported. Called by
// `midwire fuzz --explain`. Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "fuzz/oracle/protocol_oracle.h"

namespace midwire::fuzz {

class Explainer {
 public:
  // probed: a probe, which the trace does not have, followed bytes that do not frame, and was
  // answered. Seeds are not owned.
  Explainer(Seeds* seeds, const ProtocolOracleOptions& options, bool probed);

  // The bytes of one record, in the order of the trace. Bytes of seeds->ours were sent.
  void On(wire::Direction direction, std::string_view bytes);
  // The lines for the records since the last call. Text of the peer is escaped.
  std::string Take() { return std::exchange(text_, {}); }
  // The lines about the end of the session.
  std::string End();
  // Whether one of its messages was reported.
  bool any() const { return any_; }

 private:
  void OnSent(std::string_view bytes);
  void OnReceived(std::string_view bytes);
  void OnRule(const wire::Message& answer, const AnswerRule& rule);
  std::string Shown(std::string_view bytes) const;

  Seeds* seeds_;
  const ProtocolOracleOptions options_;
  const bool probed_;
  Features features_{{}};
  ProtocolOracle oracle_;
  std::string text_;
  bool any_ = false;
};

}  // namespace midwire::fuzz
