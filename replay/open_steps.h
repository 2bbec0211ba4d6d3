// Pairs answers with requests while a trace is compiled: by the exact id, the oldest first. Does
// what wire::Exchanges does for a view of a session, without what the steps of a script have
// already: methods, numbers and times.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "replay/script/script.h"

namespace midwire::replay {

// The open requests of one direction, with the limits of wire/exchange.h.
class OpenSteps {
 public:
  void Open(const std::string& id, const std::string& method, StepIndex step);
  // The request that an answer with this id answers, which is open no longer; kNoStep: there is
  // none.
  StepIndex Close(const std::string& id);

 private:
  struct Request {
    StepIndex step = kNoStep;
    uint32_t cost = 0;  // towards wire::kMaxOpenBytes
  };
  struct Same {
    std::vector<Request> requests;  // from `next` on
    size_t next = 0;
  };
  StepIndex Take(const Request& request);

  // The request that came last is not in the table: mostly it is the one that is answered next.
  std::string latest_id_;
  Request latest_;  // step: kNoStep if it was answered
  std::unordered_map<std::string, Same> others_;
  size_t held_ = 0, bytes_ = 0;
};

}  // namespace midwire::replay
