#include "fuzz/chaos/chaos.h"

#include <algorithm>
#include <utility>

namespace midwire::fuzz {

using wire::Direction;

Chaos::Chaos(ChaosOptions options, const trace::Filter* filter)
    : options_(std::move(options)), filter_(filter) {
  for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
    side(direction).decoder.emplace(options_.framing, kMaxFaulted);
    side(direction).next = PlanOf(direction, 1);
  }
}

Chaos::Plan Chaos::PlanOf(Direction direction, uint64_t number) const {
  // Mixed twice, because adjacent seeds of SplitMix64 share their sequences.
  const uint64_t of_seed = Random(options_.seed).Next();
  const uint64_t of_number =
      Random(of_seed ^ (number * 2 + (direction == Direction::kPluginToHost))).Next();
  Plan plan = {.random = Random(of_number ^ of_seed)};
  const double chance = static_cast<double>(plan.random.Next() >> 11) * 0x1p-53;
  if (chance < options_.rate && !options_.faults.empty()) {
    plan.fault = plan.random.Pick(options_.faults);
  }
  return plan;
}

size_t Chaos::kept(Direction direction) const {
  return side(direction).kept.size() + side(direction).waiting.size();
}

void Chaos::Feed(Direction direction, std::string_view bytes, ChaosHandler* handler) {
  Side& from = side(direction);
  if (from.closed) return;
  current_ = direction;
  handler_ = handler;
  std::string kept;
  if (!from.kept.empty()) {
    kept = std::move(from.kept);
    kept += bytes;
    from.kept.clear();
  }
  all_ = kept.empty() ? bytes : std::string_view(kept);
  sent_ = to_pass_ = 0;
  from.decoder->Feed(bytes, this);
  const bool untouched = sent_ + to_pass_ == 0 && !kept.empty();
  if (untouched && Keeps(kept.size())) {
    from.kept = std::move(kept);  // the usual case of a long message: nothing is copied again
  } else if (!from.closed) {
    KeepRest();
  }
}

// Whether the frame that is being read must be kept until it is complete.
bool Chaos::Keeps(size_t size) const {
  const Side& from = side(current_);
  const bool planned = from.next.fault && from.passed == 0;
  return (planned || from.waiting_number != 0) && size <= kMaxFaulted;
}

void Chaos::KeepRest() {
  Side& from = side(current_);
  const size_t rest = all_.size() - sent_ - to_pass_;
  if (Keeps(rest)) {
    Flush();
    from.kept.assign(all_.substr(sent_));
    return;
  }
  if (rest > 0) SendWaiting();
  to_pass_ += rest;
  from.passed += rest;
  Flush();
}

void Chaos::Finish(Direction direction, ChaosHandler* handler) {
  Side& from = side(direction);
  if (from.closed) return;
  current_ = direction;
  handler_ = handler;
  const std::string kept = std::move(from.kept);
  from.kept.clear();
  all_ = kept;
  sent_ = to_pass_ = 0;
  from.decoder->Finish(this);
  if (from.closed) return;
  to_pass_ = all_.size() - sent_;
  Flush();
  SendWaiting();
}

void Chaos::Release(Direction direction, ChaosHandler* handler) {
  current_ = direction;
  handler_ = handler;
  all_ = {};
  sent_ = to_pass_ = 0;
  SendWaiting();
}

// How many bytes of the frame or junk that has just ended were sent already. Others that were
// sent belong to the next one.
uint64_t Chaos::TakePassed(uint64_t size) {
  Side& from = side(current_);
  const uint64_t passed = std::min(from.passed, size);
  from.passed -= passed;
  return passed;
}

void Chaos::Pass(size_t size) { to_pass_ += size; }

void Chaos::Flush() {
  if (to_pass_ > 0) handler_->Send(current_, all_.substr(sent_, to_pass_), 0);
  sent_ += to_pass_;
  to_pass_ = 0;
}

// Sends the waiting message, and before it all that is to pass.
void Chaos::SendWaiting() {
  Side& from = side(current_);
  if (from.waiting_number == 0) return;
  Flush();
  handler_->Send(current_, from.waiting, 0);
  from.waiting.clear();
  from.waiting_number = 0;
}

void Chaos::OnJunk(const wire::Junk& junk) {
  Side& from = side(current_);
  if (from.closed) return;
  Pass(junk.size - TakePassed(junk.size));
}

std::optional<std::string> Chaos::Method(const wire::Message& message) {
  const auto pair = [this](const wire::Message& each) -> std::optional<wire::OpenRequest> {
    if (each.IsAnswer()) return exchanges_.Close(current_, each);
    if (each.kind == wire::Kind::kRequest) exchanges_.Open(current_, each, messages_, 0);
    return std::nullopt;
  };
  for (const wire::Message& element : message.elements) pair(element);
  if (const auto request = pair(message)) return request->method;
  if (message.method.empty()) return std::nullopt;
  return message.method;
}

bool Chaos::Selects(const wire::Frame& frame, const wire::Message& message,
                    const std::optional<std::string>& method) const {
  if (!filter_) return true;
  trace::Line line = {.kind = wire::Name(message.kind),
                      .direction = current_,
                      .id = &message.id,
                      .number = side(current_).number,
                      .size = frame.size,
                      .error_code = message.error_code,
                      .text = frame.body()};
  if (method) line.method = *method;
  if (message.kind == wire::Kind::kError) line.error = message.error_message;
  return filter_->Matches(line);
}

void Chaos::OnFrame(const wire::Frame& frame, const wire::Message& message) {
  Side& from = side(current_);
  if (from.closed) return;
  ++messages_;
  ++from.number;
  Plan plan = std::exchange(from.next, PlanOf(current_, from.number + 1));
  const auto method = Method(message);
  const uint64_t passed = TakePassed(frame.size);
  const size_t size = frame.size - passed;
  const bool overlapped = std::exchange(from.overlapped, (frame.oddities & wire::kLongLength) != 0);
  if (frame.size > kMaxFaulted || passed > 0 || overlapped) {
    SendWaiting();
    return Pass(size);
  }
  if (plan.fault && Selects(frame, message, method)) {
    Flush();
    if (Inject(*plan.fault, frame, &plan.random)) {
      sent_ += size;
      return;
    }
  }
  if (from.waiting_number == 0) return Pass(size);
  Flush();
  SendPieces({{std::string(frame.bytes)}});
  sent_ += size;
}

// False: the fault cannot be applied to this message.
bool Chaos::Inject(Fault fault, const wire::Frame& frame, Random* random) {
  Side& from = side(current_);
  trace::ChaosEvent event = {.fault = std::string(Name(fault)),
                             .direction = std::string(wire::Name(current_)),
                             .number = static_cast<int64_t>(from.number),
                             .message = static_cast<int64_t>(messages_)};
  std::vector<Piece> pieces;
  if (fault == Fault::kKill && count(fault) > 0) return false;  // it was killed already
  if (!Pieces(fault, frame, random, &event, &pieces)) return false;
  ++counts_[static_cast<size_t>(fault)];
  handler_->OnFault(event);
  switch (fault) {
    case Fault::kReorder:
    case Fault::kCoalesce:
      SendWaiting();
      from.waiting = frame.bytes;
      from.waiting_number = from.number;
      from.joined = fault == Fault::kCoalesce;
      break;
    case Fault::kClose:
      SendWaiting();
      from.closed = true;
      handler_->Close(current_);
      break;
    case Fault::kKill:
      SendWaiting();
      handler_->Kill(current_);
      break;
    default:
      SendPieces(pieces);
  }
  return true;
}

// Sends this message, and one that has waited for it.
void Chaos::SendPieces(const std::vector<Piece>& pieces) {
  Side& from = side(current_);
  if (from.waiting_number != 0 && from.joined && !pieces.empty()) {
    from.waiting += pieces.front().bytes;
    handler_->Send(current_, from.waiting, pieces.front().pause_ms);
    from.waiting.clear();
    from.waiting_number = 0;
  } else if (!pieces.empty()) {
    handler_->Send(current_, pieces.front().bytes, pieces.front().pause_ms);
  }
  for (size_t i = 1; i < pieces.size(); ++i) {
    handler_->Send(current_, pieces[i].bytes, pieces[i].pause_ms);
  }
  SendWaiting();
}

}  // namespace midwire::fuzz
