// Property: for any stream, valid or damaged, frames and junk concatenate to the input and do not
// depend on the chunking. Streams are generated from a seed, which the failure message contains.
#include <gtest/gtest.h>

#include <random>

#include "tests/wire/script.h"

namespace midwire::wire {
namespace {

class StreamGenerator {
 public:
  explicit StreamGenerator(uint32_t seed) : random_(seed) {}

  size_t Below(size_t limit) { return random_() % limit; }

  template <size_t N>
  std::string_view Any(const std::string_view (&choices)[N]) {
    return choices[Below(N)];
  }

  std::string Body() {
    static constexpr std::string_view kBodies[] = {
        R"({"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":[1,{"y":"}\""}]}})",
        R"({"jsonrpc":"2.0","id":"1","result":null})",
        R"({"id":1.0,"error":{"code":-32601,"message":"no","data":{"code":1}}})",
        R"([{"id":1,"method":"m"},{"method":"n"},3])",
        R"({"seq":3,"type":"event","event":"output"})",
        R"({"\u006dethod":"tools\/call"})",
        R"({"method":"tools\/call","id":"\u0031","jsonrpc":"2\u002e0"})",
        R"({"id":1,"error":{"code":"x","message":"a\nb","code":7},"error":null,"id":{"id":2}})",
        R"({"a":{"error":{"code":1}},"error":[{"code":1}],"id":2,"result":"r"})",
        R"({"seq":1,"type":"response","request_seq":2,"success":false,"message":"no","command":"c"})",
        R"( { "id" : 7 , "result" : [ ] } )",
        R"({"method":"a\/b","id":1,"method":"c"})",
        // Of the shapes of some above, with other scalars.
        R"({"jsonrpc":"2.1","id":"a\"b","method":null,"params":{"x":[true,{"y":"a long text"}]}})",
        R"({"jsonrpc":"2.0","id":0.5e1,"method":"\n","params":{"x":[01,{"y":""}]}})",
        R"({"id":"","error":{"code":"x","message":7,"data":{"code":null}}})",
        R"({"id":2,"error":{"code":3,"message":"\u00e4","data":{"code":false}},"more":1})",
        R"({"seq":30,"type":"request","event":"a longer name than before"})",
        "{}",
        "[]",
        "[1,2]",
        "{\"a\":\"\\\\\"}",
        "{\"a\" : \"\xff\xfe\"}",
        "{\"\xed\xa0\x80\":1}",
    };
    return std::string(Any(kBodies));
  }

  std::string Piece() {
    static constexpr std::string_view kNoise[] = {"hello\n",
                                                  "[INFO] up\n",
                                                  "INFO: x\r\n",
                                                  "\n",
                                                  " \t\r\n",
                                                  "\xef\xbb\xbf",
                                                  "{",
                                                  "}",
                                                  "\"",
                                                  "Content-Length: ",
                                                  "Content-Length: 5\r\n",
                                                  "\r\n\r\n",
                                                  "[",
                                                  "]",
                                                  "[ ",
                                                  "\\",
                                                  "X-A: b\n",
                                                  "content-length:7\n\n",
                                                  "Content-Length: 18446744073709551616\r\n\r\n",
                                                  "{}",
                                                  "\r",
                                                  "Conten",
                                                  "Content-Length: -1\r\n\r\n",
                                                  "Content-Type: y\r\n"};
    const std::string body = Body();
    switch (Below(6)) {
      case 0:
      case 1:
        return body + (Below(4) ? "\n" : "\r\n");
      case 2:
      case 3:
        return "Content-Length: " + std::to_string(body.size() + Below(20) / 19) + "\r\n\r\n" +
               body;
      case 4:
        return "content-LENGTH:" + std::to_string(body.size()) + "\nX: y\n\n" + body;
      default:
        return std::string(Any(kNoise));
    }
  }

  std::string Stream() {
    std::string stream;
    for (size_t pieces = 1 + Below(8); pieces > 0; --pieces) stream += Piece();
    if (Below(3) == 0) {  // damage
      for (size_t flips = 1 + Below(4); flips > 0; --flips) {
        stream[Below(stream.size())] = static_cast<char>(Below(256));
      }
    }
    if (Below(4) == 0) stream.resize(Below(stream.size() + 1));
    return stream;
  }

 private:
  std::mt19937 random_;
};

class DecoderPropertyTest : public testing::TestWithParam<Framing> {};

TEST_P(DecoderPropertyTest, OutputIsTheInputWhateverTheChunking) {
  for (uint32_t seed = 0; seed < 5'000; ++seed) {
    StreamGenerator generator(seed);
    const std::string stream = generator.Stream();
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + testing::PrintToString(stream));
    const std::vector<Item> whole = Decode(stream, GetParam());
    ASSERT_EQ(Concatenated(whole), stream);
    ASSERT_EQ(whole, DecodeByteByByte(stream, GetParam()));
    ASSERT_EQ(whole, DecodeCut(stream, GetParam(), [&](size_t) { return 1 + generator.Below(9); }));
  }
}

TEST_P(DecoderPropertyTest, WithTokensTheFramesAreTheSame) {
  for (uint32_t seed = 0; seed < 5'000; ++seed) {
    StreamGenerator generator(seed);
    const std::string stream = generator.Stream();
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + testing::PrintToString(stream));
    const size_t most = seed % 2 ? 400 : 9;
    const std::vector<Item> items = DecodeCut(
        stream, GetParam(), [&](size_t) { return 1 + generator.Below(most); }, Framing::kAuto,
        Detail::kTokens);
    ASSERT_EQ(items, Decode(stream, GetParam()));
    for (const Item& item : items) {
      if (item.tokens.empty()) continue;
      JsonTokens again;
      ASSERT_NE(again.ReadValue(item.body), nullptr);
      ASSERT_EQ(item.tokens, TokensText(again, item.body));
    }
  }
}

// Where the stream is cut: the sizes of frames and (negative) of junk.
struct Cuts : SplitHandler {
  void OnPart(Part part, std::string_view bytes) override {
    if (part != Part::kUndecided) decided += bytes.size();
  }
  void OnResolve(Part, size_t count) override { decided += count; }
  void OnFrameEnd(const FrameEnd&, const Message&) override { End(1); }
  void OnJunkEnd(JunkReason) override { End(-1); }
  void End(int sign) {
    sizes.push_back(sign * decided);
    decided = 0;
  }
  std::vector<long> sizes;
  long decided = 0;
};

TEST_P(DecoderPropertyTest, WithoutMessagesTheCutIsTheSame) {
  for (uint32_t seed = 0; seed < 5'000; ++seed) {
    StreamGenerator generator(seed);
    std::string stream;  // one piece per line: doubtful lines ("{}]{}") may be cut differently
    for (int pieces = 0; pieces < 6; ++pieces) stream += generator.Piece() + "\n";
    Splitter full(GetParam()), quick(GetParam(), Detail::kBoundaries);
    Cuts expected, cuts;
    full.Feed(stream, &expected);
    for (size_t at = 0; at < stream.size();) {
      const size_t size = 1 + generator.Below(200);
      quick.Feed(std::string_view(stream).substr(at, size), &cuts);
      at += size;
    }
    full.Finish(&expected);
    quick.Finish(&cuts);
    ASSERT_EQ(cuts.sizes, expected.sizes)
        << "seed " << seed << ": " << testing::PrintToString(stream);
  }
}

INSTANTIATE_TEST_SUITE_P(Framings, DecoderPropertyTest,
                         testing::Values(Framing::kAuto, Framing::kLine, Framing::kContentLength),
                         [](const auto& info) {
                           return info.param == Framing::kContentLength
                                      ? std::string("content_length")
                                      : std::string(Name(info.param));
                         });

}  // namespace
}  // namespace midwire::wire
