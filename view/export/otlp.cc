// Ids are hashes of the session and the number of the request, so that equal traces give equal
// bytes. Attributes: OpenTelemetry's semantic conventions for RPC and JSON-RPC, 1.38 and later.
#include <algorithm>

#include "view/export/export_trace.h"
#include "view/page/strings.h"
#include "wire/json/ascii.h"
#include "wire/json/unescape.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

constexpr int kClient = 3, kError = 2;  // SPAN_KIND_CLIENT, STATUS_CODE_ERROR

// FNV-1a, 64 bits: spreads well enough for ids that no adversary gains from.
uint64_t Hash(std::string_view text, uint64_t seed) {
  uint64_t hash = 14695981039346656037u ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash == 0 ? 1 : hash;
}

// A string without its quotes.
std::string PlainId(const std::string& token) {
  return token.starts_with('"') ? wire::StringValue(token) : token;
}

std::string Hex(uint64_t value) {
  std::string text;
  wire::AppendHex(value, 16, &text);
  return text;
}

class OtlpWriter {
 public:
  explicit OtlpWriter(const ExportTrace& trace) : trace_(trace) {}

  std::string Write() {
    json_.Open('{');
    json_.Key("resourceSpans").Open('[');
    for (size_t i = 0; i < trace_.sessions.size(); ++i) Session(i);
    json_.Close(']');
    json_.Close('}');
    out_ += '\n';
    return std::move(out_);
  }

 private:
  void TextAttribute(std::string_view key, std::string_view value) {
    json_.Open('{');
    json_.Key("key").Text(key);
    json_.Key("value").Open('{');
    json_.Key("stringValue").Text(PageText(value));
    json_.Close('}');
    json_.Close('}');
  }
  void TrueAttribute(std::string_view key) {
    json_.Open('{');
    json_.Key("key").Text(key);
    json_.Key("value").Open('{');
    json_.Key("boolValue").Bool(true);
    json_.Close('}');
    json_.Close('}');
  }
  void ErrorStatus(std::string_view message) {
    json_.Key("status").Open('{');
    json_.Key("code").Number(kError);
    json_.Key("message").Text(PageText(message));
    json_.Close('}');
  }
  // 64-bit integers are strings in OTLP's JSON.
  void NumberAttribute(std::string_view key, int64_t value) {
    json_.Open('{');
    json_.Key("key").Text(key);
    json_.Key("value").Open('{');
    json_.Key("intValue").Text(std::to_string(value));
    json_.Close('}');
    json_.Close('}');
  }

  std::string SessionSeed(size_t session) const {
    const PageSession& from = trace_.sessions[session];
    return from.command + '\n' + std::to_string(from.start_ns) + '\n' + std::to_string(session);
  }
  std::string SpanId(size_t index) const {
    const ExportRow& row = trace_.rows[index];
    return Hex(Hash(SessionSeed(row.session) + '\n' + std::to_string(index), 2));
  }
  // The trace and the parent of a call: those that the message names, else those of the call that
  // it belongs to.
  void Context(size_t index, std::string* trace_id, std::string* parent) const {
    const ExportRow& row = trace_.rows[index];
    *parent = "";
    if (!row.traceparent.empty()) {
      *trace_id = row.traceparent.substr(3, 32);
      *parent = row.traceparent.substr(36, 16);
      return;
    }
    // A chain of reverse calls has few links; each is an earlier row.
    if (row.parent != kNoExport && row.parent < index &&
        trace_.rows[row.parent].kind == RowKind::kRequest) {
      *parent = SpanId(row.parent);
      size_t root = row.parent;
      while (trace_.rows[root].traceparent.empty() && trace_.rows[root].parent < root) {
        root = trace_.rows[root].parent;
      }
      if (!trace_.rows[root].traceparent.empty()) {
        *trace_id = trace_.rows[root].traceparent.substr(3, 32);
        return;
      }
    }
    const std::string seed = SessionSeed(row.session);
    *trace_id = Hex(Hash(seed, 0)) + Hex(Hash(seed, 1));
  }

  void Session(size_t session) {
    const PageSession& from = trace_.sessions[session];
    json_.Open('{');
    json_.Key("resource").Open('{');
    json_.Key("attributes").Open('[');
    TextAttribute("service.name", from.title.empty() ? "plugin" : from.title);
    if (!from.command.empty()) TextAttribute("process.command_line", from.command);
    json_.Close(']');
    json_.Close('}');
    json_.Key("scopeSpans").Open('[');
    json_.Open('{');
    json_.Key("scope").Open('{');
    json_.Key("name").Text("midwire");
    json_.Key("version").Text(trace_.version);
    json_.Close('}');
    json_.Key("spans").Open('[');
    for (size_t i = 0; i < trace_.rows.size(); ++i) {
      if (trace_.rows[i].session == session && trace_.rows[i].kind == RowKind::kRequest) Span(i);
    }
    json_.Close(']');
    json_.Close('}');
    json_.Close(']');
    json_.Close('}');
  }

  void Span(size_t index) {
    const ExportRow& row = trace_.rows[index];
    const PageSession& session = trace_.sessions[row.session];
    const ExportRow* answer = row.answer == kNoExport ? nullptr : &trace_.rows[row.answer];
    const int64_t end_ns = answer != nullptr ? answer->at_ns : session.duration_ns;
    std::string trace_id, parent;
    Context(index, &trace_id, &parent);
    json_.Open('{');
    json_.Key("traceId").Text(trace_id);
    json_.Key("spanId").Text(SpanId(index));
    if (!parent.empty()) json_.Key("parentSpanId").Text(parent);
    json_.Key("name").Text(PageText(NameOf(row)));
    json_.Key("kind").Number(kClient);
    json_.Key("startTimeUnixNano").Text(std::to_string(session.start_ns + row.at_ns));
    json_.Key("endTimeUnixNano")
        .Text(std::to_string(session.start_ns + std::max(row.at_ns, end_ns)));
    json_.Key("attributes").Open('[');
    TextAttribute("rpc.system.name", "jsonrpc");
    TextAttribute("rpc.method", row.method);
    if (!row.id.empty() && row.id != "null") TextAttribute("jsonrpc.request.id", PlainId(row.id));
    TextAttribute("midwire.direction", row.direction == 0 ? "host-to-plugin" : "plugin-to-host");
    NumberAttribute("midwire.number", static_cast<int64_t>(row.number));
    if (!row.label.empty()) TextAttribute("midwire.label", row.label);
    if (answer == nullptr)
      TrueAttribute(row.cancelled ? "midwire.cancelled" : "midwire.unanswered");
    if (answer != nullptr && answer->code) {
      TextAttribute("rpc.response.status_code", std::to_string(*answer->code));
    }
    if (answer != nullptr && answer->failed) {
      // "_OTHER" is for errors that have no short name.
      TextAttribute("error.type", answer->code ? std::to_string(*answer->code) : "_OTHER");
    }
    json_.Close(']');
    if (answer != nullptr && answer->failed) ErrorStatus(answer->failure);
    // Tools list the spans with this status: a call that hangs is what they are searched for.
    if (answer == nullptr && !row.cancelled) ErrorStatus("no answer");
    json_.Close('}');
  }

  const ExportTrace& trace_;
  std::string out_;
  wire::JsonWriter json_{&out_};
};

}  // namespace

std::string OtlpJson(const ExportTrace& trace) { return OtlpWriter(trace).Write(); }

}  // namespace midwire::view
