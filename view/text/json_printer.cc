// The timeline for programs: one JSON object a line, keys as documented in doc/show-json.md. Every
// line has "type"; a key that does not apply is left out. Safe to print: see wire/escape.h.
#include <string>

#include "view/text/append.h"
#include "view/text/printer.h"
#include "wire/json/base64.h"
#include "wire/json/escape.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::view {
namespace {

using trace::SaidMessage;

// `list` holds names that need no escapes, separated by commas.
void AppendNames(std::string_view list, std::string* out) {
  *out += "[\"";
  for (const char c : list) {
    if (c == ',') {
      *out += "\",\"";
    } else {
      *out += c;
    }
  }
  *out += "\"]";
}

// Spelt as JSON and on one line already: true of nearly every id there is.
bool IsPlainToken(const wire::Id& id) {
  const std::string_view token = id.token;
  switch (id.type) {
    case wire::Id::Type::kNull:
      return token == "null";
    case wire::Id::Type::kInteger:
      // Of the numbers, only those without a sign or a leading zero are told at a glance.
      return !token.empty() && (token[0] != '0' || token.size() == 1) &&
             token.find_first_not_of("0123456789") == token.npos;
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

  void Message(At at, const SaidMessage& said) override {
    Said("{\"type\":\"message\",\"n\":", at, said);
    Whole(said);
    if (body_) Body(*said.frame);
    Put("}\n");
  }

  void Element(At at, const SaidMessage& said) override {
    Said("{\"type\":\"element\",\"n\":", at, said);
    Put("}\n");
  }

  void Junk(At at, const trace::SaidJunk& said) override {
    Put("{\"type\":\"junk\"");
    Time(at);
    Direction(said.direction);
    Put(",\"reason\":\"");
    Put(wire::Name(said.junk->reason));
    Put("\",\"size\":");
    AppendNumber(said.junk->size, out_);
    const std::string_view bytes = said.junk->bytes;
    if (body_ || said.junk->size <= kWholeJunk) Text("text", "base64", bytes);
    Put("}\n");
  }

  void StderrLine(At at, std::string_view line) override {
    Put("{\"type\":\"stderr\"");
    Time(at);
    Text("text", "base64", line);
    Put("}\n");
  }

  void Event(At at, int64_t unix_ns, const trace::Event& event) override {
    Put("{\"type\":\"event\"");
    Time(at);
    if (unix_ns != 0) {
      Put(",\"time\":\"");
      AppendUtc(unix_ns, out_);
      *out_ += '"';
    }
    Put(",\"event\":");
    wire::AppendJsonOnOneLine(trace::ToJson(event), out_);
    Put("}\n");
  }

  void Damage(const trace::Damage& damage) override {
    Put("{\"type\":\"damage\",\"offset\":");
    AppendNumber(damage.offset, out_);
    Put(",\"size\":");
    AppendNumber(damage.bytes, out_);
    Put(",\"reason\":");
    wire::AppendJsonString(damage.reason, out_);
    Put("}\n");
  }

 private:
  // Not operator+=: of a literal it counts the characters at run time.
  void Put(std::string_view text) { out_->append(text.data(), text.size()); }

  // Longer junk is a frame that was cut off; its text comes with --body only.
  static constexpr size_t kWholeJunk = wire::kMaxUndecided;

  void Time(At at) {
    if (!at) return;
    Put(",\"at_ns\":");
    AppendNumber(*at, out_);
  }

  void Direction(wire::Direction direction) {
    Put(",\"dir\":\"");
    Put(wire::ShortName(direction));
    *out_ += '"';
  }

  void Said(std::string_view start, At at, const SaidMessage& said) {
    const wire::Message& message = *said.message;
    Put(start);
    AppendNumber(said.number, out_);
    Time(at);
    Direction(said.direction);
    Put(",\"kind\":\"");
    Put(wire::Name(message.kind));
    *out_ += '"';
    if (const std::string_view method = MethodOf(said); !method.empty()) {
      Put(",\"method\":");
      Short(method);
    }
    if (message.id.present()) Id(message.id);
    if (message.IsAnswer()) Answer(said);
  }

  // What only a message that is a frame of its own has.
  void Whole(const SaidMessage& said) {
    Put(",\"size\":");
    AppendNumber(said.frame->size, out_);
    Put(",\"body_size\":");
    AppendNumber(said.frame->body_size, out_);
    remarks_.clear();
    AppendRemarks(said, &remarks_);
    if (remarks_.empty()) return;
    Put(",\"remarks\":");
    AppendNames(remarks_, out_);
  }

  void Answer(const SaidMessage& said) {
    const wire::Message& message = *said.message;
    if (said.request) {
      Put(",\"request\":");
      AppendNumber(said.request->number, out_);
    }
    if (const std::optional<int64_t> latency = LatencyOf(said)) {
      Put(",\"latency_ns\":");
      AppendNumber(*latency, out_);
    }
    if (message.kind != wire::Kind::kError) return;
    if (message.error_code) {
      Put(",\"code\":");
      AppendNumber(*message.error_code, out_);
    }
    Put(",\"error\":");
    Short(message.error_message);
  }

  // A JSON string, with a short cut for plain text.
  void Short(std::string_view text) {
    const bool plain = wire::PlainPrefix(text) == text.size() && text.find('"') == text.npos &&
                       text.find('\\') == text.npos;
    if (!plain) return wire::AppendJsonString(text, out_);
    *out_ += '"';
    Put(text);
    *out_ += '"';
  }

  void Id(const wire::Id& id) {
    if (IsPlainToken(id)) {
      Put(",\"id\":");
      Put(id.token);
    } else if (wire::IsJson(id.token)) {
      Put(",\"id\":");
      wire::AppendJsonOnOneLine(id.token, out_);
    } else {  // cut, or not JSON
      Put(",\"id_text\":");
      wire::AppendJsonString(id.token, out_);
    }
  }

  void Text(std::string_view text_key, std::string_view base64_key, std::string_view bytes) {
    const bool utf8 = wire::IsUtf8(bytes);
    Put(",\"");
    Put(utf8 ? text_key : base64_key);
    Put("\":");
    if (utf8) return wire::AppendJsonString(bytes, out_);
    *out_ += '"';
    trace::AppendBase64(bytes, out_);
    *out_ += '"';
  }

  void Body(const wire::Frame& frame) {
    const std::string_view body = frame.body();
    if (!frame.whole()) Put(",\"body_cut\":true");
    if (frame.whole() && wire::IsJson(body)) {
      Put(",\"body\":");
      wire::AppendJsonOnOneLine(body, out_);
    } else {
      Text("body_text", "body_base64", body);
    }
  }

  const bool body_;
  std::string* out_;
  std::string remarks_;
};

}  // namespace

std::unique_ptr<Printer> MakeJsonPrinter(const PrintOptions& options, std::string* out) {
  return std::make_unique<JsonPrinter>(options, out);
}

}  // namespace midwire::view
