#include "tools/probing/probe.h"

#include "wire/decoder.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using wire::Framing;

constexpr int64_t kMethodNotFound = -32601;  // JSON-RPC 2.0, section 5.1

// Ordered by how well an answer identifies the protocol.
constexpr Probe kProbes[] = {
    {"MCP", Framing::kLine,
     R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
     R"("capabilities":{},"clientInfo":{"name":"midwire-doctor","version":"1"}}})",
     "serverInfo"},
    {"ACP", Framing::kLine,
     R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,)"
     R"("clientCapabilities":{}}})",
     "agentCapabilities"},
    {"LSP", Framing::kContentLength,
     R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,)"
     R"("capabilities":{}}})",
     "capabilities"},
    {"DAP", Framing::kContentLength,
     R"({"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"midwire"}})",
     ""},
};

class Listener : public wire::FrameHandler {
 public:
  explicit Listener(const Probe& probe) : probe_(probe) {}

  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    if (message.kind == wire::Kind::kInvalid) return Stray(frame.body());
    ++received.messages;
    // No plugin asks its host to initialize: this is the request, perhaps spelled otherwise.
    if (message.kind == wire::Kind::kRequest && message.method == "initialize")
      received.echo = true;
    if (!message.IsAnswer() || message.id.token != "1" ||
        received.answer != Received::Answer::kNone) {
      return;
    }
    received.other_framing = frame.framing != probe_.framing;
    if (message.kind == wire::Kind::kError) {
      received.answer = Received::Answer::kError;
      received.error = message.error_message;
      received.unknown_method = message.error_code == kMethodNotFound;
      if (message.error_code)
        received.error = std::to_string(*message.error_code) + ", " + received.error;
      return;
    }
    const auto json = wire::ParseJson(frame.body());
    const wire::Json* result = json ? json->Find("result") : nullptr;
    const bool dap = (message.flags & wire::kDap) != 0;
    const bool marked = probe_.mark.empty()
                            ? dap
                            : !dap && result != nullptr && result->Find(probe_.mark) != nullptr;
    received.answer = marked ? Received::Answer::kExpected : Received::Answer::kOther;
  }
  void OnJunk(const wire::Junk& junk) override {
    if (junk.reason != wire::JunkReason::kBlank) Stray(junk.bytes);
  }

  Received received;

 private:
  void Stray(std::string_view bytes) {
    if (received.stray++ == 0) {
      received.first_stray = bytes.substr(0, std::min(bytes.find_first_of("\r\n"), kMaxStray));
    }
  }

  const Probe& probe_;
};

}  // namespace

std::span<const Probe> Probes() { return kProbes; }

std::string BytesOf(const Probe& probe) {
  const std::string body(probe.request);
  if (probe.framing == Framing::kLine) return body + "\n";
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

Received Judge(const Probe& probe, std::string_view out, bool ended) {
  Listener listener(probe);
  wire::Decoder decoder;
  decoder.Feed(out, &listener);
  Received received = listener.received;
  decoder.Finish(&listener);
  if (ended) return listener.received;
  received.no_line_end = received.answer != listener.received.answer;
  return received;
}

}  // namespace midwire::tools
