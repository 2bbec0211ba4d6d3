// Receives what differs in a run, with both messages: for `replay --learn` and --suggest-ignores.
// The matcher calls it for each message of the peer that it matched with a recording of other
// content, and for each notification.
#pragma once

#include <string_view>
#include <vector>

#include "replay/match/compare.h"
#include "replay/script/script.h"

namespace midwire::replay {

struct Variation {
  StepIndex step;
  std::string_view method;          // an answer has its request's
  std::string_view recorded, live;  // the bodies; valid during the call
  // At most kMaxPlaces. Bound values and declared places are no differences.
  const std::vector<ValueDifference>& differences;
};

class Variations {
 public:
  virtual ~Variations() = default;
  virtual void OnVariation(const Variation& variation) = 0;
  // A notification of the peer, before it is matched. Valid during the call.
  virtual void OnNotification(std::string_view /*method*/, std::string_view /*body*/) {}
  // What declarations call an extra message that is no answer. "": its method.
  virtual std::string CallOf(std::string_view /*method*/, std::string_view /*body*/) { return ""; }
};

}  // namespace midwire::replay
