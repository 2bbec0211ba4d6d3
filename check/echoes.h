// Recognizes a plugin that sends back what the host sent: its stdin is a terminal that echoes, or
// another program than meant is behind the pipe. Called by the checker for each call. Remembers the
// host's latest calls, and no long ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::check {

class Echoes {
 public:
  // A host sends a few calls before it waits for an answer.
  static constexpr size_t kMaxCalls = 8;
  // Of the first messages of a session, on which an echo is seen first, most are shorter.
  static constexpr size_t kMaxBody = 4096;

  void OnHostCall(uint64_t number, std::string_view body) {
    if (body.size() > kMaxBody) return;
    Call& call = calls_[next_++ % kMaxCalls];
    call.number = number;
    call.body = body;
  }
  // The number of the host's call with this text; 0: none.
  uint64_t Find(std::string_view body) const {
    for (const Call& call : calls_) {
      if (call.number != 0 && call.body == body) return call.number;
    }
    return 0;
  }
  void Clear() { *this = Echoes(); }

 private:
  struct Call {
    uint64_t number = 0;
    std::string body;
  };
  std::array<Call, kMaxCalls> calls_;
  size_t next_ = 0;
};

}  // namespace midwire::check
