#include "trace/redact/trace_redactor.h"

#include <algorithm>
#include <utility>

#include "trace/event.h"
#include "trace/redact/text_windows.h"
#include "trace/session.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace::redact {
namespace {

bool IsContentLength(std::string_view line) {
  static constexpr std::string_view kName = "content-length";
  return wire::SameLetters(line.substr(0, kName.size()), kName);
}

}  // namespace

class TraceRedactor::Handler : public SessionHandler {
 public:
  Handler(TraceRedactor* to, bool collect, const StreamedPlaces& places)
      : to_(to), collect_(collect) {
    for (size_t stream = 0; stream < kStreams; ++stream) {
      texts_.emplace_back(&to->secrets_, collect ? nullptr : &to->patches_[stream],
                          static_cast<Stream>(stream), places);
    }
  }

  const std::optional<Error>& error() const { return error_; }
  void Finish() {
    for (TextWindows& text : texts_) Keep(text.Flush());
  }

  void OnMessage(const RecordedMessage& recorded) override {
    const wire::Frame& frame = *recorded.frame;
    if (!frame.whole()) return Fail(frame.size);
    const size_t stream = static_cast<size_t>(StreamOf(recorded.direction));
    TextWindows& text = texts_[stream];
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
    if (collect_) Keep(to_->secrets_.FindInEvent(event));
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

  TraceRedactor* to_;
  const bool collect_;
  std::vector<TextWindows> texts_;               // by Stream
  std::array<uint64_t, kStreams> offsets_ = {};  // how far each was searched
  std::string now_;
  std::optional<Error> error_;
};

// Returns what another reader does, patched.
class TraceRedactor::Reader : public TraceReader {
 public:
  Reader(TraceRedactor* to, TraceReader* from) : to_(to), from_(from) {}

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

  TraceRedactor* to_;
  TraceReader* from_;
  uint64_t steps_ = 0;
  std::array<uint64_t, kStreams> offsets_ = {};
  std::string head_, body_;
};

Status TraceRedactor::Read(TraceReader* reader, bool collect) {
  Handler handler(this, collect, ForAnyMethod(secrets_.places()));
  Session session(&handler);
  session.Expect(framing_);
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

Status TraceRedactor::Collect(TraceReader* reader) { return Read(reader, /*collect=*/true); }
Status TraceRedactor::Locate(TraceReader* reader) { return Read(reader, /*collect=*/false); }

std::unique_ptr<TraceReader> TraceRedactor::Redacted(TraceReader* reader) {
  return std::make_unique<Reader>(this, reader);
}

}  // namespace midwire::trace::redact
