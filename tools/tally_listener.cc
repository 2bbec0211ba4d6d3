#include "tools/tally_listener.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "view/text/printer.h"

namespace midwire::tools {

using trace::DirectionTally;
using trace::MethodTally;
using trace::RecordedMessage;
using trace::SessionTally;
using wire::Direction;
using wire::Kind;

// Bodies are not read, so no frame is kept.
TallyListener::TallyListener() : session_(this, 0) { tally_.methods.reserve(kMaxMethods); }

DirectionTally* TallyListener::TotalsOf(Direction direction) {
  return &tally_.directions[static_cast<int>(direction)];
}

SessionTally* TallyListener::ThisSession() {
  if (!in_session_) {
    in_session_ = true;
    ++tally_.session_count;
    unlisted_ = SessionTally();
    if (tally_.session_count <= kMaxListedSessions) tally_.sessions.emplace_back();
  }
  return tally_.session_count <= kMaxListedSessions ? &tally_.sessions.back() : &unlisted_;
}

void TallyListener::OnRecord(const trace::Record& record) {
  SessionTally* session = ThisSession();
  if (session->start_ns == 0) session->start_ns = record.time_ns;
  session->last_ns = std::max(session->last_ns, record.time_ns);
  if (record.stream <= trace::Stream::kPluginToHost) {
    tally_.directions[static_cast<int>(record.stream)].bytes +=
        record.head.size() + record.body.size();
  }
  session_.OnRecord(record);
}

void TallyListener::OnSection() {
  session_.OnSection();
  in_session_ = false;
}

void TallyListener::OnDamage(const trace::Damage&) {
  ++tally_.damaged_places;
  session_.OnGap();
}

trace::Tally TallyListener::Finish(const ReadOutcome& outcome) {
  session_.OnEnd();
  CollectUnanswered(session_.exchanges());
  std::sort(tally_.methods.begin(), tally_.methods.end(),
            [](const MethodTally& a, const MethodTally& b) {
              const uint64_t calls_a = a.requests + a.notifications;
              const uint64_t calls_b = b.requests + b.notifications;
              if (calls_a != calls_b) return calls_a > calls_b;
              if (a.method != b.method) return a.method < b.method;
              return a.direction < b.direction;
            });
  tally_.damaged_bytes = outcome.damaged_bytes;
  tally_.torn_bytes = outcome.torn_bytes;
  return std::move(tally_);
}

void TallyListener::OnSectionEnd(const wire::Exchanges& exchanges) { CollectUnanswered(exchanges); }

void TallyListener::CollectUnanswered(const wire::Exchanges& exchanges) {
  for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
    TotalsOf(direction)->unanswered += exchanges.open_count(direction);
    if (tally_.unanswered.size() >= kMaxListedUnanswered) continue;
    for (wire::OpenRequest& request : exchanges.Unanswered(direction)) {
      if (tally_.unanswered.size() >= kMaxListedUnanswered) break;
      tally_.unanswered.push_back({direction, std::move(request)});
    }
  }
}

MethodTally* TallyListener::RowOf(Direction direction, std::string_view method) {
  Rows& rows = rows_[static_cast<int>(direction)];
  const auto found = rows.find(method);
  if (found != rows.end()) return &tally_.methods[found->second];
  if (tally_.methods.size() == kMaxMethods) return &tally_.other_methods;
  rows.emplace(method, tally_.methods.size());
  MethodTally& row = tally_.methods.emplace_back();
  row.method = method;
  row.direction = direction;
  return &row;
}

void TallyListener::Count(const RecordedMessage& recorded, uint64_t bytes) {
  const wire::Message& message = *recorded.message;
  switch (message.kind) {
    case Kind::kRequest: {
      MethodTally* row = RowOf(recorded.direction, message.method);
      ++row->requests;
      row->bytes += bytes;
      return;
    }
    case Kind::kNotification: {
      MethodTally* row = RowOf(recorded.direction, message.method);
      ++row->notifications;
      row->bytes += bytes;
      return;
    }
    case Kind::kResponse:
    case Kind::kError: {
      if (!recorded.request) {
        ++TotalsOf(recorded.direction)->answers_to_nothing;
        return;
      }
      MethodTally* row = RowOf(Opposite(recorded.direction), recorded.request->method);
      ++row->answers;
      row->errors += message.kind == Kind::kError;
      row->answer_bytes += bytes;
      if (const std::optional<int64_t> latency = view::LatencyOf(recorded))
        row->latencies.Add(*latency);
      return;
    }
    case Kind::kBatch:
    case Kind::kInvalid:
      return;
  }
}

void TallyListener::OnMessage(const RecordedMessage& recorded) {
  DirectionTally& totals = *TotalsOf(recorded.direction);
  ++totals.messages;
  ++totals.kinds[static_cast<int>(recorded.message->kind)];
  for (uint32_t bits = recorded.frame->oddities; bits != 0; bits &= bits - 1) {
    ++totals.oddities[std::countr_zero(bits)];
  }
  for (uint32_t bits = recorded.message->flags; bits != 0; bits &= bits - 1) {
    ++totals.flags[std::countr_zero(bits)];
  }
  Count(recorded, recorded.frame->size);
}

void TallyListener::OnElement(const RecordedMessage& recorded) {
  ++TotalsOf(recorded.direction)->batched;
  Count(recorded, 0);
}

void TallyListener::OnJunk(const trace::RecordedJunk& recorded) {
  DirectionTally& totals = *TotalsOf(recorded.direction);
  ++totals.junk;
  totals.junk_bytes += recorded.junk->size;
}

void TallyListener::OnStderr(int64_t, std::string_view bytes) {
  tally_.stderr_bytes += bytes.size();
}

void TallyListener::OnEvent(int64_t, const trace::Event& event) {
  SessionTally* session = ThisSession();
  if (std::holds_alternative<trace::SpawnEvent>(event)) session->spawn = trace::Describe(event);
  if (std::holds_alternative<trace::ExitEvent>(event)) session->exit = trace::Describe(event);
  if (std::holds_alternative<trace::EndEvent>(event)) session->ended = true;
}

}  // namespace midwire::tools
