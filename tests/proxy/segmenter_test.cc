// Where a read is cut: at frames, with the header separate, and without losing a byte.
#include "proxy/segmenter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace midwire::proxy {
namespace {

// Segments as "head|body", junk with "!" before it.
class SegmenterTest : public testing::Test, private SegmentHandler {
 protected:
  using Segments = std::vector<std::string>;
  Segments Feed(std::string_view read) {
    segments_.clear();
    all_.clear();
    segmenter_.Feed(read, this);
    EXPECT_EQ(all_, read);
    return segments_;
  }
  Segmenter segmenter_{wire::Framing::kAuto};

 private:
  void OnSegment(trace::Hint hint, std::string_view head, std::string_view body) override {
    segments_.push_back((hint == trace::Hint::kText ? "!" : "") + std::string(head) + "|" +
                        std::string(body));
    all_ += std::string(head) + std::string(body);
  }
  Segments segments_;
  std::string all_;
};

TEST_F(SegmenterTest, LinesInOneRead) {
  EXPECT_EQ(Feed("{}\n{\"a\":1}\r\n"), (Segments{"|{}\n", "|{\"a\":1}\r\n"}));
  EXPECT_TRUE(segmenter_.at_boundary());
}

TEST_F(SegmenterTest, HeaderApartFromItsBody) {
  EXPECT_EQ(Feed("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n{ }"),
            (Segments{"Content-Length: 2\r\n\r\n|{}", "Content-Length: 3\r\n\r\n|{ }"}));
}

TEST_F(SegmenterTest, HeaderInOneReadBodyInTheNext) {
  EXPECT_EQ(Feed("Content-Length: 2\r\n\r\n"), (Segments{"Content-Length: 2\r\n\r\n|"}));
  EXPECT_FALSE(segmenter_.at_boundary());
  EXPECT_EQ(Feed("{}"), (Segments{"|{}"}));
}

TEST_F(SegmenterTest, HeaderSplitAcrossReads) {
  EXPECT_EQ(Feed("Content-Le"), (Segments{"Content-Le|"}));
  EXPECT_EQ(Feed("ngth: 2\r\n\r"), (Segments{"ngth: 2\r\n\r|"}));
  EXPECT_EQ(Feed("\n{}"), (Segments{"\n|{}"}));
}

TEST_F(SegmenterTest, FrameSplitAcrossReads) {
  EXPECT_EQ(Feed("{}\n{\"a\""), (Segments{"|{}\n", "|{\"a\""}));
  EXPECT_EQ(Feed(":1}"), (Segments{"|:1}"}));
  EXPECT_EQ(Feed("\n{}\n"), (Segments{"|\n", "|{}\n"}));
}

TEST_F(SegmenterTest, BlanksAfterABodyAtTheEndOfARead) {
  EXPECT_EQ(Feed("{} "), (Segments{"|{} "}));
  EXPECT_EQ(Feed("\r"), (Segments{"!|\r"}));
  EXPECT_EQ(Feed("\n{}\n"), (Segments{"|\n", "|{}\n"}));
}

TEST_F(SegmenterTest, JunkBetweenFrames) {
  EXPECT_EQ(Feed("ready\n{}\n"), (Segments{"!|ready\n", "|{}\n"}));
}

TEST_F(SegmenterTest, JunkThatLooksLikeABatchAtFirst) {
  EXPECT_EQ(Feed("[IN"), (Segments{"|[IN"}));
  EXPECT_EQ(Feed("FO] ready\n{}\n"), (Segments{"!|FO] ready\n", "|{}\n"}));
}

TEST_F(SegmenterTest, ByteByByteNothingIsHeldBack) {
  const std::string text = "hello\n{\"a\":[1]}\nContent-Length: 2\r\n\r\n{}[1]\n";
  for (const char& c : text) EXPECT_EQ(Feed({&c, 1}).size(), 1u);
}

// Replaces every letter of a body; its input must be the stream in order.
class Shouter : public Rewriter {
 public:
  void OnPart(wire::Part part, char* bytes, size_t size) override {
    received += std::string(bytes, size);
    for (size_t i = 0; part == wire::Part::kBody && i < size; ++i) {
      if (bytes[i] >= 'a' && bytes[i] <= 'z') bytes[i] = static_cast<char>(bytes[i] - 32);
    }
  }
  void OnResolve(wire::Part, size_t count) override { resolved += count; }
  void OnEnd() override { ++ends; }
  std::string received;
  size_t resolved = 0;
  int ends = 0;
};

class Keeper : public SegmentHandler {
 public:
  void OnSegment(trace::Hint, std::string_view head, std::string_view body) override {
    all += std::string(head) + std::string(body);
  }
  std::string all;
};

TEST(SegmenterRewriterTest, ChangesWhatIsRecordedAndNotTheRead) {
  Shouter shouter;
  Segmenter segmenter(wire::Framing::kAuto, &shouter);
  Keeper keeper;
  constexpr std::string_view kSent = "Content-Length: 7\r\n\r\n{\"a\":b}junk\n";
  const std::string text(kSent);
  for (size_t at = 0; at < text.size(); at += 10) {
    segmenter.Feed(std::string_view(text).substr(at, 10), &keeper);
  }
  EXPECT_EQ(keeper.all, "Content-Length: 7\r\n\r\n{\"A\":B}junk\n");
  EXPECT_EQ(shouter.received, text);
  EXPECT_EQ(shouter.resolved, text.size() - 7);
  EXPECT_EQ(shouter.ends, 2);
  EXPECT_EQ(text, kSent);
}

}  // namespace
}  // namespace midwire::proxy
