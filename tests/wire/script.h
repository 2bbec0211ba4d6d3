// The test language of the decoder: feed a stream in some chunking, read back what came out as
// lines such as "line {...}" or "junk(text) banner", or as whole items.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/decoder.h"
#include "wire/json_tokens.h"

namespace midwire::wire {

struct Item {
  bool frame = false;
  std::string bytes, body;
  Framing framing = Framing::kLine;
  Oddities oddities = 0;
  JunkReason reason = JunkReason::kText;
  Message message;
  std::string tokens;  // each with its type, if the frame has them

  // "line body", "line!shared-line body", "content-length body", "junk(text) bytes".
  std::string Text() const {
    if (!frame) return "junk(" + std::string(Name(reason)) + ") " + bytes;
    const std::string odd = OdditiesText(oddities);
    return std::string(Name(framing)) + (odd.empty() ? "" : "!" + odd) + " " + body;
  }
  bool operator==(const Item& other) const {
    return Text() == other.Text() && bytes == other.bytes && message.kind == other.message.kind &&
           message.method == other.message.method && message.id == other.message.id &&
           message.flags == other.message.flags && message.error_code == other.message.error_code &&
           message.error_message == other.message.error_message;
  }
};

inline std::string TokensText(const JsonTokens& tokens, std::string_view text) {
  std::string all;
  for (const JsonTokens::Token& token : tokens) {
    all += std::string(1, "<>:="[static_cast<int>(token.type)]) + std::string(token.In(text)) + " ";
  }
  return all;
}

class Collector : public FrameHandler {
 public:
  void OnFrame(const Frame& frame, const Message& message) override {
    items.push_back({true, std::string(frame.bytes), std::string(frame.body()), frame.framing,
                     frame.oddities, JunkReason::kText, message});
    if (frame.tokens) items.back().tokens = TokensText(*frame.tokens, frame.body());
  }
  void OnJunk(const Junk& junk) override {
    Item item;
    item.bytes = junk.bytes;
    item.reason = junk.reason;
    items.push_back(item);
  }
  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (const Item& item : items) texts.push_back(item.Text());
    return texts;
  }
  std::vector<Item> items;
};

// cut(position) gives the size of the chunk that starts there.
template <typename Cut>
std::vector<Item> DecodeCut(std::string_view stream, Framing framing, Cut cut,
                            Framing expected = Framing::kAuto, Detail detail = Detail::kMessages) {
  Decoder decoder(framing, kKeepBytes, detail);
  decoder.Expect(expected);
  Collector collector;
  for (size_t at = 0; at < stream.size();) {
    const size_t size = cut(at);
    // A separate copy, so that a view kept beyond the call shows under asan.
    const std::string chunk(stream.substr(at, size));
    decoder.Feed(chunk, &collector);
    at += size;
  }
  decoder.Finish(&collector);
  return collector.items;
}

inline std::vector<Item> Decode(std::string_view stream, Framing framing = Framing::kAuto) {
  return DecodeCut(stream, framing, [&](size_t) { return stream.size(); });
}

inline std::vector<Item> DecodeByteByByte(std::string_view stream,
                                          Framing framing = Framing::kAuto) {
  return DecodeCut(stream, framing, [](size_t) { return size_t{1}; });
}

inline std::vector<std::string> Texts(const std::vector<Item>& items) {
  std::vector<std::string> texts;
  for (const Item& item : items) texts.push_back(item.Text());
  return texts;
}

inline std::string Concatenated(const std::vector<Item>& items) {
  std::string all;
  for (const Item& item : items) all += item.bytes;
  return all;
}

}  // namespace midwire::wire
