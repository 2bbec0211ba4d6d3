#include "fuzz/input.h"

#include <gtest/gtest.h>

#include "fuzz/mutate/mutator.h"
#include "wire/decoder.h"

namespace midwire::fuzz {
namespace {

using namespace std::string_literals;
using wire::Framing;

constexpr char kHeaders[] =
    "Content-Length: 2\r\n\r\n{}"
    "content-length:  12\r\nContent-Type: x\r\n\r\n{\"id\":    1}";

TEST(InputTest, ItsPartsHaveAllBytes) {
  for (const std::string& text :
       {""s, "{}\n[1]\nnot json\n{\"a\":"s, std::string(kHeaders), "\0\xff\n\n{"s, "{}{}\n"s}) {
    EXPECT_EQ(ParseInput(text).Bytes(), text);
  }
}

// What a decoder makes of a text that it gets byte by byte: a line for each part.
class Cut : public wire::FrameHandler {
 public:
  explicit Cut(const std::string& text) {
    wire::Decoder decoder;
    for (const char c : text) decoder.Feed({&c, 1}, this);
    decoder.Finish(this);
  }
  void OnFrame(const wire::Frame& frame, const wire::Message&) override {
    Add(frame.bytes, frame.head().size(), frame.tail().size(), frame.framing);
  }
  void OnJunk(const wire::Junk& junk) override { Add(junk.bytes, 0, 0, Framing::kAuto); }
  void Add(std::string_view bytes, size_t head, size_t tail, Framing framing) {
    parts += std::string(wire::Name(framing)) + " " + std::to_string(head) + " " +
             std::to_string(tail) + " " + std::string(bytes) + "|\n";
  }
  std::string parts;
};
std::string PartsOf(const std::string& text) {
  Cut cut("");
  for (const Part& part : ParseInput(text).parts) {
    cut.Add(part.bytes, part.head, part.tail, part.framing);
  }
  return cut.parts;
}

TEST(InputTest, FramesInTheUsualFormAreCutAsByTheDecoder) {
  const std::string two = "Content-Length: 2\r\n\r\n{}Content-Length: 8\r\n\r\n{\"id\":1}";
  for (const std::string& rest :
       {""s, "text\n"s, "{\"method\":\"x\"}\n"s, "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n"s,
        "{}\n"s, "Content-Length: 9\r\n\r\n{}"s, "Content-Length: 02\r\n\r\n{}"s,
        "Content-Length: 0\r\n\r\n{}"s, "Content-Length: 3\r\n\r\n{}C"s,
        "Content-Length: 2\r\n{}\r\n\r\n"s,
        "Content-Length: 9\r\n\r\n{\"id\":1}Content-Length: 2\r\n\r\n{}"s,
        "Content-Length: 3\r\n\r\n{}Content-Length: 2\r\n\r\n{}"s}) {
    EXPECT_EQ(PartsOf(two + rest), Cut(two + rest).parts);
    EXPECT_EQ(PartsOf(rest + two), Cut(rest + two).parts);
    EXPECT_EQ(PartsOf(rest), Cut(rest).parts);
  }
}

TEST(InputTest, MutantsAreCutAsByTheDecoder) {
  const Vocabulary none;
  const Mutator mutator(&none, {.max_size = 512});
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Input input = ParseInput(std::string(kHeaders) + kHeaders);
    for (uint64_t turn = 0; turn < 1 + seed % 3; ++turn) mutator.Mutate(&input, seed + turn);
    ASSERT_EQ(PartsOf(input.Bytes()), Cut(input.Bytes()).parts) << seed;
  }
}

TEST(InputTest, JunkHasNoHeadAndNoTail) {
  const Input input = ParseInput("starting up\n{}\n");
  ASSERT_EQ(input.parts.size(), 2u);
  EXPECT_TRUE(input.parts[0].junk());
  EXPECT_EQ(input.parts[0].body(), "starting up\n");
  EXPECT_EQ(input.parts[1].body(), "{}");
  EXPECT_EQ(input.framing(), Framing::kLine);
}

TEST(InputTest, ALongerBodyHasItsLengthInTheHeaderThatWas) {
  Input input = ParseInput(kHeaders);
  ASSERT_EQ(input.parts.size(), 2u);
  input.parts[1].SetBody("{\"id\":\"a longer one\"}");
  EXPECT_EQ(input.parts[1].bytes,
            "content-length:  21\r\nContent-Type: x\r\n\r\n{\"id\":\"a longer one\"}");
  EXPECT_EQ(input.parts[1].body(), "{\"id\":\"a longer one\"}");
  EXPECT_EQ(input.parts[0].bytes, "Content-Length: 2\r\n\r\n{}");
}

TEST(InputTest, ALineKeepsItsEnd) {
  Input input = ParseInput("{}\r\n");
  input.parts[0].SetBody("[]");
  EXPECT_EQ(input.Bytes(), "[]\r\n");
}

TEST(InputTest, AFrameOfItsOwnParsesAsSuch) {
  for (const Framing framing : {Framing::kLine, Framing::kContentLength}) {
    const Part made = Framed(R"({"method":"x"})", framing);
    const Input again = ParseInput(made.bytes);
    ASSERT_EQ(again.parts.size(), 1u);
    EXPECT_EQ(again.parts[0].body(), made.body());
    EXPECT_EQ(again.parts[0].framing, framing);
  }
}

TEST(InputTest, PartsBeyondTheLimitStayTogether) {
  std::string text;
  for (size_t i = 0; i < kMaxParts + 10; ++i) text += "{}\n";
  const Input input = ParseInput(text);
  EXPECT_EQ(input.parts.size(), kMaxParts);
  EXPECT_EQ(input.Bytes(), text);
}

}  // namespace
}  // namespace midwire::fuzz
