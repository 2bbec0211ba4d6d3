#include "fuzz/input.h"

#include <gtest/gtest.h>

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
