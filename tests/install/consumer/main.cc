// A stranger's program: decodes a line, as doc/ shows, and makes a tape of it, so that every
// library that midwire is linked with has to be found too.
#include <iostream>

#include "trace/tape_encoder.h"
#include "wire/decoder.h"

struct Printer : midwire::wire::FrameHandler {
  void OnFrame(const midwire::wire::Frame&, const midwire::wire::Message& message) override {
    std::cout << Name(message.kind) << " " << message.method << "\n";
  }
  void OnJunk(const midwire::wire::Junk&) override { std::cout << "junk\n"; }
};

int main() {
  const std::string line = R"({"jsonrpc":"2.0","id":1,"method":"plugin/health"})"
                           "\n";
  Printer printer;
  midwire::wire::Decoder decoder;
  decoder.Feed(line, &printer);
  std::string tape;
  midwire::trace::AppendTapeStart(&tape);
  midwire::trace::AppendRecord({.stream = midwire::trace::Stream::kHostToPlugin, .body = line},
                               &tape);
  return tape.size() > line.size() ? 0 : 1;
}
