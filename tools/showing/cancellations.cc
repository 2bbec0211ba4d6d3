#include "tools/showing/cancellations.h"

namespace midwire::tools {

using trace::RecordedMessage;
using wire::Kind;

Cancellations::Cancellations(bool any) : any_(any) {}

uint64_t Cancellations::OnMessage(const RecordedMessage& recorded, const Facts& facts) {
  if (!any_) return 0;
  const int direction = static_cast<int>(recorded.direction);
  uint64_t cancelled = 0;
  if (!facts.cancels.empty()) {
    const auto known = open_[direction].find(std::string(facts.cancels));
    if (known != open_[direction].end()) {
      known->second.front().cancelled = true;
      cancelled = known->second.front().number;
    }
  }
  const Kind kind = recorded.message->kind;
  if (kind == Kind::kRequest && count_ < wire::kMaxOpenRequests) {
    open_[direction][recorded.message->id.token].Push(
        {recorded.number, false, recorded.message->method, std::string(facts.label)});
    ++count_;
  }
  if (!recorded.message->IsAnswer() || !recorded.request) return cancelled;
  Side& side = open_[1 - direction];
  const auto known = side.find(recorded.request->id);
  if (known == side.end()) return cancelled;
  OldestFirst<Call>& calls = known->second;
  if (calls.front().number != recorded.request->number) return cancelled;
  calls.PopFront();
  --count_;
  if (calls.empty()) side.erase(known);
  return cancelled;
}

bool Cancellations::Has(wire::Direction direction, const wire::OpenRequest& request) const {
  const Side& side = open_[static_cast<int>(direction)];
  const auto known = side.find(request.id);
  if (known == side.end()) return false;
  // Only the oldest of an id is ever cancelled.
  const Call& oldest = known->second.front();
  return oldest.number == request.number && oldest.cancelled;
}

void Cancellations::OnSessionEnd() {
  open_ = {};
  count_ = 0;
}

}  // namespace midwire::tools
