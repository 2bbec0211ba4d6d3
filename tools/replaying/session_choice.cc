#include "tools/replaying/session_choice.h"

#include <map>
#include <utility>

#include "tools/read_ahead.h"
#include "trace/session.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"
#include "wire/json/valid.h"

namespace midwire::tools {
namespace {

// Opening messages have hundreds of bytes to a few KiB. Of longer ones only the method counts.
constexpr size_t kMaxCompared = 64 * 1024;
// A host whose first message is longer than that opens no session: the first one is played.
constexpr size_t kMaxFirst = 4 << 20;
// Sessions to choose from: a host that probes has two or three.
constexpr size_t kMaxSessions = 1000;

// Keeps the first message of a session.
class FirstCall : public trace::SessionHandler {
 public:
  void OnMessage(const trace::RecordedMessage& recorded) override {
    if (std::exchange(seen_, true)) return;
    if (recorded.direction != wire::Direction::kHostToPlugin) return;
    method = recorded.message->method;
    const std::string_view text = wire::Trimmed(recorded.frame->body());
    if (recorded.frame->whole() && text.size() <= kMaxCompared) body = text;
  }
  bool seen() const { return seen_; }
  std::string method, body;

 private:
  bool seen_ = false;
};

void AddSessions(const std::string& trace, trace::TraceReader* reader,
                 std::vector<RecordedSession>* to) {
  for (size_t index = 0; to->size() < kMaxSessions; ++index) {
    FirstCall call;
    trace::Session session(&call);
    trace::Record record;
    Result<trace::Step> step = trace::Step::kWait;
    while ((step = reader->Next(&record)) && *step != trace::Step::kWait &&
           *step != trace::Step::kSection) {
      if (*step == trace::Step::kRecord && !call.seen()) session.OnRecord(record);
    }
    session.OnEnd();
    to->push_back({trace, index, std::move(call.method), std::move(call.body)});
    if (!step || *step == trace::Step::kWait) return;
  }
}

using Leaves = std::map<std::string, wire::ValueHash>;

// Without those of the message itself: an id is new in each run.
Leaves LeavesOf(std::string_view body) {
  Leaves leaves;
  if (!wire::IsLooseJson(body)) return leaves;
  wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
    std::string pointer = wire::PointerText(path);
    if (pointer == "/id" || pointer == "/jsonrpc" || pointer == "/seq") return;
    leaves.emplace(std::move(pointer), wire::HashValue(value));
  });
  return leaves;
}

size_t Differences(const Leaves& a, const Leaves& b) {
  size_t count = 0;
  for (const auto& [pointer, value] : a) {
    const auto other = b.find(pointer);
    count += other == b.end() || other->second != value;
  }
  for (const auto& [pointer, value] : b) count += !a.contains(pointer);
  return count;
}

class SessionReader : public trace::TraceReader {
 public:
  SessionReader(std::unique_ptr<trace::TraceReader> reader, size_t index)
      : reader_(std::move(reader)), index_(index) {}

  Result<trace::Step> Next(trace::Record* record) override {
    for (;;) {
      if (at_ > index_) return trace::Step::kWait;
      Result<trace::Step> step = reader_->Next(record);
      if (!step || *step == trace::Step::kWait) return step;
      if (*step == trace::Step::kSection) {
        ++at_;
      } else if (at_ == index_) {
        return step;
      }
    }
  }
  const trace::Damage& damage() const override { return reader_->damage(); }
  uint64_t torn_bytes() const override { return reader_->torn_bytes(); }
  uint64_t damaged_bytes() const override { return reader_->damaged_bytes(); }

 private:
  std::unique_ptr<trace::TraceReader> reader_;
  size_t index_, at_ = 0;
};

}  // namespace

std::vector<RecordedSession> SessionsOf(const std::vector<std::string>& traces) {
  std::vector<RecordedSession> sessions;
  for (const std::string& trace : traces) {
    const auto reader = IsRegular(trace) ? trace::OpenTrace(trace)
                                         : Result<std::unique_ptr<trace::TraceReader>>(Error{});
    if (reader) {
      AddSessions(trace, reader->get(), &sessions);
    } else {
      sessions.push_back({.trace = trace});
    }
  }
  return sessions;
}

bool CanChoose(const std::vector<RecordedSession>& sessions) {
  if (sessions.size() < 2) return false;
  for (const RecordedSession& session : sessions) {
    if (session.method.empty()) return false;
  }
  return true;
}

size_t MostSimilar(const std::vector<RecordedSession>& sessions, std::string_view method,
                   std::string_view body) {
  size_t best = 0;
  std::pair<bool, size_t> least = {true, SIZE_MAX};  // another method, differences
  const Leaves leaves = LeavesOf(body.size() <= kMaxCompared ? body : "");
  for (size_t i = 0; i < sessions.size(); ++i) {
    const std::pair distance(sessions[i].method != method,
                             Differences(leaves, LeavesOf(sessions[i].body)));
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return least.first ? 0 : best;
}

std::unique_ptr<trace::TraceReader> OneSession(std::unique_ptr<trace::TraceReader> reader,
                                               size_t index) {
  return std::make_unique<SessionReader>(std::move(reader), index);
}

void FirstMessage::OnBytes(proxy::Stream stream, std::string_view bytes, proxy::Actions* actions) {
  if (stream != proxy::Stream::kHostToPlugin) return;
  bytes_ += bytes;
  decoder_.Feed(bytes, this);
  if (found_ || bytes_.size() > kMaxFirst) actions->Finish();
}

void FirstMessage::OnEof(proxy::Stream stream, proxy::Actions* actions) {
  if (stream != proxy::Stream::kHostToPlugin) return;
  decoder_.Finish(this);
  actions->Finish();
}

void FirstMessage::OnSignal(const io::SignalInfo& signal, proxy::Actions* actions) {
  if (signal.number != SIGINT && signal.number != SIGTERM && signal.number != SIGHUP &&
      signal.number != SIGQUIT) {
    return;
  }
  interrupted_ = signal.number;
  actions->Finish();
}

void FirstMessage::OnFrame(const wire::Frame& frame, const wire::Message& message) {
  if (std::exchange(found_, true)) return;
  method_ = message.method;
  if (frame.whole()) body_ = wire::Trimmed(frame.body());
}

}  // namespace midwire::tools
