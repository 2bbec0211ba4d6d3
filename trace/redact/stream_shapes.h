// Replaces what looks like a secret (shapes.h) in a stream of reads, for a recorder. A recorder
// must not write the beginning of a secret before it knows that it is one. So the end of a stream,
// at most kMaxHeld bytes, is held back as long as it may be such a beginning. This begins at the
// last blank, quote or bracket, or at a member "value" whose object has not ended. A complete
// message ends in a bracket: nothing of it is held. What comes out has the length of what went in.
// Called by StreamRedactor (stream_redactor.h); forwarded bytes never pass it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/redact/patterns.h"
#include "trace/redact/tokens.h"

namespace midwire::trace::redact {

// Secrets in a stream that no expression finds. The name that shows them is far away, as in a list
// of cookies ([{"name":"sid","value":"..."}]), or the value would be harmless in a text:
// "apiKey":"string", which there is a type. Follows JSON texts that are not within strings. Keeps
// where it is in such a list, no values.
class StreamMembers {
 public:
  // A part of `text`, all of it from `from` on.
  struct Part {
    size_t at = 0, size = 0;
  };
  // `text` from `from` on follows what the call before had; what precedes it is known already.
  std::vector<Part> Find(std::string_view text, size_t from);

 private:
  void FindTypes(std::string_view text, size_t from, std::vector<Part>* found) const;
  size_t EnterCookies(std::string_view text, size_t from);
  size_t PassCookies(std::string_view text, size_t at, std::vector<Part>* found);
  void EndString(std::string_view text, size_t end, std::vector<Part>* found);

  size_t depth_ = 0;  // open containers from the list of cookies on; 0: in none
  bool in_string_ = false, escape_ = false;
  bool value_due_ = false;  // the next string is the value of a cookie, or this one is
  std::string string_;      // its beginning, to compare with "value"
  size_t string_at_ = 0;    // where it goes on in the text of this call
  bool begun_before_ = false;
};

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
