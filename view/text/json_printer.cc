// The timeline for programs: one JSON object per line, keys as documented in doc/show-json.md.
// Every line has "type"; a key that does not apply is left out. Safe to print: see
// wire/json/escape.h.
#include <algorithm>
#include <string>

#include "view/text/append.h"
#include "view/text/printer.h"
#include "view/text/session_head_json.h"
#include "wire/json/ascii.h"
#include "wire/json/base64.h"
#include "wire/json/escape.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using trace::RecordedMessage;

// Whether the id can be written as it is: valid JSON on one line. True of nearly every id.
bool IsPlainToken(const wire::Id& id) {
  const std::string_view token = id.token;
  switch (id.type) {
    case wire::Id::Type::kNull:
      return token == "null";
    case wire::Id::Type::kInteger:
      // Of the numbers, only those without a sign or a leading zero are recognized at once.
      return !token.empty() && (token[0] != '0' || token.size() == 1) && wire::IsDigits(token);
    case wire::Id::Type::kString:
      return token.size() >= 2 && token.back() == '"' && wire::PlainPrefix(token) == token.size() &&
             token.find('\\') == token.npos;
    default:
      return false;
  }
}

class JsonPrinter : public Printer {
 public:
  JsonPrinter(const PrintOptions& options, std::string* out) : body_(options.body), out_(out) {}

  void Head(const trace::SessionHead& head) override {
    Begin("dialect");
    WriteSessionHead(head, &json_);
    End();
  }

  void Message(At at, const RecordedMessage& recorded, const Notes& notes) override {
    Begin("message");
    Start(at, recorded, notes);
    Whole(recorded);
    if (body_) Body(*recorded.frame);
    End();
  }

  std::string Ending(const std::string&, const Outcome& outcome) override {
    std::string members;
    wire::JsonWriter json(&members);
    json.Open('{');
    const bool never_read = outcome.fate == Outcome::Fate::kNeverRead;
    if (outcome.fate == Outcome::Fate::kUnanswered || never_read) json.Key("unanswered").Bool(true);
    if (never_read) json.Key("never_read").Bool(true);
    if (outcome.fate == Outcome::Fate::kCancelled) json.Key("cancelled").Bool(true);
    if (outcome.open_ns) json.Key("open_ns").Number(*outcome.open_ns);
    json.Close('}');
    if (outcome.answer != nullptr) {
      std::string answer;
      json_ = wire::JsonWriter(&answer);
      json_.Open('{');
      Start(outcome.at, *outcome.answer, *outcome.notes);
      json_.Key("size").Number(outcome.answer->frame->size);
      json_.Close('}');
      members = "{\"answer\":" + answer + "}";
    }
    if (members.size() <= 2) return "";
    members.pop_back();
    members[0] = ',';
    return members;
  }
  size_t open_at() const override { return open_at_; }

  void Element(At at, const RecordedMessage& recorded, const Notes& notes) override {
    Begin("element");
    Start(at, recorded, notes);
    End();
  }

  void Junk(At at, const trace::RecordedJunk& recorded) override {
    Begin("junk");
    Time(at);
    json_.Key("dir").Text(wire::ShortName(recorded.direction));
    json_.Key("reason").Text(wire::Name(recorded.junk->reason));
    json_.Key("size").Number(recorded.junk->size);
    const std::string_view bytes = recorded.junk->bytes;
    if (body_ || recorded.junk->size <= kWholeJunk) Text("text", "base64", bytes);
    End();
  }

  void StderrLine(At at, std::string_view line) override {
    Begin("stderr");
    Time(at);
    Text("text", "base64", line);
    End();
  }

  void Event(At at, int64_t unix_ns, const trace::Event& event) override {
    Begin("event");
    Time(at);
    if (unix_ns != 0) {
      std::string time;
      AppendUtc(unix_ns, &time);
      json_.Key("time").Text(time);
    }
    json_.Key("event").OnOneLine(trace::ToJson(event));
    End();
  }

  void Damage(const trace::Damage& damage) override {
    Begin("damage");
    json_.Key("offset").Number(damage.offset);
    if (damage.line != 0) json_.Key("line").Number(damage.line);
    json_.Key("size").Number(damage.bytes);
    json_.Key("reason").Text(damage.reason);
    End();
  }

 private:
  // Longer junk is a frame that was cut off; its text comes with --body only.
  static constexpr size_t kWholeJunk = wire::kMaxUndecided;

  void Begin(std::string_view type) {
    json_ = wire::JsonWriter(out_);
    json_.Open('{');
    json_.Key("type").Text(type);
  }
  void End() {
    open_at_ = out_->size();
    json_.Close('}');
    *out_ += '\n';
  }

  void Time(At at) {
    if (at) json_.Key("at_ns").Number(*at);
  }

  void Start(At at, const RecordedMessage& recorded, const Notes& notes) {
    const wire::Message& message = *recorded.message;
    json_.Key("n").Number(recorded.number);
    Time(at);
    json_.Key("dir").Text(wire::ShortName(recorded.direction));
    json_.Key("kind").Text(wire::Name(message.kind));
    const std::string_view method = MethodOf(recorded);
    if (!method.empty()) json_.Key("method").Text(method);
    if (notes.parent != 0) json_.Key("parent").Number(notes.parent);
    if (notes.perhaps) json_.Key("perhaps").Bool(true);
    if (!notes.label.empty()) json_.Key("label").Text(notes.label);
    if (message.id.present()) Id(message.id);
    if (message.IsAnswer()) Answer(recorded);
    if (notes.failed) json_.Key("failed").Bool(true);
    if (!notes.failure.empty()) json_.Key("failure").Text(notes.failure);
  }

  // Members that only a message with its own frame has.
  void Whole(const RecordedMessage& recorded) {
    json_.Key("size").Number(recorded.frame->size);
    json_.Key("body_size").Number(recorded.frame->body_size);
    remarks_.clear();
    AppendRemarks(recorded, &remarks_);
    if (remarks_.empty()) return;
    json_.Key("remarks").Open('[');
    for (std::string_view rest = remarks_; !rest.empty();) {  // separated by commas
      const size_t size = std::min(rest.find(','), rest.size());
      json_.Text(rest.substr(0, size));
      rest.remove_prefix(std::min(size + 1, rest.size()));
    }
    json_.Close(']');
  }

  void Answer(const RecordedMessage& recorded) {
    const wire::Message& message = *recorded.message;
    if (recorded.request) json_.Key("request").Number(recorded.request->number);
    const std::optional<int64_t> latency = LatencyOf(recorded);
    if (latency) json_.Key("latency_ns").Number(*latency);
    if (message.kind != wire::Kind::kError) return;
    if (message.error_code) json_.Key("code").Number(*message.error_code);
    json_.Key("error").Text(message.error_message);
  }

  void Id(const wire::Id& id) {
    if (IsPlainToken(id)) {
      json_.Key("id").Raw(id.token);
    } else if (wire::IsJson(id.token)) {
      json_.Key("id").OnOneLine(id.token);
    } else {  // cut, or not JSON
      json_.Key("id_text").Text(id.token);
    }
  }

  void Text(wire::JsonKey text_key, wire::JsonKey base64_key, std::string_view bytes) {
    if (wire::IsUtf8(bytes)) return json_.Key(text_key).Text(bytes);
    std::string base64;
    wire::AppendBase64(bytes, &base64);
    json_.Key(base64_key).Text(base64);
  }

  void Body(const wire::Frame& frame) {
    const std::string_view body = frame.body();
    if (!frame.whole()) json_.Key("body_cut").Bool(true);
    if (frame.whole() && wire::IsJson(body)) {
      json_.Key("body").OnOneLine(body);
    } else {
      Text("body_text", "body_base64", body);
    }
  }

  const bool body_;
  std::string* const out_;
  wire::JsonWriter json_{out_};  // of the line
  std::string remarks_;
  size_t open_at_ = 0;
};

}  // namespace

std::unique_ptr<Printer> MakeJsonPrinter(const PrintOptions& options, std::string* out) {
  return std::make_unique<JsonPrinter>(options, out);
}

}  // namespace midwire::view
