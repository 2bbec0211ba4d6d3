#include "tools/showing/tally_listener.h"

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

// Frames are kept only for what the dialect reads in them.
TallyListener::TallyListener(const wire::Dialect* dialect)
    : facts_(dialect),
      cancellations_(facts_.knows_cancels()),
      session_(this, facts_.needs_bodies() ? wire::kKeepBytes : 0) {
  if (dialect != nullptr) session_.Expect(dialect->framing);
}

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
  if (in_session_) EndStalls(0, ThisSession());
  session_.OnSection();
  facts_.OnSessionEnd();
  cancellations_.OnSessionEnd();
  in_session_ = false;
}

void TallyListener::OnDamage(const trace::Damage&) {
  ++tally_.damaged_places;
  session_.OnGap();
}

trace::Tally TallyListener::Finish(const ReadOutcome& outcome) {
  session_.OnEnd();
  if (in_session_) EndStalls(0, ThisSession());
  CollectUnanswered(session_.exchanges());
  std::sort(tally_.unanswered.begin(), tally_.unanswered.end(),
            [](const trace::UnansweredRequest& a, const trace::UnansweredRequest& b) {
              return a.request.number < b.request.number;
            });
  tally_.damaged_bytes = outcome.damaged_bytes;
  tally_.torn_bytes = outcome.torn_bytes;
  return std::move(tally_);
}

void TallyListener::OnSectionEnd(const wire::Exchanges& exchanges) { CollectUnanswered(exchanges); }

void TallyListener::CollectUnanswered(const wire::Exchanges& exchanges) {
  cancellations_.EachCancelled([this](Direction direction, const Cancellations::Call& call) {
    DirectionTally* totals = TotalsOf(direction);
    ++totals->cancelled;
    --totals->unanswered;
    CountIn(direction, call.method, call.label, [](MethodTally* row) { ++row->cancelled; });
  });
  for (const Direction direction : {Direction::kHostToPlugin, Direction::kPluginToHost}) {
    TotalsOf(direction)->unanswered += exchanges.open_count(direction);
    if (tally_.unanswered.size() >= kMaxListedUnanswered) continue;
    for (wire::OpenRequest& request : exchanges.Unanswered(direction)) {
      if (tally_.unanswered.size() >= kMaxListedUnanswered) break;
      if (cancellations_.Has(direction, request)) continue;
      tally_.unanswered.push_back({direction, std::move(request)});
    }
  }
}

// kMaxMethods: there is no row left.
size_t TallyListener::RowOf(Direction direction, std::string_view method) {
  Rows& rows = rows_[static_cast<int>(direction)];
  const auto found = rows.find(method);
  if (found != rows.end()) return found->second;
  const size_t row = tally_.methods.size();
  if (row == kMaxMethods) return row;
  rows.emplace(method, row);
  labels_.emplace_back();
  MethodTally& tally = tally_.methods.emplace_back();
  tally.method = method;
  tally.direction = direction;
  return row;
}

// null: there is no row left.
MethodTally* TallyListener::LabelOf(size_t row, std::string_view label) {
  std::vector<MethodTally>& rows = tally_.methods[row].labels;
  const auto found = labels_[row].find(label);
  if (found != labels_[row].end()) return &rows[found->second];
  if (label_count_ == kMaxLabels) return nullptr;
  ++label_count_;
  labels_[row].emplace(label, rows.size());
  MethodTally& tally = rows.emplace_back();
  tally.label = label;
  tally.direction = tally_.methods[row].direction;
  return &tally;
}

template <typename Add>
void TallyListener::CountIn(Direction direction, std::string_view method, std::string_view label,
                            const Add& add) {
  const size_t row = RowOf(direction, method);
  if (row == kMaxMethods) return add(&tally_.other_methods);
  add(&tally_.methods[row]);
  if (label.empty()) return;
  if (MethodTally* of_label = LabelOf(row, label)) add(of_label);
}

void TallyListener::Count(const RecordedMessage& recorded, const Facts& facts, uint64_t bytes) {
  const wire::Message& message = *recorded.message;
  const std::string_view method = view::MethodOf(recorded);
  switch (message.kind) {
    case Kind::kRequest:
      return CountIn(recorded.direction, method, facts.label, [&](MethodTally* row) {
        ++row->requests;
        row->bytes += bytes;
      });
    case Kind::kNotification:
      return CountIn(recorded.direction, method, facts.label, [&](MethodTally* row) {
        ++row->notifications;
        row->bytes += bytes;
      });
    case Kind::kResponse:
    case Kind::kError: {
      DirectionTally* totals = TotalsOf(recorded.direction);
      const bool error = message.kind == Kind::kError;
      totals->failed += facts.failed;
      if (!recorded.request) {
        ++totals->answers_to_nothing;
        return;
      }
      const std::optional<int64_t> latency = view::LatencyOf(recorded);
      return CountIn(Opposite(recorded.direction), recorded.request->method, facts.label,
                     [&](MethodTally* row) {
                       ++row->answers;
                       row->errors += error;
                       row->failed += facts.failed;
                       row->answer_bytes += bytes;
                       if (latency) row->latencies.Add(*latency);
                     });
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
  const Facts facts = facts_.OnMessage(recorded);
  cancellations_.OnMessage(recorded, facts);
  Count(recorded, facts, recorded.frame->size);
}

void TallyListener::OnElement(const RecordedMessage& recorded) {
  ++TotalsOf(recorded.direction)->batched;
  const Facts facts = facts_.OnElement(recorded);
  cancellations_.OnMessage(recorded, facts);
  Count(recorded, facts, 0);
}

void TallyListener::OnJunk(const trace::RecordedJunk& recorded) {
  DirectionTally& totals = *TotalsOf(recorded.direction);
  ++totals.junk;
  totals.junk_bytes += recorded.junk->size;
}

void TallyListener::OnStderr(int64_t, std::string_view bytes) {
  tally_.stderr_bytes += bytes.size();
}

void TallyListener::EndStall(size_t stream, int64_t ms, SessionTally* session) {
  if (stalls_[stream].ms < 0) return;
  ++session->stalls[stream].count;
  session->stalls[stream].ms += ms;
  stalls_[stream] = {};
}

// None of them reads again. 0: the time is not known.
void TallyListener::EndStalls(int64_t time_ns, SessionTally* session) {
  for (size_t i = 0; i < stalls_.size(); ++i) {
    const int64_t since =
        time_ns == 0 || stalls_[i].time_ns == 0 ? 0 : time_ns - stalls_[i].time_ns;
    EndStall(i, stalls_[i].ms + since / 1'000'000, session);
  }
}

void TallyListener::CountStall(int64_t time_ns, const trace::Event& event, SessionTally* session) {
  const auto stream_of = [](const std::string& name) {
    size_t stream = 0;
    while (stream < 2 && name != trace::Name(static_cast<trace::Stream>(stream))) ++stream;
    return stream;
  };
  if (const auto* stalled = std::get_if<trace::StalledEvent>(&event)) {
    stalls_[stream_of(stalled->stream)] = {time_ns, std::max<int64_t>(stalled->ms, 0)};
  } else if (const auto* resumed = std::get_if<trace::ResumedEvent>(&event)) {
    EndStall(stream_of(resumed->stream), std::max<int64_t>(resumed->ms, 0), session);
  } else if (const auto* closed = std::get_if<trace::ClosedEvent>(&event)) {
    const size_t stream = stream_of(closed->stream);
    if (stream < 2) session->never_read[stream] += closed->unread_messages;
  } else if (std::holds_alternative<ExitStatus>(event)) {
    EndStalls(time_ns, session);
  }
}

void TallyListener::OnEvent(int64_t time_ns, const trace::Event& event) {
  SessionTally* session = ThisSession();
  CountStall(time_ns, event, session);
  if (std::holds_alternative<trace::SpawnEvent>(event)) session->spawn = trace::Describe(event);
  if (std::holds_alternative<ExitStatus>(event)) session->exit = trace::Describe(event);
  if (std::holds_alternative<trace::EndEvent>(event)) session->ended = true;
}

}  // namespace midwire::tools
