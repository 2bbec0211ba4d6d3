// The line on what a session agreed on, in a timeline that is followed: the parties may agree only
// while it is shown. It comes behind the message with which they do; if another one comes before,
// the line says what is known then, and comes again. Called by Viewer.
#pragma once

#include <utility>

#include "tools/choose_dialect.h"
#include "trace/report/session_head.h"
#include "trace/session.h"
#include "view/text/printer.h"

namespace midwire::tools {

class LateHead {
 public:
  // `dialect` outlives it. `head`: what is known before.
  LateHead(const wire::Dialect* dialect, trace::SessionHead head)
      : agreement_(dialect), head_(std::move(head)) {}

  // Before and after the row of each message.
  void Before(const trace::RecordedMessage& recorded, view::Printer* printer) {
    if (done_) return;
    const bool offered = agreement_.offered();
    agreement_.OnMessage(recorded);
    agreement_.Fill(&head_);
    const bool offers = !offered && agreement_.offered();
    if (!agreement_.agreed() && !offers) Print(printer);
  }
  void After(view::Printer* printer) {
    if (done_ || !agreement_.agreed()) return;
    printed_ = false;
    Print(printer);
    done_ = true;
  }
  // The session ends.
  void AtEnd(view::Printer* printer) {
    if (!done_) Print(printer);
    done_ = true;
  }

 private:
  void Print(view::Printer* printer) {
    if (!printed_) printer->Head(head_);
    printed_ = true;
  }

  Agreement agreement_;
  trace::SessionHead head_;
  bool printed_ = false;
  bool done_ = false;  // nothing can change any more
};

}  // namespace midwire::tools
