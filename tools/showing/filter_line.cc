#include "tools/showing/filter_line.h"

namespace midwire::tools {

trace::Line LineOf(const trace::RecordedMessage& recorded, const Facts& facts, view::At at,
                   bool element) {
  const wire::Message& message = *recorded.message;
  trace::Line line;
  line.kind = wire::Name(message.kind);
  line.direction = recorded.direction;
  if (const std::string_view method = view::MethodOf(recorded); !method.empty())
    line.method = method;
  if (!facts.label.empty()) line.label = facts.label;
  line.failed = facts.failed;
  line.id = &message.id;
  line.number = recorded.number;
  line.latency_ns = view::LatencyOf(recorded);
  line.at_ns = at;
  line.error_code = message.error_code;
  if (message.kind == wire::Kind::kError) line.error = message.error_message;
  if (element) return line;
  line.size = recorded.frame->size;
  line.text = recorded.frame->body();
  return line;
}

trace::Line LineOf(const trace::RecordedJunk& recorded, view::At at) {
  trace::Line line;
  line.kind = "junk";
  line.direction = recorded.direction;
  line.size = recorded.junk->size;
  line.at_ns = at;
  line.text = recorded.junk->bytes;
  return line;
}

}  // namespace midwire::tools
