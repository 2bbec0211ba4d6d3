// The tokens of one JSON text, kept for callers that read them more than once: what each is and
// where. Filled where a message is split (message_scanner.h), or from a text. Pure.
//
// Peers repeat themselves: a message often has the members of an earlier one, in the same order and
// spelling, and other scalars. Such a text is compared with the earlier one between its scalars,
// which takes a fourth of the time of reading it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/cursor.h"
#include "wire/json/read_loose.h"

namespace midwire::wire {

// What texts have in common that differ only in their scalars.
struct JsonShape {
  // The bytes before each scalar and after the last one.
  struct Part {
    uint32_t at = 0, size = 0;          // in `bytes`
    uint32_t first_token = 0, end = 0;  // those in the part: brackets and names; then the scalar
  };
  std::string bytes;
  std::vector<Part> parts;
  std::vector<uint32_t> places;  // of the tokens, in `bytes`; a scalar's is where its part ends
};

class JsonTokens {
 public:
  // Tokens that are kept: 48 KiB. Texts with more are rare, and are read a second time.
  static constexpr size_t kMost = 4096;
  // Longer texts between the scalars, or more tokens, are no shape: their messages are few.
  static constexpr size_t kMostOfShape = 512, kMostBytesOfShape = 16 * 1024;

  // Places, not views: the text may be copied before its tokens are read.
  struct Token {
    uint32_t at, size;
    JsonToken type;  // none but kOpen, kClose, kName and kScalar
    std::string_view In(std::string_view text) const { return {text.data() + at, size}; }
  };

  // Where the value ends that the text begins with (ReadLooseValue), or null. What was read before
  // it proved to be no JSON is kept too.
  const char* ReadValue(std::string_view text) {
    NoSink none;
    return ReadValue(text, &none);
  }
  // The same, and calls the sink for each token, as ReadLooseValue does.
  template <typename Sink>
  const char* ReadValue(std::string_view text, Sink* sink);

  // After ReadValue of the same text: its shape, if it is none that is too long.
  void MakeShape(std::string_view text);
  // The same as ReadValue of a text that begins with a value of the shape that was made. Null: its
  // shape is another one, or it is no JSON, and the tokens are of no text.
  const char* ReadLike(std::string_view text);
  bool has_shape() const { return shape_ != nullptr; }
  // Of the tokens that ReadLike has read; null: they are not its. What was found out about one text
  // of a shape, apart from its scalars, holds for all.
  const std::shared_ptr<const JsonShape>& known_shape() const { return known_shape_; }

  const Token* begin() const { return tokens_.get(); }
  const Token* end() const { return end_; }
  // Whether all are kept.
  bool complete() const { return complete_; }
  // Bytes of the text up to the end of the value; 0: it was no JSON.
  size_t size() const { return size_; }

 private:
  struct NoSink {
    void Name(const char*, const char*, bool, size_t) {}
    void Scalar(const char*, const char*, size_t) {}
    void Open(const char*, size_t) {}
    void Close(const char*, size_t) {}
  };
  template <typename Sink>
  struct Writer;

  std::unique_ptr<Token[]> tokens_;
  const Token* end_ = nullptr;
  size_t size_ = 0;
  bool complete_ = false;
  std::shared_ptr<const JsonShape> shape_, known_shape_;
  std::vector<uint32_t> starts_;  // of the shape's parts, in the text
};

// All in registers: half of the time of reading would be to keep a vector up to date.
template <typename Sink>
struct JsonTokens::Writer {
  const char* const text;
  Token* to;
  Token* const last;
  Sink* const sink;
  bool complete = true;

  void Add(const char* from, const char* end, JsonToken type) {
    if (to == last) {
      complete = false;
      return;
    }
    *to++ = {static_cast<uint32_t>(from - text), static_cast<uint32_t>(end - from), type};
  }
  void Name(const char* from, const char* end, bool plain, size_t depth) {
    Add(from, end, JsonToken::kName);
    sink->Name(from, end, plain, depth);
  }
  void Scalar(const char* from, const char* end, size_t depth) {
    Add(from, end, JsonToken::kScalar);
    sink->Scalar(from, end, depth);
  }
  void Open(const char* at, size_t depth) {
    Add(at, at + 1, JsonToken::kOpen);
    sink->Open(at, depth);
  }
  void Close(const char* at, size_t depth) {
    Add(at, at + 1, JsonToken::kClose);
    sink->Close(at, depth);
  }
};

template <typename Sink>
const char* JsonTokens::ReadValue(std::string_view text, Sink* sink) {
  if (!tokens_) tokens_ = std::make_unique_for_overwrite<Token[]>(kMost);
  shape_.reset();
  known_shape_.reset();
  const size_t room = text.size() <= UINT32_MAX ? kMost : 0;
  Writer<Sink> writer{text.data(), tokens_.get(), tokens_.get() + room, sink};
  const char* const stop = ReadLooseValue(text, &writer);
  end_ = writer.to;
  complete_ = writer.complete;
  size_ = stop ? static_cast<size_t>(stop - text.data()) : 0;
  return stop;
}

}  // namespace midwire::wire
