// What a filter tests of the rows of a timeline. Called by Viewer. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/reporting/facts.h"
#include "trace/filter.h"
#include "trace/session.h"
#include "view/text/printer.h"
#include "wire/message.h"

namespace midwire::tools {

// The line refers to the message. `element`: of a batch; its size and text are the batch's.
trace::Line LineOf(const trace::RecordedMessage& recorded, const Facts& facts, view::At at,
                   bool element);
trace::Line LineOf(const trace::RecordedJunk& recorded, view::At at);

// The line of a request that a filter tests once its answer is known: a copy of what it tests.
class KeptLine {
 public:
  // `text`: whether the filter tests it.
  KeptLine(const trace::Line& line, bool text)
      : line_(line),
        method_(line.method.value_or("")),
        label_(line.label.value_or("")),
        text_(text ? line.text : std::string_view()) {
    if (line.id != nullptr) id_ = *line.id;
  }

  // How the call went is added to the line.
  bool Matches(const trace::Filter& filter, std::optional<int64_t> latency_ns,
               std::optional<int64_t> open_ns, bool unanswered) const {
    trace::Line line = line_;
    if (line.method) line.method = method_;
    if (line.label) line.label = label_;
    if (line.id != nullptr) line.id = &id_;
    line.text = text_;
    line.latency_ns = latency_ns;
    line.open_ns = open_ns;
    line.unanswered = unanswered;
    return filter.Matches(line);
  }

 private:
  const trace::Line line_;
  const std::string method_, label_, text_;
  wire::Id id_;
};

}  // namespace midwire::tools
