// What an in-process run costs: midwire's decoder, a small dispatcher, midwire's mutator. For
// libFuzzer, which counts the runs.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/harness/harness.h"
#include "wire/decoder.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace {

namespace wire = midwire::wire;

class Dispatcher : public wire::FrameHandler {
 public:
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    if (message.kind != wire::Kind::kRequest) return;
    const std::string_view body = wire::Trimmed(frame.body());
    if (!wire::IsLooseJson(body)) return;
    std::string answer = R"({"jsonrpc":"2.0","id":)" + message.id.token;
    answer += message.method == "echo" ? ",\"result\":" : ",\"error\":";
    wire::JsonParts parts(body);
    wire::JsonPart part;
    while (parts.Next(&part)) {
      if (part.name == "\"params\"") answer += part.value;
    }
    said_ += answer.size();
  }
  void OnJunk(const wire::Junk& junk) override { said_ += junk.bytes.size(); }
  size_t said() const { return said_; }

 private:
  size_t said_ = 0;
};

}  // namespace

MIDWIRE_FUZZ_MUTATORS()

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Dispatcher dispatcher;
  wire::Decoder decoder(wire::Framing::kContentLength);
  decoder.Feed({reinterpret_cast<const char*>(data), size}, &dispatcher);
  decoder.Finish(&dispatcher);
  return dispatcher.said() == SIZE_MAX;
}
