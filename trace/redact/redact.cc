#include "trace/redact/redact.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "trace/event.h"
#include "trace/redact/nested_encoding.h"
#include "trace/redact/redactor.h"
#include "trace/session.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace {
namespace {

using wire::Redactor;

// What is not JSON is searched in windows of this size. A secret may straddle two, so the end of
// one is searched again with the next.
constexpr size_t kWindow = 4u << 20;
// A secret that a pattern finds is shorter: a private key of 16384 bits has 13 KiB.
constexpr size_t kLongestMatch = 64u << 10;
// How much longer than its value a secret may be spelt: \u escapes, twice.
constexpr size_t kMaxSpelling = 12;

bool IsContentLength(std::string_view line) {
  static constexpr std::string_view kName = "content-length";
  return wire::SameLetters(line.substr(0, kName.size()), kName);
}

}  // namespace

// Bytes that are not JSON, or not a whole JSON text: stderr, junk, messages cut off. Secret places
// are found as far as a Redactor finds them, known values anywhere.
class TraceRedaction::Text {
 public:
  Text(TraceRedaction* to, Stream stream, bool collect, const wire::StreamedPlaces& places)
      : to_(to),
        stream_(stream),
        collect_(collect),
        marker_(places.pointers, Redactor::Key{}, places.names) {
    marker_.MarkOnly();
  }

  // The next bytes of the stream, at `offset`: contiguous with the previous ones unless Flush came
  // between.
  Status Append(uint64_t offset, std::string_view bytes) {
    if (was_.empty()) offset_ = offset;
    was_ += bytes;
    now_ += bytes;
    const size_t from = marks_.size();
    marks_ += bytes;
    for (size_t at = from; at < marks_.size();) {
      const char c = marks_[at];
      // A line whose first column is not blank begins a new text, unless it may close or continue a
      // printed object.
      if (line_start_ && std::string_view(" \t\r\n}]\",").find(c) == std::string_view::npos) {
        marker_.Start();
      }
      const size_t end = std::min(marks_.find('\n', at), marks_.size() - 1) + 1;
      line_start_ = marks_[end - 1] == '\n';
      marker_.Rewrite(marks_.data() + at, end - at);
      at = end;
    }
    return was_.size() < kWindow ? Status(Ok{}) : Look(/*all=*/false);
  }
  Status Flush() { return was_.empty() ? Status(Ok{}) : Look(/*all=*/true); }
  // What follows is another text.
  void Forget() {
    marker_.Start();
    line_start_ = true;
  }
  bool inside() const { return marker_.inside(); }

 private:
  Status Look(bool all) {
    size_t cut = all ? was_.size() : Cut();
    if (collect_) {
      if (Status done = Search(all, &cut); !done) return done;
    }
    for (size_t at = 0; (at = marks_.find(Redactor::kMark, at)) != marks_.npos;) {
      const size_t end = std::min(marks_.find_first_not_of(Redactor::kMark, at), marks_.size());
      const std::string_view spelt = std::string_view(was_).substr(at, end - at);
      if (!collect_) {
        now_.replace(at, spelt.size(), spelt);
        to_->secrets_.values().RewriteAll(now_.data() + at, spelt.size());
      } else if (at < cut) {
        const wire::Found found{"", 0, "name", "", true};
        const Status done = to_->secrets_.Add(wire::Unescaped(spelt).text, found,
                                              {.stream = stream_, .offset = offset_ + at});
        if (!done) return done;
      }
      at = end;
    }
    Status done = Ok{};
    if (!collect_) {
      to_->secrets_.HideInText(was_, &now_);
      done = to_->patches_[static_cast<size_t>(stream_)].Add(
          offset_, std::string_view(was_).substr(0, cut), std::string_view(now_).substr(0, cut));
    }
    offset_ += cut;
    for (std::string* text : {&was_, &now_, &marks_}) text->erase(0, cut);
    return done;
  }

  // Collects what the patterns find before *cut. What may continue in the next window is left to
  // it: *cut moves to its beginning.
  Status Search(bool all, size_t* cut) {
    Status done = Ok{};
    to_->secrets_.finder().InText(was_, [&](std::string_view value, const wire::Found& found) {
      const bool unfinished = !all && found.at + value.size() >= was_.size();
      if (unfinished && found.at > kWindow / 4) *cut = std::min(*cut, found.at);
      if (found.at >= *cut || !done) return;
      done = to_->secrets_.Add(value, found, {.stream = stream_, .offset = offset_ + found.at});
    });
    return done;
  }

  // Up to where no value is unfinished.
  size_t Cut() const {
    size_t keep = to_->secrets_.values().longest() * kMaxSpelling + 64;
    if (to_->secrets_.has_patterns()) keep = std::max(keep, kLongestMatch);
    keep = std::min(keep, kWindow / 2);
    size_t cut = was_.size() - keep;
    while (cut > kWindow / 4 && marks_[cut - 1] == Redactor::kMark) --cut;
    return cut;
  }

  TraceRedaction* to_;
  const Stream stream_;
  const bool collect_;
  Redactor marker_;
  bool line_start_ = true;
  uint64_t offset_ = 0;            // of what follows, in the stream
  std::string was_, now_, marks_;  // the same bytes: original, redacted, secrets marked
};

class TraceRedaction::Handler : public SessionHandler {
 public:
  Handler(TraceRedaction* to, bool collect, const wire::StreamedPlaces& places)
      : to_(to),
        collect_(collect),
        texts_{Text(to, Stream::kHostToPlugin, collect, places),
               Text(to, Stream::kPluginToHost, collect, places),
               Text(to, Stream::kStderr, collect, places)} {}

  const std::optional<Error>& error() const { return error_; }
  void Finish() {
    for (Text& text : texts_) Keep(text.Flush());
  }

  void OnMessage(const RecordedMessage& recorded) override {
    const wire::Frame& frame = *recorded.frame;
    if (!frame.whole()) return Fail(frame.size);
    const size_t stream = static_cast<size_t>(StreamOf(recorded.direction));
    Text& text = texts_[stream];
    const uint64_t offset = std::exchange(offsets_[stream], offsets_[stream] + frame.size);
    const std::string_view json = wire::Trimmed(frame.body());
    const bool headed = !frame.head().empty();
    // Starts in the first column: a message, not an inner line of a printed one.
    const bool plain = headed || frame.body().data() == json.data() || !text.inside();
    if (headed) {
      Keep(text.Flush());
      text.Forget();
      Head(recorded.number, stream, offset, frame.head());
    }
    if (!plain || json.empty() || !wire::IsLooseJson(json)) {
      return Keep(
          text.Append(offset + frame.head().size(), frame.bytes.substr(frame.head().size())));
    }
    Keep(text.Flush());
    text.Forget();
    Json(recorded, offset + static_cast<uint64_t>(json.data() - frame.bytes.data()), json);
    if (!wire::Trimmed(frame.tail()).empty()) {
      Keep(text.Append(offset + frame.head().size() + frame.body().size(), frame.tail()));
    }
  }

  void OnJunk(const RecordedJunk& recorded) override {
    const size_t stream = static_cast<size_t>(StreamOf(recorded.direction));
    if (recorded.junk->bytes.size() != recorded.junk->size) return Fail(recorded.junk->size);
    Keep(texts_[stream].Append(offsets_[stream], recorded.junk->bytes));
    offsets_[stream] += recorded.junk->size;
  }

  void OnStderr(int64_t, std::string_view bytes) override {
    constexpr auto kStream = static_cast<size_t>(Stream::kStderr);
    Keep(texts_[kStream].Append(offsets_[kStream], bytes));
    offsets_[kStream] += bytes.size();
  }

  void OnEvent(int64_t, const Event& event) override {
    const auto* const spawn = std::get_if<SpawnEvent>(&event);
    if (!collect_ || !spawn) return;
    Keep(to_->secrets_.FindInArguments(spawn->argv));
  }

 private:
  void Json(const RecordedMessage& recorded, uint64_t offset, std::string_view json) {
    std::optional<std::string_view> method;
    if (recorded.message->IsAnswer()) {
      if (recorded.request) method = recorded.request->method;
    } else if (!recorded.message->method.empty() && !(recorded.message->flags & wire::kTokenCut)) {
      method = recorded.message->method;
    }
    const Stream stream = StreamOf(recorded.direction);
    if (collect_) {
      return Keep(to_->secrets_.FindInMessage(json, method, recorded.message->IsAnswer(),
                                              {.message = recorded.number, .stream = stream}));
    }
    to_->secrets_.HideInMessage(json, method, &now_);
    Keep(to_->patches_[static_cast<size_t>(stream)].Add(offset, json, now_));
  }

  // A header is text, except the lines that give the length of the body.
  void Head(uint64_t number, size_t stream, uint64_t offset, std::string_view head) {
    if (collect_) {
      return Keep(to_->secrets_.FindInText(
          head, {.message = number, .stream = static_cast<Stream>(stream)}));
    }
    while (!head.empty()) {
      const size_t size = std::min(head.find('\n'), head.size() - 1) + 1;
      if (!IsContentLength(head)) {
        now_ = head.substr(0, size);
        to_->secrets_.HideInText(head.substr(0, size), &now_);
        Keep(to_->patches_[stream].Add(offset, head.substr(0, size), now_));
      }
      head.remove_prefix(size);
      offset += size;
    }
  }

  void Keep(const Status& status) {
    if (!status && !error_) error_ = status.error();
  }
  void Fail(uint64_t size) {
    Keep(Error{"cannot redact a message above 64 MiB", std::to_string(size) + " bytes",
               "leave it out, or record it with --redact"});
  }

  TraceRedaction* to_;
  const bool collect_;
  std::array<Text, 3> texts_;             // by Stream
  std::array<uint64_t, 3> offsets_ = {};  // how far each was searched
  std::string now_;
  std::optional<Error> error_;
};

// Returns what another reader does, patched.
class TraceRedaction::Reader : public TraceReader {
 public:
  Reader(TraceRedaction* to, TraceReader* from) : to_(to), from_(from) {}

  Result<Step> Next(Record* record) override {
    Result<Step> step = from_->Next(record);
    if (!step) return step;
    if (steps_ == to_->steps_) return Step::kWait;  // what was added since is not covered
    ++steps_;
    if (*step != Step::kRecord) return step;
    head_ = record->head;
    body_ = record->body;
    if (record->stream == Stream::kEvents) {
      HideDamage();
      to_->secrets_.HideInEvent(&body_);
    } else {
      const auto stream = static_cast<size_t>(record->stream);
      for (std::string* part : {&head_, &body_}) {
        const Status done =
            to_->patches_[stream].Apply(offsets_[stream], part->data(), part->size());
        if (!done) return done.error();
        offsets_[stream] += part->size();
      }
    }
    record->head = head_;
    record->body = body_;
    return step;
  }
  const Damage& damage() const override { return from_->damage(); }
  uint64_t torn_bytes() const override { return from_->torn_bytes(); }
  uint64_t damaged_bytes() const override { return from_->damaged_bytes(); }

 private:
  // What chaos sent may hold part of a secret, or a secret with a byte changed, which no search
  // finds.
  void HideDamage() {
    const Result<Event> event = ParseEvent(body_);
    const auto* chaos = event ? std::get_if<ChaosEvent>(&*event) : nullptr;
    if (!chaos || !chaos->has_sent) return;
    ChaosEvent hidden = *chaos;
    hidden.has_sent = hidden.sent_cut = false;
    body_ = ToJson(hidden);
  }

  TraceRedaction* to_;
  TraceReader* from_;
  uint64_t steps_ = 0;
  std::array<uint64_t, 3> offsets_ = {};
  std::string head_, body_;
};

Status TraceRedaction::Read(TraceReader* reader, bool collect) {
  const Result<wire::StreamedPlaces> streamed = wire::ForAnyMethod(secrets_.places());
  if (!streamed) return streamed.error();
  if (streamed->pointers.size() > Redactor::kMaxPointers) {
    return Error{"too many secret places", std::to_string(streamed->pointers.size()), "64 at most"};
  }
  Handler handler(this, collect, *streamed);
  Session session(&handler);
  Record record;
  uint64_t steps = 0;
  for (; collect || steps < steps_; ++steps) {
    const Result<Step> step = reader->Next(&record);
    // A failure ends it like kWait; the last reading meets it again and reports it.
    if (!step || *step == Step::kWait) break;
    if (*step == Step::kRecord) session.OnRecord(record);
    if (*step == Step::kSection) session.OnSection();
    if (*step == Step::kDamage) session.OnGap();
    if (handler.error()) return *handler.error();
  }
  if (collect) steps_ = steps;
  session.OnEnd();
  handler.Finish();
  if (handler.error()) return *handler.error();
  if (collect) secrets_.Seal();
  return Ok{};
}

Status TraceRedaction::Collect(TraceReader* reader) { return Read(reader, /*collect=*/true); }
Status TraceRedaction::Locate(TraceReader* reader) { return Read(reader, /*collect=*/false); }

std::unique_ptr<TraceReader> TraceRedaction::Redacted(TraceReader* reader) {
  return std::make_unique<Reader>(this, reader);
}

}  // namespace midwire::trace
