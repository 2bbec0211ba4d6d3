#include "tools/tally.h"

#include <algorithm>
#include <bit>

#include "tools/printer.h"

namespace midwire::tools {

using trace::SaidMessage;
using wire::Direction;
using wire::Kind;

// Nothing of a body is looked at: no frame is kept.
Tally::Tally() : session_(this, 0) { methods_.reserve(kMaxMethods); }

SessionTally* Tally::ThisSession() {
  if (!in_session_) {
    in_session_ = true;
    ++session_count_;
    unlisted_ = SessionTally();
    if (session_count_ <= kMaxListedSessions) sessions_.emplace_back();
  }
  return session_count_ <= kMaxListedSessions ? &sessions_.back() : &unlisted_;
}

void Tally::OnRecord(const trace::Record& record) {
  SessionTally* session = ThisSession();
  if (session->start_ns == 0) session->start_ns = record.time_ns;
  session->last_ns = std::max(session->last_ns, record.time_ns);
  if (record.stream <= trace::Stream::kPluginToHost) {
    directions_[static_cast<int>(record.stream)].bytes += record.head.size() + record.body.size();
  }
  session_.OnRecord(record);
}

void Tally::OnSection() {
  session_.OnSection();
  in_session_ = false;
}

void Tally::OnDamage(const trace::Damage&) {
  ++damaged_places_;
  session_.OnGap();
}

void Tally::Finish() {
  session_.OnEnd();
  CollectUnanswered(session_.exchanges());
}

void Tally::OnSectionEnd(const wire::Exchanges& exchanges) { CollectUnanswered(exchanges); }

void Tally::CollectUnanswered(const wire::Exchanges& exchanges) {
  for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
    directions_[static_cast<int>(direction)].unanswered += exchanges.open_count(direction);
    if (unanswered_.size() >= kMaxListedUnanswered) continue;
    for (wire::OpenRequest& request : exchanges.Unanswered(direction)) {
      if (unanswered_.size() >= kMaxListedUnanswered) break;
      unanswered_.push_back({direction, std::move(request)});
    }
  }
}

MethodTally* Tally::RowOf(Direction direction, std::string_view method) {
  Rows& rows = rows_[static_cast<int>(direction)];
  const auto found = rows.find(method);
  if (found != rows.end()) return &methods_[found->second];
  if (methods_.size() == kMaxMethods) return &other_;
  rows.emplace(method, methods_.size());
  MethodTally& row = methods_.emplace_back();
  row.method = method;
  row.direction = direction;
  return &row;
}

void Tally::Count(const SaidMessage& said, uint64_t bytes) {
  const wire::Message& message = *said.message;
  switch (message.kind) {
    case Kind::kRequest: {
      MethodTally* row = RowOf(said.direction, message.method);
      ++row->requests;
      row->bytes += bytes;
      return;
    }
    case Kind::kNotification: {
      MethodTally* row = RowOf(said.direction, message.method);
      ++row->notifications;
      row->bytes += bytes;
      return;
    }
    case Kind::kResponse:
    case Kind::kError: {
      if (!said.request) {
        ++directions_[static_cast<int>(said.direction)].answers_to_nothing;
        return;
      }
      MethodTally* row = RowOf(Opposite(said.direction), said.request->method);
      ++row->answers;
      row->errors += message.kind == Kind::kError;
      row->answer_bytes += bytes;
      if (const std::optional<int64_t> latency = LatencyOf(said)) row->latencies.Add(*latency);
      return;
    }
    case Kind::kBatch:
    case Kind::kInvalid:
      return;
  }
}

void Tally::OnMessage(const SaidMessage& said) {
  DirectionTally& totals = directions_[static_cast<int>(said.direction)];
  ++totals.messages;
  ++totals.kinds[static_cast<int>(said.message->kind)];
  for (uint32_t bits = said.frame->oddities; bits != 0; bits &= bits - 1) {
    ++totals.oddities[std::countr_zero(bits)];
  }
  for (uint32_t bits = said.message->flags; bits != 0; bits &= bits - 1) {
    ++totals.flags[std::countr_zero(bits)];
  }
  Count(said, said.frame->size);
}

void Tally::OnElement(const SaidMessage& said) {
  ++directions_[static_cast<int>(said.direction)].batched;
  Count(said, 0);
}

void Tally::OnJunk(const trace::SaidJunk& said) {
  DirectionTally& totals = directions_[static_cast<int>(said.direction)];
  ++totals.junk;
  totals.junk_bytes += said.junk->size;
}

void Tally::OnStderr(int64_t, std::string_view bytes) { stderr_bytes_ += bytes.size(); }

void Tally::OnEvent(int64_t, const trace::Event& event) {
  SessionTally* session = ThisSession();
  if (std::holds_alternative<trace::SpawnEvent>(event)) session->spawn = trace::Describe(event);
  if (std::holds_alternative<trace::ExitEvent>(event)) session->exit = trace::Describe(event);
  if (std::holds_alternative<trace::EndEvent>(event)) session->ended = true;
}

std::vector<const MethodTally*> Tally::Methods() const {
  std::vector<const MethodTally*> sorted;
  for (const MethodTally& row : methods_) sorted.push_back(&row);
  std::sort(sorted.begin(), sorted.end(), [](const MethodTally* a, const MethodTally* b) {
    const uint64_t calls_a = a->requests + a->notifications;
    const uint64_t calls_b = b->requests + b->notifications;
    if (calls_a != calls_b) return calls_a > calls_b;
    if (a->method != b->method) return a->method < b->method;
    return a->direction < b->direction;
  });
  return sorted;
}

}  // namespace midwire::tools
