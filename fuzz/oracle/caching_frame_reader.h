// Splits one direction into frames and inspects each of them. Frames that it has inspected before
// are found in a cache by their bytes, so that they are neither split nor inspected again. The
// result is the same as without the cache. Called by ProtocolOracle for both directions. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "fuzz/oracle/fixed_cache.h"
#include "fuzz/oracle/message_info.h"
#include "wire/decoder.h"

namespace midwire::fuzz {

// Longer batches are not cached: one of hundreds of "{}" takes a hundred times its bytes.
inline constexpr size_t kMaxElements = 8;

// Info: what an inspected frame is turned into (message_info.h).
template <typename Info>
class CachingFrameReader : private wire::FrameHandler {
 public:
  struct Owner {
    std::function<Info(const wire::Frame&, const wire::Message&)> inspect;
    std::function<void(const Info&, std::string_view bytes)> on_frame;
    std::function<void(const wire::Junk&)> on_junk;
  };
  // keep_bytes: as for wire::Decoder.
  explicit CachingFrameReader(Owner owner, size_t keep_bytes = wire::kKeepBytes)
      : owner_(std::move(owner)), keep_bytes_(keep_bytes) {}

  // A stream begins. The cache stays, and so does a decoder that reads what follows like the start
  // of a stream: making one costs as much as several messages from the cache.
  void Start(wire::Framing framing) {
    const bool same = decoder_ && framing == framing_ && framing != wire::Framing::kAuto;
    if (!same || !decoder_->at_line_start()) decoder_.emplace(framing, keep_bytes_);
    framing_ = framing;
  }
  // Splits the bytes into pieces of one frame each, as far as their length is known at once.
  void Feed(std::string_view bytes) {
    while (!bytes.empty()) {
      const wire::Framing framing = decoder_->framing();
      const bool fresh = decoder_->at_line_start() && framing != wire::Framing::kAuto;
      const bool lines = framing == wire::Framing::kLine;
      const size_t plain = fresh || lines ? PlainFrame(bytes, framing) : 0;
      const std::string_view piece = plain != 0 ? bytes.substr(0, plain) : bytes;
      bytes.remove_prefix(piece.size());
      const Info* known = fresh && plain != 0 ? cache_.Find(piece) : nullptr;
      if (known != nullptr) {
        owner_.on_frame(*known, piece);
      } else {
        FeedNew(piece, fresh);
      }
    }
  }
  // The stream has ended.
  void Finish() { decoder_->Finish(this); }
  const wire::Decoder& decoder() const { return *decoder_; }

 private:
  // Only frames at the start of a line are cached: one that follows a message without its newline
  // is on the same line, and is read differently.
  void FeedNew(std::string_view piece, bool fresh) {
    piece_ = piece;
    whole_.reset();
    decoder_->Feed(piece, this);
    if (whole_ && fresh) cache_.Keep(piece, *std::exchange(whole_, {}));
  }
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override {
    Info info = owner_.inspect(frame, message);
    owner_.on_frame(info, frame.bytes);
    const bool all =
        frame.whole() && frame.bytes.data() == piece_.data() && frame.size == piece_.size();
    if (all && message.elements.size() <= kMaxElements) whole_ = std::move(info);
  }
  void OnJunk(const wire::Junk& junk) override { owner_.on_junk(junk); }

  const Owner owner_;
  const size_t keep_bytes_;
  std::optional<wire::Decoder> decoder_;
  wire::Framing framing_ = wire::Framing::kAuto;  // that of Start
  FixedCache<Info> cache_;
  std::string_view piece_;     // the piece that is being fed
  std::optional<Info> whole_;  // of the frame that is all of the piece
};

}  // namespace midwire::fuzz
