#include "replay/play/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace midwire::replay {
namespace {

struct Change {
  std::string_view what, with;  // `what` stands once in the body
};

std::string Rewritten(std::string_view head, std::string_view rest, std::vector<Change> changes) {
  const std::string frame = std::string(head).append(rest);
  std::vector<Replacement> replacements;
  for (const Change& change : changes) {
    const size_t at = frame.find(change.what, head.size());
    EXPECT_NE(at, frame.npos) << change.what;
    replacements.push_back({std::string_view(frame).substr(at, change.what.size()), change.with});
  }
  std::string out = "before:";
  Rewrite(frame, head.size(), replacements, &out);
  EXPECT_TRUE(out.starts_with("before:"));
  return out.substr(7);
}

// The head that follows when a body of 10 bytes grows to 15.
std::string HeadOf15(std::string_view head) {
  const std::string out = Rewritten(head, R"({"id":777})", {{"777", "12345678"}});
  EXPECT_TRUE(out.ends_with(R"({"id":12345678})"));
  return out.substr(0, out.size() - 15);
}

TEST(RewriteTest, LineFrameKeepsEveryOtherByte) {
  EXPECT_EQ(Rewritten("", "{ \"id\" : 1,\"p\":\"\xff\\/\" }\r\n", {{"1", "\"seven\""}}),
            "{ \"id\" : \"seven\",\"p\":\"\xff\\/\" }\r\n");
}

TEST(RewriteTest, NothingToReplace) {
  EXPECT_EQ(Rewritten("content-LENGTH:+002\n\n", "{}", {}), "content-LENGTH:+002\n\n{}");
  EXPECT_EQ(Rewritten("", "", {}), "");
}

TEST(RewriteTest, SeveralInAnyOrder) {
  EXPECT_EQ(Rewritten("", "[11,22,33]\n", {{"33", "c"}, {"11", ""}, {"22", "bbbb"}}),
            "[,bbbb,c]\n");
  EXPECT_EQ(Rewritten("", "[11,22]", {{"22", "y"}, {"[11", "x"}}), "x,y]");
  EXPECT_EQ(Rewritten("", "1", {{"1", "22"}}), "22");
}

TEST(RewriteTest, LengthFollows) {
  EXPECT_EQ(HeadOf15("Content-Length: 10\r\n\r\n"), "Content-Length: 15\r\n\r\n");
  EXPECT_EQ(Rewritten("Content-Length: 10\r\n\r\n", R"({"id":777})", {{"777", "1"}}),
            "Content-Length: 8\r\n\r\n{\"id\":1}");
}

TEST(RewriteTest, LengthInAnySpelling) {
  EXPECT_EQ(HeadOf15("content-length:10\n\n"), "content-length:15\n\n");
  EXPECT_EQ(HeadOf15("CONTENT-Length \t:\t  +0010  \r\n\r\n"),
            "CONTENT-Length \t:\t  15  \r\n\r\n");
  EXPECT_EQ(HeadOf15("Content-Type: x; length=10\r\nContent-Length: 10\r\n\r\n"),
            "Content-Type: x; length=10\r\nContent-Length: 15\r\n\r\n");
  EXPECT_EQ(HeadOf15("Content-Length: 10\r\nX: 10\r\ncontent-length: 010\r\n\r\n"),
            "Content-Length: 15\r\nX: 10\r\ncontent-length: 15\r\n\r\n");
}

TEST(RewriteTest, SameLengthKeepsItsSpelling) {
  EXPECT_EQ(Rewritten("Content-Length: +010\r\n\r\n", R"({"id":777})", {{"777", "888"}}),
            "Content-Length: +010\r\n\r\n{\"id\":888}");
}

TEST(RewriteTest, WrongLengthStaysWrongByAsMuch) {
  EXPECT_EQ(HeadOf15("Content-Length: 13\r\n\r\n"), "Content-Length: 18\r\n\r\n");
  EXPECT_EQ(HeadOf15("Content-Length: 4\r\n\r\n"), "Content-Length: 9\r\n\r\n");
  EXPECT_EQ(HeadOf15("Content-Length: 4\r\nContent-Length: 10\r\n\r\n"),
            "Content-Length: 9\r\nContent-Length: 15\r\n\r\n");
  // A negative length cannot be written.
  EXPECT_EQ(Rewritten("Content-Length: 1\r\n\r\n", R"({"id":777})", {{"777", "1"}}),
            "Content-Length: 0\r\n\r\n{\"id\":1}");
}

TEST(RewriteTest, OtherHeadsStay) {
  for (const std::string head :
       {"X-Content-Length: 10\r\n\r\n", "Content-Length\r\n\r\n", "Content-Length:\r\n\r\n",
        "Content-Length: ten\r\n\r\n", "Content-Length: -10\r\n\r\n", "Content-Length: 10 10\r\n",
        "Content-Length: 99999999999999999999999\r\n\r\n", "\n", ":10\n", "a:b"}) {
    EXPECT_EQ(HeadOf15(head), head);
  }
}

TEST(RewriteTest, LastHeadLineWithoutAnEnd) {
  EXPECT_EQ(HeadOf15("Content-Length: 10"), "Content-Length: 15");
}

}  // namespace
}  // namespace midwire::replay
