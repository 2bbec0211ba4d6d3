// Replaces what looks like a secret (shapes.h) in a stream of reads, for a recorder, which must not
// write the beginning of a secret before it knows that it is one. So it holds the end of a stream
// back as long as it may be the beginning of one: at most kMaxHeld bytes, from the last blank,
// quote or bracket on. A complete message ends in a bracket: nothing of it is held. What comes out
// has the length of what went in. Called by proxy/recorder.cc; forwarded bytes never pass it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/redact/patterns.h"
#include "trace/redact/stream_members.h"
#include "trace/redact/tokens.h"

namespace midwire::trace::redact {

class StreamShapes {
 public:
  // Longer words are content, or tokens that begin like a known one and are replaced as they come.
  // A killed recorder loses at most this per stream.
  static constexpr size_t kMaxHeld = 4096;

  // `patterns`: with the shapes; outlives it.
  StreamShapes(const Patterns* patterns, const TokenKey& key) : patterns_(patterns), key_(key) {}

  // The next bytes. Appends to *out what may be recorded now.
  void Feed(std::string_view bytes, std::string* out);
  // The stream has ended, or a pause that counts as its end: nothing is held any longer.
  void Finish(std::string* out);
  size_t held() const { return held_.size(); }

 private:
  enum class Inside : uint8_t { kNothing, kWord, kPrivateKey };

  void Release(size_t size, std::string* out);
  bool PassInside(std::string* out);
  bool EnterPrivateKey(std::string* out);
  void Overflow(size_t word, std::string* out);
  void Enter(Inside inside);
  void Remember(std::string_view released);
  char TokenOfByte(char c);

  const Patterns* patterns_;
  TokenKey key_;
  StreamMembers members_;
  std::string before_;  // the last bytes that were released, as they came
  std::string held_;
  Inside inside_ = Inside::kNothing;  // of a secret too long to be held
  // Of that secret: bytes that belong to a JSON escape, dashes in a row, all bytes so far.
  size_t escape_ = 0, dashes_ = 0, size_ = 0;
};

}  // namespace midwire::trace::redact
