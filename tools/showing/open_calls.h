// Which calls of a session are open now, and the rates of messages: what the footer of show -f is
// made of. Called by LiveFooter. Pure: the time is an argument.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "trace/session.h"
#include "view/text/call_footer.h"

namespace midwire::tools {

class OpenCalls {
 public:
  // A request.
  void Open(const trace::RecordedMessage& recorded, std::string_view label);
  // It was answered or cancelled. Elements of a batch share a number, but not an id.
  void Close(uint64_t number, std::string_view id);
  void Clear();

  uint64_t count() const { return calls_.size() + beyond_; }
  std::vector<view::FooterCall> Oldest(size_t most) const;

 private:
  std::map<std::pair<uint64_t, std::string>, view::FooterCall> calls_;
  uint64_t beyond_ = 0;  // further ones, which are only counted
};

// Messages and bytes per second of one direction, over the last few seconds.
class RateMeter {
 public:
  void Add(int64_t unix_ns, uint64_t bytes);
  view::FooterRate At(int64_t now_ns) const;

 private:
  // Short enough that a rate is of now, long enough that it can be read.
  static constexpr int64_t kSeconds = 5;
  struct Slot {
    int64_t second = -1;
    uint64_t messages = 0, bytes = 0;
  };
  std::array<Slot, kSeconds> slots_;  // by second
  int64_t first_ns_ = 0;
};

}  // namespace midwire::tools
