// A reader: cuts one direction into frames, reads each of them, and knows those that it has read
// before by their bytes, so that they are neither cut nor read again. What it tells is the same as
// without a memory.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "fuzz/oracle/fixed_cache.h"
#include "fuzz/oracle/message_info.h"
#include "wire/decoder.h"

namespace midwire::fuzz {

// Of a batch that is remembered.
inline constexpr size_t kMaxElements = 8;

template <typename Reading>
class CachingFrameReader : private wire::FrameHandler {
 public:
  struct Owner {
    std::function<Reading(const wire::Frame&, const wire::Message&)> read;
    std::function<void(const Reading&, std::string_view bytes)> on_frame;
    std::function<void(const wire::Junk&)> on_junk;
  };
  // keep_bytes: as the decoder's.
  explicit CachingFrameReader(Owner owner, size_t keep_bytes = wire::kKeepBytes)
      : owner_(std::move(owner)), keep_bytes_(keep_bytes) {}

  // A stream begins.
  void Start(wire::Framing framing) { decoder_.emplace(framing, keep_bytes_); }
  // In pieces of one frame each, as far as that shows at once.
  void Feed(std::string_view bytes) {
    while (!bytes.empty()) {
      const wire::Framing framing = decoder_->framing();
      const bool fresh = decoder_->at_line_start() && framing != wire::Framing::kAuto;
      const bool lines = framing == wire::Framing::kLine;
      const size_t plain = fresh || lines ? PlainFrame(bytes, framing) : 0;
      const std::string_view piece = plain != 0 ? bytes.substr(0, plain) : bytes;
      bytes.remove_prefix(piece.size());
      const Reading* known = fresh && plain != 0 ? memo_.Find(piece) : nullptr;
      if (known != nullptr) {
        owner_.on_frame(*known, piece);
      } else {
        FeedNew(piece, fresh);
      }
    }
  }
  // Its end.
  void Finish() { decoder_->Finish(this); }
  const wire::Decoder& decoder() const { return *decoder_; }

 private:
  // Behind a message without its newline, the next shares its line, and is read otherwise than
  // where a line begins: only what was fresh is remembered.
  void FeedNew(std::string_view piece, bool fresh) {
    piece_ = piece;
    whole_.reset();
    decoder_->Feed(piece, this);
    if (whole_ && fresh) memo_.Keep(piece, *std::exchange(whole_, {}));
  }
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    Reading reading = owner_.read(frame, message);
    owner_.on_frame(reading, frame.bytes);
    const bool all =
        frame.whole() && frame.bytes.data() == piece_.data() && frame.size == piece_.size();
    // A batch of hundreds of "{}" takes a hundred times what its bytes do.
    if (all && message.elements.size() <= kMaxElements) whole_ = std::move(reading);
  }
  void OnJunk(const wire::Junk& junk) override { owner_.on_junk(junk); }

  const Owner owner_;
  const size_t keep_bytes_;
  std::optional<wire::Decoder> decoder_;
  FixedCache<Reading> memo_;
  std::string_view piece_;        // that is fed
  std::optional<Reading> whole_;  // of all of it
};

}  // namespace midwire::fuzz
