#include "trace/session.h"

#include <algorithm>

namespace midwire::trace {
namespace {

using wire::Direction;
using wire::Kind;

// A pipe holds 64 KiB unless its owner has made it larger, and midwire as much: messages of 16
// bytes fill them. Of more, only these are named.
constexpr size_t kMaxLatest = 8192;

// What is pending between two records is one message, and only the line in which it ends is needed.
constexpr size_t kMaxLines = 64;

constexpr Direction kDirections[] = {Direction::kHostToPlugin, Direction::kPluginToHost};

}  // namespace

Session::Session(SessionHandler* handler, size_t keep_bytes, wire::Detail detail)
    : handler_(handler), keep_bytes_(keep_bytes), detail_(detail) {
  for (Side& side : sides_) StartDecoder(&side, wire::Framing::kAuto);
}

void Session::Expect(std::optional<wire::Framing> framing) {
  expected_ = framing.value_or(wire::Framing::kAuto);
  for (Side& side : sides_) side.decoder->Expect(expected_);
}

void Session::StartDecoder(Side* side, wire::Framing framing) {
  side->decoder.emplace(framing, keep_bytes_, detail_);
  side->decoder->Expect(expected_);
}

void Session::OnRecord(const Record& record) {
  switch (record.stream) {
    case Stream::kHostToPlugin:
      return Feed(Direction::kHostToPlugin, record);
    case Stream::kPluginToHost:
      return Feed(Direction::kPluginToHost, record);
    case Stream::kStderr:
      return handler_->OnStderr(record.time_ns, record.body);
    case Stream::kEvents:
      return OnEventRecord(record);
  }
}

void Session::Feed(Direction direction, const Record& record) {
  Side& from = side(direction);
  current_ = direction;
  from.time_ns = record.time_ns;
  if (from.decoder->at_boundary()) {
    from.first_ns = record.time_ns;
    from.decoded = from.fed;  // blank lines are in no frame
  }
  while (from.lines.size() > kMaxLines) from.lines.pop_front();
  for (const LinePlace& place : record.lines) {
    from.lines.push_back({from.fed + place.at, place.line});
  }
  from.fed += record.head.size() + record.body.size();
  if (!record.head.empty()) from.decoder->Feed(record.head, this);
  if (!record.body.empty()) from.decoder->Feed(record.body, this);
}

uint64_t Session::Side::LineOfLatest() {
  while (lines.size() > 1 && lines[1].at < decoded) lines.pop_front();
  return lines.empty() ? 0 : lines.front().line;
}

void Session::Finish(Direction direction) {
  current_ = direction;
  side(direction).decoder->Finish(this);
}

void Session::OnGap() {
  for (Direction direction : kDirections) Finish(direction);
}

void Session::OnEnd() { OnGap(); }

void Session::OnSection() {
  OnEnd();
  handler_->OnSectionEnd(exchanges_);
  exchanges_ = wire::Exchanges();
  ended_ = false;
  for (Side& side : sides_) {
    StartDecoder(&side, wire::Framing::kAuto);
    side.latest.clear();
    side.lines.clear();
  }
}

// Bytes are left at the end of the stream; a message is lost if its last byte is.
void Session::FindUnread(ClosedEvent* closed) const {
  for (Direction direction : kDirections) {
    if (closed->unread <= 0 || closed->stream != Name(direction)) continue;
    const Side& of = sides_[static_cast<int>(direction)];
    const uint64_t left = std::min(of.fed, static_cast<uint64_t>(closed->unread));
    for (auto at = of.latest.rbegin(); at != of.latest.rend() && at->end > of.fed - left; ++at) {
      if (closed->last_unread == 0) closed->last_unread = at->number;
      closed->first_unread = at->number;
      ++closed->unread_messages;
    }
  }
}

void Session::OnEventRecord(const Record& record) {
  Result<Event> event = ParseEvent(record.body);
  if (!event) event = Event(NoteEvent{"an event that cannot be read: " + event.error().Text()});
  if (const auto* spawn = std::get_if<SpawnEvent>(&*event)) {
    for (Direction direction : kDirections) {
      Side& to = side(direction);
      wire::Framing framing = spawn->framing[static_cast<int>(direction)];
      if (to.decoder->at_boundary()) StartDecoder(&to, framing);
    }
  } else if (const auto* eof = std::get_if<EofEvent>(&*event)) {
    for (Direction direction : kDirections) {
      if (eof->stream == Name(direction)) Finish(direction);
    }
  } else if (auto* const closed = std::get_if<ClosedEvent>(&*event)) {
    FindUnread(closed);
  } else if (std::holds_alternative<GapEvent>(*event)) {
    OnGap();
  } else if (const auto* end = std::get_if<EndEvent>(&*event)) {
    ended_ = true;
    if (end->next.empty()) OnGap();  // what is pending comes before the end
  }
  handler_->OnEvent(record.time_ns, *event);
}

// element: its place in its batch.
const wire::OpenRequest* Session::Pair(const wire::Message& message, uint32_t element) {
  if (message.IsAnswer()) return exchanges_.CloseMeant(current_, message);
  if (message.kind == Kind::kRequest) {
    exchanges_.Open(current_, message, number_, side(current_).time_ns, element);
  }
  return nullptr;
}

void Session::OnFrame(const wire::Frame& frame, const wire::Message& message) {
  Side& from = side(current_);
  ++number_;
  from.decoded = std::min(from.decoded + frame.size, from.fed);
  from.latest.push_back({number_, from.decoded});
  if (from.latest.size() > kMaxLatest) from.latest.pop_front();
  RecordedMessage sent = {.number = number_,
                          .direction = current_,
                          .first_ns = from.first_ns,
                          .time_ns = from.time_ns,
                          .line = from.LineOfLatest(),
                          .frame = &frame,
                          .message = &message,
                          .request = Pair(message, 0)};
  from.first_ns = from.time_ns;  // of the next frame, if it begins in the same record
  handler_->OnMessage(sent);
  uint32_t place = 0;
  for (const wire::Message& element : message.elements) {
    sent.message = &element;
    sent.request = Pair(element, place++);
    handler_->OnElement(sent);
  }
}

void Session::OnJunk(const wire::Junk& junk) {
  Side& from = side(current_);
  from.first_ns = from.time_ns;
  from.decoded += junk.size;
  handler_->OnJunk(
      {.direction = current_, .time_ns = from.time_ns, .junk = &junk, .line = from.LineOfLatest()});
}

Status Play(TraceReader* reader, Session* session) {
  Record record;
  for (;;) {
    Result<Step> step = reader->Next(&record);
    if (!step) return step.error();
    switch (*step) {
      case Step::kRecord:
        session->OnRecord(record);
        break;
      case Step::kSection:
        session->OnSection();
        break;
      case Step::kDamage:
        session->OnGap();
        break;
      case Step::kWait:
        session->OnEnd();
        return Ok{};
    }
  }
}

}  // namespace midwire::trace
