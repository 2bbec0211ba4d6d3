#include <set>

#include "tests/fuzz/mutate/mutants.h"

namespace midwire::fuzz {
namespace {

using testing::Test;

constexpr std::string_view kRequestBody =
    R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"text"}})";

// All that one makes of a frame with a header.
std::vector<std::string> Framings(std::string_view mutator) {
  return Made(mutator, kRequestBody, Framing::kContentLength);
}

bool Has(const std::vector<std::string>& made, const std::string& bytes) {
  return std::find(made.begin(), made.end(), bytes) != made.end();
}

std::string With(std::string_view head) { return std::string(head) + std::string(kRequestBody); }

const std::string kSize = std::to_string(kRequestBody.size());

TEST(MutateStreamTest, ALengthLiesAndTheBodyStays) {
  EXPECT_TRUE(
      Has(Framings("stream.negative-length"), With("Content-Length: -" + kSize + "\r\n\r\n")));
  EXPECT_TRUE(Has(Framings("stream.huge-length"), With("Content-Length: 2147483647\r\n\r\n")));
  EXPECT_TRUE(Has(
      Framings("stream.length-above-2^32"),
      With("Content-Length: " + std::to_string((1ull << 32) + kRequestBody.size()) + "\r\n\r\n")));
  EXPECT_TRUE(Has(Framings("stream.length-empty"), With("Content-Length: \r\n\r\n")));
  EXPECT_TRUE(
      Has(Framings("stream.length-leading-zero"), With("Content-Length: 0" + kSize + "\r\n\r\n")));
  EXPECT_TRUE(Has(Framings("stream.length-off-by-one"),
                  With("Content-Length: " + std::to_string(kRequestBody.size() + 1) + "\r\n\r\n")));
  EXPECT_TRUE(
      Has(Framings("stream.length-signed"), With("Content-Length: +" + kSize + "\r\n\r\n")));
  EXPECT_TRUE(Has(Framings("stream.length-not-number"),
                  With("Content-Length: " + kSize + "," + kSize + "\r\n\r\n")));
}

TEST(MutateStreamTest, AHeaderIsOddAndItsLengthRight) {
  for (const char* name : {"stream.header-case", "stream.content-type", "stream.long-header",
                           "stream.many-headers", "stream.length-leading-zero"}) {
    size_t decoded = 0;
    for (const std::string& bytes : Framings(name)) {
      const Read read(bytes);
      if (bytes.size() > 20'000) continue;  // more header than the decoder takes
      ASSERT_EQ(read.frames.size(), 1u) << name << ": " << Shown(bytes);
      EXPECT_EQ(read.frames[0].body, kRequestBody);
      EXPECT_NE(read.frames[0].oddities, 0u) << name << ": " << Shown(bytes);
      ++decoded;
    }
    EXPECT_GT(decoded, 0u) << name;
  }
}

TEST(MutateStreamTest, ALengthIsOffByAPowerOfTwo) {
  const uint64_t size = kRequestBody.size();
  for (const auto& [name, bit] :
       {std::pair("stream.length-above-2^31", 31), std::pair("stream.length-above-2^53", 53),
        std::pair("stream.length-above-2^63", 63)}) {
    const std::string length = std::to_string((uint64_t{1} << bit) + size);
    EXPECT_TRUE(Has(Framings(name), With("Content-Length: " + length + "\r\n\r\n"))) << name;
  }
}

TEST(MutateStreamTest, ANameIsLikeTheRightOne) {
  const auto made = Framings("stream.name-alike");
  EXPECT_TRUE(Has(made, With("ContentLength: " + kSize + "\r\n\r\n")));
  EXPECT_TRUE(Has(made, With("Content-Lengths: 1\r\nContent-Length: " + kSize + "\r\n\r\n")));
}

TEST(MutateStreamTest, ALengthHasAUnitOrBlanksOrAnotherBase) {
  EXPECT_TRUE(
      Has(Framings("stream.length-unit"), With("Content-Length: " + kSize + " bytes\r\n\r\n")));
  EXPECT_TRUE(
      Has(Framings("stream.length-blanks"), With("Content-Length: 1 " + kSize + "\r\n\r\n")));
  EXPECT_TRUE(Has(Framings("stream.length-hexadecimal"), With("Content-Length: 0000003b\r\n\r\n")));
}

TEST(MutateStreamTest, AHeaderIsFoldedOverTwoLines) {
  EXPECT_TRUE(
      Has(Framings("stream.header-folded"), With("Content-Length:\r\n\t" + kSize + "\r\n\r\n")));
}

TEST(MutateStreamTest, TwoLengthsDiffer) {
  for (const std::string& bytes : Framings("stream.lengths-differ")) {
    const size_t second = bytes.find("Content-Length: ", 1);
    ASSERT_NE(second, bytes.npos);
    EXPECT_NE(bytes.substr(0, second), bytes.substr(second, second)) << Shown(bytes);
  }
}

TEST(MutateStreamTest, AHeaderBlockIsAsLongAsALimitOrOneByteOff) {
  std::set<size_t> sizes;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Input input;
    input.parts.push_back(Framed(kRequestBody, Framing::kContentLength));
    ASSERT_TRUE(Apply(*Named("stream.header-block"), &input, 0, seed, Vocabulary(), 1u << 20));
    const std::string bytes = input.Bytes();
    EXPECT_TRUE(bytes.ends_with(With("Content-Length: " + kSize + "\r\n\r\n")));
    sizes.insert(bytes.size() - kRequestBody.size());
  }
  EXPECT_EQ(sizes.size(), 21u);
  EXPECT_EQ(*sizes.begin(), 1023u);
  EXPECT_EQ(*sizes.rbegin(), 64u * 1024 + 1);
  EXPECT_TRUE(sizes.contains(4096));
}

TEST(MutateStreamTest, CharactersAreFewerThanBytes) {
  const std::vector<std::string> made = Framings("stream.length-in-characters");
  ASSERT_FALSE(made.empty());
  for (const std::string& bytes : made) {
    const size_t body = bytes.find("\r\n\r\n") + 4;
    EXPECT_LT(std::stoul(bytes.substr(bytes.find(' '))), bytes.size() - body);
  }
}

TEST(MutateStreamTest, AHeaderIsForFramesThatHaveOne) {
  for (const char* name : {"stream.negative-length", "stream.header-case", "stream.length-twice",
                           "stream.body-before-header"}) {
    EXPECT_TRUE(Made(name, kRequestBody, Framing::kLine).empty()) << name;
  }
  for (const char* name : {"stream.crlf", "stream.no-terminator", "stream.two-on-a-line"}) {
    EXPECT_TRUE(Made(name, kRequestBody, Framing::kContentLength).empty()) << name;
  }
}

TEST(MutateStreamTest, ALineEndsOtherwise) {
  Input input;
  input.parts.push_back(Framed("{}", Framing::kLine));
  input.parts.push_back(Framed("[]", Framing::kLine));
  ASSERT_TRUE(Apply(*Named("stream.no-terminator"), &input, 0, 1, Vocabulary()));
  EXPECT_EQ(input.Bytes(), "{}[]\n");
}

TEST(MutateStreamTest, WhatStandsBetweenLeavesTheMessageWhole) {
  for (const char* name : {"stream.junk-line", "stream.pollution", "stream.blank-lines",
                           "stream.nul", "stream.invalid-utf8", "stream.byte-order-mark"}) {
    for (const Framing framing : {Framing::kLine, Framing::kContentLength}) {
      const std::vector<std::string> made = Made(name, kRequestBody, framing);
      EXPECT_FALSE(made.empty()) << name;
      for (const std::string& bytes : made) {
        EXPECT_NE(bytes.find(kRequestBody), bytes.npos) << name;
      }
    }
  }
}

TEST(MutateStreamTest, TheOtherFramingIsRightInItself) {
  const std::vector<std::string> made = Framings("stream.other-framing");
  ASSERT_FALSE(made.empty());
  for (const std::string& bytes : made) {
    EXPECT_EQ(bytes, std::string(kRequestBody) + "\n");
  }
}

TEST(MutateStreamTest, WhatWasChangedHereCountsAsJunk) {
  Input input;
  input.parts.push_back(Framed(kRequestBody, Framing::kContentLength));
  ASSERT_TRUE(Apply(*Named("stream.negative-length"), &input, 0, 1, Vocabulary()));
  EXPECT_TRUE(input.parts[0].junk());
}

}  // namespace
}  // namespace midwire::fuzz
