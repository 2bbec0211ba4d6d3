#include "tools/showing/passed_calls.h"

#include <string_view>
#include <utility>
#include <vector>

#include "wire/decoder.h"
#include "wire/message.h"

namespace midwire::tools {
namespace {

using trace::RecordedMessage;
using wire::Direction;
using wire::Kind;

// Fewer than have labels in trace/dialect/labels.cc, where what is beyond has none.
constexpr size_t kMaxBodies = 2000;
// Requests with labels have some KiB; more than a few of those with a file in them are rare.
constexpr size_t kMaxBodyBytes = 16u << 20;

constexpr Direction kBoth[] = {Direction::kHostToPlugin, Direction::kPluginToHost};

}  // namespace

bool PassedCalls::OnMessage(const RecordedMessage& recorded, const wire::Exchanges& exchanges,
                            bool element) {
  if (recorded.request && !bodies_.empty()) {
    if (const auto known = bodies_.find(recorded.request->number); known != bodies_.end()) {
      bytes_ -= known->second.size();
      spare_ = bodies_.extract(known);
    }
  }
  const wire::Message& message = *recorded.message;
  if (message.kind != Kind::kRequest) return true;
  // Beyond it, whether an open request is known to Cancellations depends on when it was sent.
  if (exchanges.open_count(kBoth[0]) + exchanges.open_count(kBoth[1]) >= wire::kMaxOpenRequests) {
    return false;
  }
  if (!labels_ || !labels_->Reads(Kind::kRequest, message.method)) return true;
  // The elements of a batch share a number, and their bodies are in it.
  if (element) return false;
  const wire::Frame& frame = *recorded.frame;
  if (!frame.whole()) return true;
  const std::string_view body = frame.body();
  if (bodies_.size() >= kMaxBodies || bytes_ + body.size() > kMaxBodyBytes) return false;
  bytes_ += body.size();
  if (spare_) {
    spare_.key() = recorded.number;
    spare_.mapped() = body;
    bodies_.insert(std::move(spare_));
  } else {
    bodies_.emplace(recorded.number, body);
  }
  return true;
}

void PassedCalls::OnSessionEnd() {
  bodies_.clear();
  bytes_ = 0;
}

bool PassedCalls::HandOver(const wire::Exchanges& exchanges, FactReader* facts,
                           Cancellations* cancellations) {
  for (const Direction direction : kBoth) {
    const std::vector<wire::OpenRequest> requests = exchanges.Unanswered(direction);
    if (requests.size() != exchanges.open_count(direction)) return false;
    for (const wire::OpenRequest& open : requests) {
      const auto known = bodies_.find(open.number);
      wire::Frame frame;
      if (known != bodies_.end()) frame.bytes = known->second;
      frame.size = frame.body_size = frame.bytes.size();
      wire::Message message;
      message.kind = Kind::kRequest;
      message.method = open.method;
      message.id.token = open.id;
      RecordedMessage recorded;
      recorded.number = open.number;
      recorded.direction = direction;
      recorded.time_ns = open.time_ns;
      recorded.frame = &frame;
      recorded.message = &message;
      cancellations->OnMessage(recorded, facts->OnMessage(recorded));
    }
  }
  OnSessionEnd();
  return true;
}

}  // namespace midwire::tools
