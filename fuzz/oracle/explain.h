// Explains a recorded session to people: for each answer of the peer the rule that decides about
// it, each fault, and where a fault is not reported, why. Called by `midwire fuzz --explain`. Pure.
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

 private:
  void OnSent(std::string_view bytes);
  void OnRule(const wire::Message& answer, const AnswerRule& rule);

  Seeds* seeds_;
  const ProtocolOracleOptions options_;
  const bool probed_;
  Features features_{{}};
  ProtocolOracle oracle_;
  std::string text_;
};

}  // namespace midwire::fuzz
