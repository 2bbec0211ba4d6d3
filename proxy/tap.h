// A tap gets everything that passes the driver: each byte before it is passed on (P2), and each
// event. Called by the driver; implemented by the recorder. It never changes what is passed on, and
// its failures never affect the session.
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
