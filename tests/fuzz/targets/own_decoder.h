// The project's own decoder under the kit: its output, including oddities and messages, does not
// depend on the chunking; frames and junk together are the stream. Included by the targets, one per
// framing.
#pragma once

#include <midwire/fuzz/harness.h>

#include <string>
#include <string_view>

#include "fuzz/harness/report.h"
#include "wire/decoder.h"

namespace midwire::wire {

inline void Broken(std::string_view rule, const char* text) {
  if (fuzz::IsNewFault(std::string(rule))) fuzz::ReportFailure({.rule = rule, .text = text});
}

// One line for all that is known of a piece, then its bytes.
class Teller : public FrameHandler {
 public:
  explicit Teller(const fuzz::Emit& emit) : emit_(emit) {}
  void OnFrame(const Frame& frame, const Message& message) override {
    if (frame.body_offset + frame.body_size > frame.size) Broken("body", "outside its frame");
    Report("frame " + std::to_string(frame.body_offset) + " " + std::to_string(frame.body_size) +
               " " + OdditiesText(frame.oddities) + " " + std::string(Name(message.kind)) + " " +
               std::to_string(message.flags) + " " + message.id.token + " " + message.method,
           frame.bytes);
  }
  void OnJunk(const Junk& junk) override {
    Report("junk " + std::string(Name(junk.reason)), junk.bytes);
  }
  size_t size() const { return size_; }

 private:
  void Report(std::string piece, std::string_view bytes) {
    piece += '\n';
    piece += bytes;
    size_ += bytes.size();
    emit_(piece);
  }
  const fuzz::Emit& emit_;
  size_t size_ = 0;
};

template <Framing framing>
class OwnDecoder {
 public:
  void feed(std::string_view bytes, const fuzz::Emit& emit) {
    Teller teller(emit);
    decoder_.Feed(bytes, &teller);
    given_ += bytes.size();
    delivered_ += teller.size();
  }
  void finish(const fuzz::Emit& emit) {
    Teller teller(emit);
    decoder_.Finish(&teller);
    if (given_ != delivered_ + teller.size()) Broken("lossless", "bytes are lost or made up");
  }

 private:
  Decoder decoder_{framing};
  size_t given_ = 0, delivered_ = 0;
};

}  // namespace midwire::wire
