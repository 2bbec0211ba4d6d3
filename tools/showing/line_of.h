// What a filter tests of the rows of a timeline. Called by Viewer. Pure.
#pragma once

#include "tools/reporting/facts.h"
#include "trace/filter.h"
#include "trace/session.h"
#include "view/text/printer.h"

namespace midwire::tools {

// The line refers to the message. `element`: of a batch; its size and text are the batch's.
trace::Line LineOf(const trace::RecordedMessage& recorded, const Facts& facts, view::At at,
                   bool element);
trace::Line LineOf(const trace::RecordedJunk& recorded, view::At at);

}  // namespace midwire::tools
