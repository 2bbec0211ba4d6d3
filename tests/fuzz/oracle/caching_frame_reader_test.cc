#include "fuzz/oracle/caching_frame_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/oracle/fixed_cache.h"
#include "tests/fuzz/mutate/mutants.h"

namespace midwire::fuzz {
namespace {

using wire::Framing;

TEST(FixedCacheTest, KnowsWhatWasKeptAndNothingElse) {
  FixedCache<int> memo;
  EXPECT_EQ(memo.Find("a"), nullptr);
  memo.Keep("a", 1);
  ASSERT_NE(memo.Find("a"), nullptr);
  EXPECT_EQ(*memo.Find("a"), 1);
  EXPECT_EQ(memo.Find("b"), nullptr);
  EXPECT_EQ(memo.Find(""), nullptr);
}

TEST(FixedCacheTest, OfMoreThanItHoldsTheLastIsKnown) {
  FixedCache<size_t> memo;
  size_t known = 0;
  for (size_t i = 0; i < 4 * FixedCache<size_t>::kSlots; ++i) {
    memo.Keep(std::to_string(i), i);
    ASSERT_EQ(*memo.Find(std::to_string(i)), i);
  }
  for (size_t i = 0; i < 4 * FixedCache<size_t>::kSlots; ++i) {
    const size_t* found = memo.Find(std::to_string(i));
    if (found != nullptr) {
      EXPECT_EQ(*found, i);
    }
    known += found != nullptr;
  }
  EXPECT_LE(known, FixedCache<size_t>::kSlots);
}

TEST(FixedCacheTest, WhatIsTooLongIsNotKept) {
  FixedCache<int> memo;
  memo.Keep(std::string(FixedCache<int>::kMaxBytes + 1, 'x'), 1);
  EXPECT_EQ(memo.Find(std::string(FixedCache<int>::kMaxBytes + 1, 'x')), nullptr);
}

// What a reader tells of a stream, and how much of that it had to read.
struct Told {
  std::string all;
  size_t frames = 0, read = 0;
};

struct Noted {
  ReceivedMessageInfo heard;
  wire::Oddities oddities;
};

class Listener {
 public:
  explicit Listener(Framing framing)
      : reader_({.read =
                     [this](const wire::Frame& frame, const wire::Message& message) {
                       ++told_.read;
                       return Noted{InspectReceived(frame, message), frame.oddities};
                     },
                 .on_frame =
                     [this](const Noted& noted, std::string_view bytes) {
                       const ReceivedMessageInfo& heard = noted.heard;
                       ++told_.frames;
                       told_.all += "frame <" + std::string(bytes) + "> " +
                                    std::string(Name(heard.message.kind)) + " " +
                                    heard.message.id.token + " " + heard.message.method + " <" +
                                    std::string(heard.value.of(bytes)) + ">" +
                                    (heard.broken ? " broken" : "") + " oddities " +
                                    std::to_string(noted.oddities) + " flags " +
                                    std::to_string(heard.message.flags) + "\n";
                     },
                 .on_junk =
                     [this](const wire::Junk& junk) {
                       told_.all += "junk <" + std::string(junk.bytes) + ">\n";
                     }}) {
    Begin(framing);
  }
  void Begin(Framing framing) { reader_.Start(framing); }
  // In pieces of that size.
  void Hear(std::string_view bytes, size_t piece = std::string_view::npos) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
      reader_.Feed(bytes.substr(0, piece));
    }
  }
  void End() { reader_.Finish(); }
  const Told& told() const { return told_; }
  Told Take() { return std::exchange(told_, {}); }

 private:
  Told told_;
  CachingFrameReader<Noted> reader_;
};

std::string Lines() {
  return "{\"id\":1,\"result\":{\"a\":2}}\n"
         "{\"method\":\"m\",\"params\":[]}\r\n"
         "hello\n"
         "\n"
         "[{\"id\":2,\"result\":0},{\"id\":3,\"result\":0}]\n"
         "  {\"id\":4,\"method\":\"n\"} \n"
         "{\"id\":5,\"result\":0}{\"id\":6,\"result\":0} and more\n"
         "{\"id\":7,,}\n";
}

std::string Headed() {
  const auto framed = [](std::string_view body) {
    return Framed(body, Framing::kContentLength).bytes;
  };
  return framed("{\"id\":1,\"result\":{\"a\":2}}") + framed("{\"method\":\"m\",\"params\":[]}") +
         "hello\n" + framed("") + "Content-Length:20\r\n\r\n{\"id\":2,\"result\":[]}" +
         "Content-Type: a\r\n" + framed("{\"id\":3,\"error\":{}}") +
         "Content-Length: 99999999999999999999\r\n\r\n" + framed("{\"id\":4,,}");
}

struct Stream {
  const char* name;
  Framing framing;
  std::string bytes;
};

class StreamTest : public testing::TestWithParam<Stream> {};

TEST_P(StreamTest, TellsTheSameInWhateverPieces) {
  Listener whole(GetParam().framing);
  whole.Hear(GetParam().bytes);
  whole.End();
  EXPECT_GE(whole.told().frames, 4u);
  for (const size_t piece : {1, 2, 3, 7, 20, 64}) {
    Listener pieces(GetParam().framing);
    pieces.Hear(GetParam().bytes, piece);
    pieces.End();
    EXPECT_EQ(pieces.told().all, whole.told().all) << piece;
  }
}

TEST_P(StreamTest, TellsTheSameTheSecondTimeAndReadsLess) {
  Listener listener(GetParam().framing);
  listener.Hear(GetParam().bytes);
  const Told first = listener.Take();
  listener.Hear(GetParam().bytes);
  EXPECT_EQ(listener.told().all, first.all);
  EXPECT_EQ(first.read, first.frames);
  EXPECT_LE(listener.told().read + 2, first.read);
  listener.Take();
  listener.Hear(GetParam().bytes, 1);
  EXPECT_EQ(listener.told().all, first.all);
}

TEST_P(StreamTest, TellsOfMutantsWhatOneToldWhoRemembersNothing) {
  const Vocabulary words = SessionWords();
  const Mutator mutator(&words);
  const Framing framing = GetParam().framing;
  Listener remembers(framing);
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Input input = ParseInput(GetParam().bytes);
    const std::string ancestry = AncestryText(mutator.Mutate(&input, seed));
    Listener forgetful(framing);
    remembers.Begin(framing);
    // As they are sent: what lacks its newline shares a line with the next.
    for (const Part& part : input.parts) {
      forgetful.Hear(part.bytes);
      remembers.Hear(part.bytes);
    }
    forgetful.End();
    remembers.End();
    ASSERT_EQ(remembers.Take().all, forgetful.told().all) << seed << " " << ancestry;
  }
}

INSTANTIATE_TEST_SUITE_P(Framings, StreamTest,
                         testing::Values(Stream{"Lines", Framing::kLine, Lines()},
                                         Stream{"Headed", Framing::kContentLength, Headed()}),
                         [](const auto& info) { return info.param.name; });

TEST(CachingFrameReaderTest, WhatIsWithinAnotherLineIsNoFrame) {
  const std::string line = "{\"id\":1,\"result\":0}\n";
  Listener listener(Framing::kLine);
  listener.Hear(line);
  const std::string first = listener.Take().all;
  // A line that is longer than anybody waits for, and its end looks like a message.
  listener.Hear(std::string(wire::kMaxUndecided, 'x'));
  listener.Hear(line);
  EXPECT_EQ(listener.Take().frames, 0u);
  listener.Hear(line);
  EXPECT_EQ(listener.told().all, first);
}

TEST(CachingFrameReaderTest, ALongBatchIsReadEachTime) {
  const auto batch = [](size_t elements) {
    std::string line = "[{}";
    for (size_t i = 1; i < elements; ++i) line += ",{}";
    return line + "]\n";
  };
  for (const size_t elements : {kMaxElements, kMaxElements + 1}) {
    Listener listener(Framing::kLine);
    for (int i = 0; i < 3; ++i) listener.Hear(batch(elements));
    EXPECT_EQ(listener.told().frames, 3u);
    EXPECT_EQ(listener.told().read, elements <= kMaxElements ? 1u : 3u);
  }
}

TEST(PlainFrameTest, IsALineOrAHeaderWithItsBody) {
  EXPECT_EQ(PlainFrame("{}\n{}\n", Framing::kLine), 3u);
  EXPECT_EQ(PlainFrame("{}", Framing::kLine), 0u);
  EXPECT_EQ(PlainFrame("Content-Length: 2\r\n\r\n{}{}", Framing::kContentLength), 23u);
  for (const char* other :
       {"", "Content-Length: 3\r\n\r\n{}", "Content-Length: 2\r\n", "Content-Length: \r\n\r\n{}",
        "Content-Length: -2\r\n\r\n{}", "content-length: 2\r\n\r\n{}",
        "Content-Length: 99999999999999999999\r\n\r\n{}",
        "Content-Length: 18446744073709551615\r\n\r\n{}"}) {
    EXPECT_EQ(PlainFrame(other, Framing::kContentLength), 0u) << other;
  }
}

}  // namespace
}  // namespace midwire::fuzz
