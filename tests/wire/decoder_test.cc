#include "wire/decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/wire/script.h"

namespace midwire::wire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Every case runs whole and byte by byte, and must reproduce its input.
std::vector<std::string> Decoded(std::string_view stream, Framing framing = Framing::kAuto) {
  const std::vector<Item> whole = Decode(stream, framing);
  EXPECT_EQ(Texts(whole), Texts(DecodeByteByByte(stream, framing)));
  EXPECT_EQ(Concatenated(whole), stream);
  return Texts(whole);
}

TEST(DecoderTest, NothingSentIsNothing) { EXPECT_THAT(Decoded(""), IsEmpty()); }

TEST(DecoderTest, TwoLines) {
  EXPECT_THAT(Decoded("{\"id\":1}\n{\"id\":2}\n"),
              ElementsAre("line {\"id\":1}", "line {\"id\":2}"));
}

TEST(DecoderTest, ContentLength) {
  EXPECT_THAT(Decoded("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n{ }"),
              ElementsAre("content-length {}", "content-length { }"));
}

TEST(DecoderTest, HeadBodyAndTailOfAFrame) {
  const auto items = Decode("Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(items[0].bytes, "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(items[0].body, "{}");
}

TEST(DecoderTest, BannerBeforeTheFirstMessage) {
  EXPECT_THAT(Decoded("hello, ready\n{}\n"), ElementsAre("junk(text) hello, ready\n", "line {}"));
}

TEST(DecoderTest, BannerBeforeTheFirstHeader) {
  EXPECT_THAT(Decoded("INFO: ready\nContent-Length: 2\r\n\r\n{}"),
              ElementsAre("junk(text) INFO: ready\n", "content-length {}"));
}

TEST(DecoderTest, BannerWithCrLfBeforeALine) {
  EXPECT_THAT(Decoded("INFO: ready\r\n{}\r\n"),
              ElementsAre("junk(text) INFO: ready\r\n", "line!crlf {}"));
}

TEST(DecoderTest, AnEmptyLineIsBlankAmongLinesAndStrayBetweenHeaders) {
  EXPECT_THAT(Decoded("\n{}\n\n"), ElementsAre("junk(blank) \n", "line {}", "junk(blank) \n"));
  EXPECT_THAT(Decoded("\nContent-Length: 2\r\n\r\n{}\n"),
              ElementsAre("junk(blank) \n", "content-length {}", "junk(stray-blank) \n"));
}

// What comes in a stream whose framing is expected, but not known.
std::vector<std::string> Expecting(Framing framing, std::string_view stream) {
  const auto cut = [&](size_t size) {
    return DecodeCut(
        stream, Framing::kAuto, [=](size_t) { return size; }, framing);
  };
  EXPECT_EQ(Texts(cut(1)), Texts(cut(stream.size())));
  return Texts(cut(1));
}

TEST(DecoderTest, ALogOfJsonBeforeTheFirstHeaderThatIsExpected) {
  const char* stream = "{\"level\":\"info\"}\nContent-Length: 2\r\n\r\n{}";
  EXPECT_THAT(Expecting(Framing::kContentLength, stream),
              ElementsAre("junk(text) {\"level\":\"info\"}\n", "content-length {}"));
  EXPECT_THAT(Decoded(stream), ElementsAre("line {\"level\":\"info\"}", "content-length {}"));
}

TEST(DecoderTest, LinesWhereHeadersAreExpectedAreMessages) {
  const std::string call = R"({"jsonrpc":"2.0","method":"a"})";
  const std::string dap = R"({"seq":1,"type":"event","event":"a"})";
  for (const std::string& line : {call, dap}) {
    EXPECT_THAT(Expecting(Framing::kContentLength, line + "\n{}\n"),
                ElementsAre("line " + line, "line {}"));
  }
}

TEST(DecoderTest, HeadersWhereLinesAreExpectedAreFrames) {
  EXPECT_THAT(Expecting(Framing::kLine, "Content-Length: 2\r\n\r\n{}"),
              ElementsAre("content-length {}"));
}

TEST(DecoderTest, BracketedLogLineIsJunk) {
  EXPECT_THAT(Decoded("[INFO] up\n[12:30] x\n{}\n"),
              ElementsAre("junk(text) [INFO] up\n", "junk(text) [12:30] x\n", "line {}"));
}

TEST(DecoderTest, Batches) {
  EXPECT_THAT(Decoded("[{},{}]\n[]\n[1,2]\n [ {} ] \n"),
              ElementsAre("line [{},{}]", "line []", "line [1,2]", "line!blanks-around [ {} ]"));
}

TEST(DecoderTest, TwoObjectsOnOneLine) {
  EXPECT_THAT(Decoded("{\"a\":1} {\"b\":2}\n{}\n"),
              ElementsAre("line!shared-line {\"a\":1}", "line!shared-line {\"b\":2}", "line {}"));
}

TEST(DecoderTest, TextAfterAnObjectIsJunk) {
  EXPECT_THAT(Decoded("{} done\n{}\n"),
              ElementsAre("line!trailing-bytes {}", "junk(text) done\n", "line {}"));
}

TEST(DecoderTest, TokensOfWhatCameInOneChunk) {
  const auto tokens = [](std::string_view stream, size_t chunk) {
    return DecodeCut(
               stream, Framing::kAuto, [&](size_t) { return chunk; }, Framing::kAuto,
               Detail::kTokens)
        .at(0)
        .tokens;
  };
  constexpr std::string_view kTokens = R"(<{ :"a" <[ =1 >] :"b" ="c" >} )";
  EXPECT_EQ(tokens("{\"a\":[1], \"b\":\"c\"}\r\n", 100), kTokens);
  EXPECT_EQ(tokens("Content-Length: 18\r\n\r\n{\"a\":[1],\n\"b\":\"c\"}", 100), kTokens);
  EXPECT_EQ(tokens("{\"a\":[1],\"b\":\"c\"}\n", 7), "");
  EXPECT_EQ(tokens("{\"a\":[1],\"b\":\"c\",}\n", 100), "") << "no JSON";
  EXPECT_EQ(tokens("[{\"a\":[1]}]\n", 100), "") << "a batch";
}

TEST(DecoderTest, BracesInStringsDoNotCount) {
  EXPECT_THAT(Decoded("{\"a\":\"}{\\\"}\"}\n"), ElementsAre("line {\"a\":\"}{\\\"}\"}"));
}

TEST(DecoderTest, EmptyLinesAreBlankJunk) {
  EXPECT_THAT(Decoded("\n{}\n \r\n"),
              ElementsAre("junk(blank) \n", "line {}", "junk(blank)  \r\n"));
}

TEST(DecoderTest, UnterminatedLastLine) {
  EXPECT_THAT(Decoded("{}\n{\"a\":1}"), ElementsAre("line {}", "line!unterminated {\"a\":1}"));
}

TEST(DecoderTest, LastLineCutOffInTheMiddle) {
  EXPECT_THAT(Decoded("{}\n{\"a\":"), ElementsAre("line {}", "junk(truncated) {\"a\":"));
}

TEST(DecoderTest, BodyCutOff) {
  EXPECT_THAT(Decoded("Content-Length: 9\r\n\r\n{}"),
              ElementsAre("junk(truncated) Content-Length: 9\r\n\r\n{}"));
}

TEST(DecoderTest, ARawNewlineEndsALineThatIsNoJson) {
  EXPECT_THAT(Decoded("{\"a\n{}\n"), ElementsAre("line {\"a", "line {}"));
}

TEST(DecoderTest, ByteOrderMark) {
  EXPECT_THAT(Decoded("\xef\xbb\xbf{}\n"), ElementsAre("line!byte-order-mark {}"));
}

TEST(DecoderTest, InvalidUtf8AndNulAreNotedAndKept) {
  EXPECT_THAT(Decoded("{\"\xed\xa0\x80\"}\n"), ElementsAre("line!invalid-utf8 {\"\xed\xa0\x80\"}"));
  const std::string nul("{\"\0\"}\n", 6);
  EXPECT_THAT(Decoded(nul), ElementsAre("line!nul-byte " + nul.substr(0, 5)));
}

TEST(DecoderTest, UnicodeLineSeparatorEndsNoLine) {
  EXPECT_THAT(Decoded("{\"\u2028\"}\n"), ElementsAre("line {\"\u2028\"}"));
}

struct HeaderCase {
  const char* header;
  const char* item;
};

TEST(DecoderTest, HeadersOddButUnambiguous) {
  const HeaderCase cases[] = {
      {"Content-Length: 2\n\n", "content-length!lf-only {}"},
      {"Content-Length: 2\r\nContent-Type: x\r\n\r\n", "content-length!extra-header {}"},
      {"Content-Type: x\r\nContent-Length: 2\r\n\r\n", "content-length!extra-header {}"},
      {"X-Trace: 9\r\nContent-Length: 2\r\n\r\n", "content-length!extra-header {}"},
      {"Content-Length: 002\r\n\r\n", "content-length!leading-zeros {}"},
      {"Content-Length: +2\r\n\r\n", "content-length!signed-length {}"},
      {"content-length: 2\r\n\r\n", "content-length!header-case {}"},
      {"Content-Length:2\r\n\r\n", "content-length!header-spacing {}"},
      {"Content-Length:  2 \r\n\r\n", "content-length!header-spacing {}"},
      {"Content-Length : 2\r\n\r\n", "content-length!header-spacing {}"},
      {" Content-Length: 2\r\n\r\n", "content-length!indented-header {}"},
      {"\tContent-Length: 2\r\n\r\n", "content-length!indented-header {}"},
      {"Content-Length: 2\r\nContent-Length: 2\r\n\r\n", "content-length!repeated-length {}"},
  };
  for (const HeaderCase& c : cases)
    EXPECT_THAT(Decoded(std::string(c.header) + "{}"), ElementsAre(c.item)) << c.header;
}

TEST(DecoderTest, HeadersThatPeersReadDifferentlyAreJunk) {
  for (const char* value :
       {"-2", "x", "", "99999999999999999999", "4294967297", "2\r\nContent-Length: 3"}) {
    const std::string header = "Content-Length: " + std::string(value) + "\r\n\r\n";
    const auto items = Decoded(header + "Content-Length: 2\r\n\r\n{}", Framing::kContentLength);
    EXPECT_THAT(items, ElementsAre("junk(bad-header) " + header, "content-length {}")) << value;
  }
}

TEST(DecoderTest, LengthHeaderAsEndOfAnotherNameIsNoLength) {
  EXPECT_THAT(Decoded("X-Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}"),
              ElementsAre("content-length!extra-header {}"));
}

TEST(DecoderTest, EmptyBody) {
  EXPECT_THAT(Decoded("Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}"),
              ElementsAre("content-length!empty-body ", "content-length {}"));
}

TEST(DecoderTest, ResynchronisesAfterALengthThatWasTooShort) {
  EXPECT_THAT(
      Decoded("Content-Length: 3\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}"),
      ElementsAre("content-length {\"a", "junk(text) \":1}", "content-length!resynchronised {}"));
}

TEST(DecoderTest, PrintWithoutNewlineBeforeAHeader) {
  EXPECT_THAT(Decoded("loading... Content-Length: 2\r\n\r\n{}"),
              ElementsAre("junk(text) loading... ", "content-length!resynchronised {}"));
}

TEST(DecoderTest, JsonLogLineBeforeHeadersDoesNotDecideTheFraming) {
  EXPECT_THAT(Decoded("{\"level\":\"info\"}\nContent-Length: 2\r\n\r\n{}"),
              ElementsAre("line {\"level\":\"info\"}", "content-length {}"));
}

TEST(DecoderTest, BytesAfterTheJsonTextOfABody) {
  EXPECT_THAT(Decoded("Content-Length: 4\r\n\r\n{}{}"),
              ElementsAre("content-length!trailing-bytes {}{}"));
  EXPECT_THAT(Decoded("Content-Length: 4\r\n\r\n{}\r\n"),
              ElementsAre("content-length!blanks-around {}\r\n"));
}

TEST(DecoderTest, HeaderLinesThatEndInCrCrLf) {
  EXPECT_THAT(Decoded("Content-Length: 2\r\r\n\r\r\n{}Content-Length: 3\r\r\n\r\r\n{ }"),
              ElementsAre("content-length!doubled-cr {}", "content-length!doubled-cr { }"));
  EXPECT_THAT(Decoded("print\r\r\n{}\n"), ElementsAre("junk(text) print\r\r\n", "line {}"));
}

TEST(DecoderTest, ALengthThatCountsTheStartOfTheNextHeader) {
  for (const size_t counted : {1, 5, 14, 15}) {
    EXPECT_THAT(Decoded("Content-Length: " + std::to_string(7 + counted) +
                        "\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}"),
                ElementsAre("content-length!long-length {\"a\":1}", "content-length {}"))
        << counted;
  }
}

TEST(DecoderTest, ABodyThatEndsInLettersIsNoHeader) {
  EXPECT_THAT(Decoded("Content-Length: 5\r\n\r\n{}CooContent-Length: 2\r\n\r\n{}"),
              ElementsAre("content-length!trailing-bytes {}Coo", "content-length {}"));
  EXPECT_THAT(Decoded("Content-Length: 10\r\n\r\n{\"a\":\"}C\"}"),
              ElementsAre("content-length {\"a\":\"}C\"}"));
  EXPECT_THAT(Decoded("Content-Length: 9\r\n\r\n{\"a\":\"}C"),
              ElementsAre("junk(truncated) Content-Length: 9\r\n\r\n{\"a\":\"}C"));
}

TEST(DecoderTest, ALineThatIsAMessageStaysOneAfterAHeader) {
  const std::string line = R"({"jsonrpc":"2.0","id":1,"result":"x"})";
  EXPECT_THAT(Decoded("Content-Length: 2\r\n\r\n{}\n" + line + "\n" + line +
                      "\nContent-Length: 3\r\n\r\n{ }"),
              ElementsAre("content-length {}", "junk(stray-blank) \n", "line!other-framing " + line,
                          "line " + line, "content-length { }"));
}

TEST(DecoderTest, ALineThatIsNoMessageOfJsonRpcIsJunkAfterAHeader) {
  for (const std::string line : {R"({"level":"info","method":"x"})", R"({"jsonrpc":"2.0")",
                                 R"({"jsonrpc":"2.0","id":1,})", R"({"jsonrpc":"2.0"})"}) {
    EXPECT_THAT(Decoded("Content-Length: 2\r\n\r\n{}" + line + "\n"),
                ElementsAre("content-length {}", "junk(text) " + line + "\n"));
  }
}

TEST(DecoderTest, ALengthThatIsTooLongOfAFrameThatIsTooLongToBeHeld) {
  const std::string large = "{\"a\":\"" + std::string(2 * kMaxUndecided, 'x') + "\"}";
  Decoder decoder(Framing::kAuto, kMaxUndecided);
  Collector frames;
  for (const char byte : "Content-Length: " + std::to_string(large.size() + 7) + "\r\n\r\n" +
                             large + "Content-Length: 8\r\n\r\n{\"id\":2}") {
    decoder.Feed({&byte, 1}, &frames);
  }
  ASSERT_EQ(frames.items.size(), 2u);
  EXPECT_EQ(frames.items[1].bytes, "Content-Length: 8\r\n\r\n{\"id\":2}");
  EXPECT_EQ(frames.items[1].body, "{\"id\":2}");
}

TEST(DecoderTest, ALineAfterAHeaderThatHasOneInATextOrIsLong) {
  const std::string line = R"({"jsonrpc":"2.0","id":1,"result":"Content-Length: 3"})";
  const std::string longer =
      R"({"jsonrpc":"2.0","id":1,"result":[")" + std::string(kMaxUndecided, 'x') + "\"]}";
  for (const std::string& text : {line, longer}) {
    EXPECT_THAT(Decoded("Content-Length: 2\r\n\r\n{}" + text + "\n"),
                ElementsAre("content-length {}", "line!other-framing " + text));
  }
}

TEST(DecoderTest, ForcedLineFramingTakesHeadersForJunk) {
  EXPECT_THAT(Decoded("Content-Length: 2\r\n\r\n{}\n", Framing::kLine),
              ElementsAre("junk(text) Content-Length: 2\r\n", "junk(blank) \r\n", "line {}"));
}

TEST(DecoderTest, JunkWithoutEndComesInPieces) {
  const std::string noise(3 * kMaxUndecided, 'x');
  const auto items = Decode(noise + "\n{}\n");
  EXPECT_EQ(items.back().Text(), "line {}");
  for (const Item& item : items) EXPECT_LE(item.bytes.size(), kMaxUndecided);
  EXPECT_EQ(Texts(items), Texts(DecodeByteByByte(noise + "\n{}\n")));
}

TEST(DecoderTest, AFrameAboveKeepBytesIsCutButItsSizeIsTrue) {
  Decoder decoder(Framing::kAuto, kMaxUndecided);
  struct : FrameHandler {
    void OnFrame(const Frame& frame, const Message& message) override {
      size = frame.size, held = frame.bytes.size(), method = message.method;
    }
    void OnJunk(const Junk&) override {}
    uint64_t size = 0, held = 0;
    std::string method;
  } seen;
  decoder.Feed("{\"params\":\"", &seen);
  for (int i = 0; i < 100; ++i) decoder.Feed(std::string(1000, 'x'), &seen);
  decoder.Feed("\",\"method\":\"m\"}\n", &seen);
  EXPECT_EQ(seen.size, 11 + 100'000 + 15 + 1u);
  EXPECT_EQ(seen.held, kMaxUndecided);
  EXPECT_EQ(seen.method, "m");
}

// Quadratic buffering would take minutes here (the test's time limit is its assertion).
TEST(DecoderTest, EightMegabytesByteByByte) {
  const std::string start = "{\"method\":\"big\",\"params\":[";
  Decoder decoder(Framing::kAuto, 1 << 20);
  Collector collector;
  decoder.Feed(start, &collector);
  const std::string piece = "{\"a\":\"b\"},";
  const size_t bytes = piece.size() * ((8u << 20) / piece.size());
  for (size_t i = 0; i < bytes; ++i) decoder.Feed({&piece[i % piece.size()], 1}, &collector);
  decoder.Feed("0]}\n", &collector);
  ASSERT_EQ(collector.items.size(), 1u);
  EXPECT_EQ(collector.items[0].message.method, "big");
  EXPECT_EQ(collector.items[0].bytes.size(), 1u << 20);
}

TEST(DecoderTest, ManySmallFramesByteByByte) {
  const std::string frame = "Content-Length: 17\r\n\r\n{\"method\":\"tick\"}";
  Decoder decoder;
  struct : FrameHandler {
    void OnFrame(const Frame&, const Message& message) override {
      count += message.method == "tick";
    }
    void OnJunk(const Junk&) override {}
    int count = 0;
  } seen;
  for (int i = 0; i < 50'000; ++i) {
    for (const char& c : frame) decoder.Feed({&c, 1}, &seen);
  }
  EXPECT_EQ(seen.count, 50'000);
}

}  // namespace
}  // namespace midwire::wire
