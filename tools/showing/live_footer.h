// The footer of a timeline that is followed on a terminal: keeps what it shows, draws and erases
// it. Called by Viewer. Its text is made by view/text/call_footer.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tools/reporting/facts.h"
#include "tools/showing/open_calls.h"
#include "trace/session.h"
#include "view/text/style.h"

namespace midwire::tools {

class LiveFooter {
 public:
  explicit LiveFooter(const view::Style& style) : style_(style) {}
  // Whether standard output is a terminal on which the cursor can be moved.
  static bool CanDraw();

  // Each message and each element of a batch. `cancelled`: the number of the request that it
  // cancels; 0: none.
  void OnMessage(const trace::RecordedMessage& recorded, const Facts& facts, uint64_t cancelled,
                 bool element);
  void OnSessionEnd() { calls_.Clear(); }
  // Before anything is printed, and at the end.
  void Erase();
  // Everything so far is printed, up to the end of a line. Called often: draws the footer if it was
  // erased, if it is a second old, or if the terminal has another size.
  void OnPause();

 private:
  struct Size {
    size_t width = 0, rows = 0;
    bool operator==(const Size&) const = default;
  };

  view::Style style_;
  OpenCalls calls_;
  std::array<RateMeter, 2> meters_;  // by direction
  bool drawn_ = false;
  int64_t drawn_ns_ = 0;  // of the monotonic clock
  Size size_;
};

}  // namespace midwire::tools
