#include "trace/redact/redact.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "trace/event.h"
#include "trace/redact/nested_encoding.h"
#include "trace/redact/redactor.h"
#include "trace/redact/schema_state.h"
#include "trace/session.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace {
namespace {

using wire::Redactor;

// Words of every trace: a secret that is part of one is replaced only at its places.
constexpr const char* kWords[] = {
    "jsonrpc",        "method",         "params",   "result",   "message",      "content-length",
    "Content-Length", "base64",         "event",    "spawn",    "argv",         "framing",
    "host-to-plugin", "plugin-to-host", "stderr",   "midwire",  "format",       "merged_stderr",
    "signal",         "number",         "stream",   "closed",   "reason",       "header",
    "cassette",       "version",        "redacted", "argv_cut", "request_seq",  "arguments",
    "command",        "success",        "response", "request",  "notification", "initialize",
    "shutdown"};

// What is not JSON is searched in windows of this size. A secret may straddle two, so the end of
// one is searched again with the next.
constexpr size_t kWindow = 4u << 20;
// A secret that a pattern finds is shorter: a private key of 16384 bits has 13 KiB.
constexpr size_t kLongestMatch = 64u << 10;
// How much longer than its value a secret may be spelt: \u escapes, twice.
constexpr size_t kMaxSpelling = 12;

// Values that are listed once. Real traces have hundreds of them; beyond this, each find counts as
// new, so that millions of them do not fill the memory.
constexpr size_t kMaxKnown = 1u << 20;

std::vector<std::string> WithWords(std::vector<std::string> words) {
  words.insert(words.end(), std::begin(kWords), std::end(kWords));
  for (const auto& more : {wire::WordsOfSchemas(), wire::TellingWords()}) {
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

bool IsContentLength(std::string_view line) {
  static constexpr std::string_view kName = "content-length";
  return wire::SameLetters(line.substr(0, kName.size()), kName);
}

Status TooMany() {
  return Error{"too many different secrets: more than 64 MiB of them", "",
               "name fewer places (--secret, --secret-key)"};
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
        to_->secrets_.RewriteAll(now_.data() + at, spelt.size());
      } else if (at < cut) {
        const wire::Found found{"", 0, "name", "", true};
        const Status done = to_->Found(wire::Unescaped(spelt).text, found,
                                       {.stream = stream_, .offset = offset_ + at});
        if (!done) return done;
      }
      at = end;
    }
    if (!collect_) {
      if (to_->only_here_) to_->everywhere_.HideInText(was_, to_->TokenOf(), now_.data());
      to_->secrets_.Rewrite(&now_);
    }
    Status done = Ok{};
    if (!collect_) {
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
    const wire::Finder finder(&to_->places_, &to_->patterns_, to_->report_ != nullptr);
    finder.InText(was_, [&](std::string_view value, const wire::Found& found) {
      const bool unfinished = !all && found.at + value.size() >= was_.size();
      if (unfinished && found.at > kWindow / 4) *cut = std::min(*cut, found.at);
      if (found.at >= *cut || !done) return;
      done = to_->Found(value, found, {.stream = stream_, .offset = offset_ + found.at});
    });
    return done;
  }

  // Up to where no value is unfinished.
  size_t Cut() const {
    size_t keep = to_->secrets_.longest() * kMaxSpelling + 64;
    if (!to_->patterns_.empty()) keep = std::max(keep, kLongestMatch);
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
        finder_(&to->places_, &to->patterns_, to->report_ != nullptr),
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
    finder_.InArguments(spawn->argv, [&](std::string_view value, const wire::Found& found) {
      Keep(to_->Found(value, found, {.stream = Stream::kEvents}));
    });
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
      to_->fresh_.clear();
      finder_.InMessage(json, method, [&](std::string_view value, const wire::Found& found) {
        Keep(to_->Found(value, found, {.message = recorded.number, .stream = stream}));
      });
      if (to_->guard_ && method) {
        to_->FulfilSchema(json, *method, recorded.message->IsAnswer());
      }
      return;
    }
    now_ = json;
    const wire::Finder& finder = to_->only_here_ ? to_->everywhere_ : to_->at_named_places_;
    finder.HideInMessage(json, method, to_->TokenOf(), now_.data());
    to_->secrets_.RewriteJson(&now_);
    Keep(to_->patches_[static_cast<size_t>(stream)].Add(offset, json, now_));
  }

  // A header is text, except the lines that give the length of the body.
  void Head(uint64_t number, size_t stream, uint64_t offset, std::string_view head) {
    if (collect_) {
      return finder_.InText(head, [&](std::string_view value, const wire::Found& found) {
        Keep(to_->Found(value, found, {.message = number, .stream = static_cast<Stream>(stream)}));
      });
    }
    while (!head.empty()) {
      const size_t size = std::min(head.find('\n'), head.size() - 1) + 1;
      if (!IsContentLength(head)) {
        now_ = head.substr(0, size);
        if (to_->only_here_) {
          to_->everywhere_.HideInText(head.substr(0, size), to_->TokenOf(), now_.data());
        }
        to_->secrets_.Rewrite(&now_);
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
  const wire::Finder finder_;
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
      if (to_->only_here_) HideArguments();
      wire::IsLooseJson(body_) ? to_->secrets_.RewriteJson(&body_) : to_->secrets_.Rewrite(&body_);
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

  // Values that are not searched for.
  void HideArguments() {
    Result<Event> event = ParseEvent(body_);
    auto* const spawn = event ? std::get_if<SpawnEvent>(&*event) : nullptr;
    if (!spawn) return;
    const std::vector<std::string> was = spawn->argv;
    to_->everywhere_.HideInArguments(to_->TokenOf(), &spawn->argv);
    if (spawn->argv != was) body_ = ToJson(*spawn);
  }

  TraceRedaction* to_;
  TraceReader* from_;
  uint64_t steps_ = 0;
  std::array<uint64_t, 3> offsets_ = {};
  std::string head_, body_;
};

TraceRedaction::TraceRedaction(wire::SecretPlaces places, const wire::TokenKey& key,
                               std::vector<std::string> words, wire::Patterns patterns)
    : named_(std::move(places)),
      places_{named_.places, named_.names, /*telling=*/patterns.has_shapes()},
      patterns_(std::move(patterns)),
      secrets_(key, WithWords(std::move(words))) {}

// Whether it was found before, and no less surely.
bool TraceRedaction::IsKnown(std::string_view value, const wire::Found& found) {
  const Known now = found.sure                     ? Known::kSecret
                    : found.rule == "telling-name" ? Known::kBesideName
                                                   : Known::kLooksLikeOne;
  const size_t hash = std::hash<std::string_view>()(value);
  const auto known = known_.find(hash);
  if (known == known_.end()) {
    if (known_.size() < kMaxKnown) known_.emplace(hash, now);
    staying_ += now == Known::kBesideName;
    return false;
  }
  if (known->second >= now) return true;
  // What looked like a secret is one.
  staying_ -= known->second == Known::kBesideName;
  staying_ += now == Known::kBesideName;
  known->second = now;
  return false;
}

Status TraceRedaction::Found(std::string_view value, const wire::Found& found, FoundSecret where) {
  where.again = IsKnown(value, found);
  if (report_) {
    where.pointer = found.pointer;
    where.rule = found.rule;
    where.text = found.text;
    where.size = value.size();
    where.sure = found.sure;
    report_(where);
  }
  if (!found.sure) return Ok{};
  if (guard_) fresh_.emplace_back(value);
  const size_t before = secrets_.only_at_places();
  if (!secrets_.Add(
          value, found.word ? wire::Secrets::Where::kAtPlaces : wire::Secrets::Where::kAnywhere)) {
    return TooMany();
  }
  only_here_ = only_here_ || (secrets_.only_at_places() > before && !patterns_.empty());
  return Ok{};
}

wire::Finder::Token TraceRedaction::TokenOf(const std::string* only) const {
  return [this, only](std::string_view value) {
    return only == nullptr || value == *only ? secrets_.TokenFor(value) : std::string();
  };
}

// Exchanges the tokens of the message's secrets, one by one, until it fulfils its schema again.
void TraceRedaction::FulfilSchema(std::string_view json, std::string_view method, bool answer) {
  if (fresh_.empty() || !guard_->Fulfils(json, method, answer)) return;
  std::string now;
  const auto fulfils = [&](const std::string* only) {
    now = json;
    everywhere_.HideInMessage(json, method, TokenOf(only), now.data());
    return guard_->Fulfils(now, method, answer);
  };
  if (fulfils(nullptr)) return;
  for (const std::string& value : fresh_) {
    bool fits = fulfils(&value);
    while (!fits && secrets_.TryAnotherToken(value)) fits = fulfils(&value);
    if (!fits && secrets_.IsWord(value)) secrets_.Keep(value);
  }
  if (!fulfils(nullptr)) ++broken_;
}

Status TraceRedaction::Read(TraceReader* reader, bool collect) {
  const Result<wire::StreamedPlaces> streamed = wire::ForAnyMethod(places_);
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
