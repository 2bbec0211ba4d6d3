// Recognizes a plugin that sends back what the host sent: its stdin is a terminal that echoes, or
// another program than meant is behind the pipe. Called by the checker for each call. Remembers the
// host's latest messages, and no long ones. A plugin that has sent nothing but echoes only sends
// back: all that it sends of the host's is an echo then, and the host's answers to that answer
// nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::check {

class Echoes {
 public:
  // A host sends a few messages before it waits for an answer.
  static constexpr size_t kMaxCalls = 8;
  // Of the first messages of a session, on which an echo is seen first, most are shorter.
  static constexpr size_t kMaxBody = 4096;

  void OnHost(uint64_t number, std::string_view body) {
    if (body.size() > kMaxBody) return;
    Call& call = calls_[next_++ % kMaxCalls];
    call.number = number;
    call.body = body;
  }
  // A message of the plugin: whether it was taken for an echo.
  void OnPlugin(bool echo) { (echo ? seen_ : other_) = true; }
  // The plugin has sent something, and all of it came back from the host.
  bool only() const { return seen_ && !other_; }
  bool seen() const { return seen_; }
  bool other() const { return other_; }
  // The number of the host's message with this text; 0: none.
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
  bool seen_ = false, other_ = false;
};

}  // namespace midwire::check
