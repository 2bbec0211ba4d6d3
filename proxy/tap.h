// A tap sees what passes the driver: every byte before it goes on (P2), and every event. The
// recorder is one. A tap never changes what is passed on, and its failures never reach the session.
#pragma once

#include <cstdint>
#include <string_view>

#include "proxy/machine.h"
#include "trace/event.h"

namespace midwire::proxy {

class Tap {
 public:
  virtual ~Tap() = default;
  virtual void OnBytes(Stream stream, std::string_view bytes) = 0;
  virtual void OnEvent(const trace::Event& event) = 0;
  // Called when the monotonic clock has reached Deadline().
  virtual void OnTime() {}
  virtual int64_t Deadline() const { return kNever; }
};

}  // namespace midwire::proxy
