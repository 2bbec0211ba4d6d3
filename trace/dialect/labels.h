// What a dialect says of single messages beside their methods. That is the label of a call
// ("read_file" of tools/call), and whether an answer is a failure that is no error of JSON-RPC.
// Called by show and stats. Pure; remembers the labels of open requests, up to a limit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "trace/dialect/negotiated.h"
#include "wire/dialect/dialect.h"

namespace midwire::trace {

class Labels {
 public:
  struct Of {
    std::string_view label;  // of a call, or of the call that is answered; "": none. Until the next
    bool failed = false;     // of an answer: a failure of the dialect, and no error of JSON-RPC
  };

  // `dialect` outlives it.
  explicit Labels(const wire::Dialect* dialect) : dialect_(dialect) {}
  // Whether there is anything to find.
  bool any() const { return !dialect_->labels.empty() || !dialect_->failures.empty(); }
  // Whether OnMessage looks into the body of such a message; without it, it needs none.
  bool Reads(wire::Kind kind, std::string_view method) const;
  Of OnMessage(wire::Direction direction, const NegotiationInput& in);
  void OnSessionEnd() { open_.clear(), bytes_ = 0; }

 private:
  bool Failed(const NegotiationInput& in) const;

  const wire::Dialect* dialect_;
  // By party, number and id of the request: elements of a batch share a number.
  std::unordered_map<std::string, std::string> open_;
  size_t bytes_ = 0;
  std::string label_;
};

// A longer label is cut: it names a call for people.
inline constexpr size_t kMaxLabel = 512;

}  // namespace midwire::trace
