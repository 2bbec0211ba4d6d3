#include "fuzz/oracle/caching_frame_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/oracle/fixed_cache.h"
#include "tests/fuzz/mutate/mutants.h"

namespace midwire::fuzz {
namespace {

using wire::Framing;

TEST(FixedCacheTest, FindsOnlyWhatWasKept) {
  FixedCache<int> cache;
  EXPECT_EQ(cache.Find("a"), nullptr);
  cache.Keep("a", 1);
  ASSERT_NE(cache.Find("a"), nullptr);
  EXPECT_EQ(*cache.Find("a"), 1);
  EXPECT_EQ(cache.Find("b"), nullptr);
  EXPECT_EQ(cache.Find(""), nullptr);
}

TEST(FixedCacheTest, ANewKeyReplacesTheOneInItsSlot) {
  FixedCache<size_t> cache;
  size_t known = 0;
  for (size_t i = 0; i < 4 * FixedCache<size_t>::kSlots; ++i) {
    cache.Keep(std::to_string(i), i);
    ASSERT_EQ(*cache.Find(std::to_string(i)), i);
  }
  for (size_t i = 0; i < 4 * FixedCache<size_t>::kSlots; ++i) {
    const size_t* found = cache.Find(std::to_string(i));
    if (found != nullptr) {
      EXPECT_EQ(*found, i);
    }
    known += found != nullptr;
  }
  EXPECT_LE(known, FixedCache<size_t>::kSlots);
}

TEST(FixedCacheTest, LongKeysAreNotKept) {
  FixedCache<int> cache;
  cache.Keep(std::string(FixedCache<int>::kMaxBytes + 1, 'x'), 1);
  EXPECT_EQ(cache.Find(std::string(FixedCache<int>::kMaxBytes + 1, 'x')), nullptr);
}

// What a reader reports about a stream, and how many frames it had to inspect.
struct Reading {
  std::string all;
  size_t frames = 0, inspected = 0;
};

struct Info {
  ReceivedMessageInfo received;
  wire::Oddities oddities;
};

class Receiver {
 public:
  explicit Receiver(Framing framing)
      : reader_({.inspect =
                     [this](const wire::Frame& frame, const wire::Message& message) {
                       ++result_.inspected;
                       return Info{InspectReceived(frame, message), frame.oddities};
                     },
                 .on_frame =
                     [this](const Info& info, std::string_view bytes) {
                       const ReceivedMessageInfo& received = info.received;
                       ++result_.frames;
                       result_.all += "frame <" + std::string(bytes) + "> " +
                                      std::string(Name(received.message.kind)) + " " +
                                      received.message.id.token + " " + received.message.method +
                                      " <" + std::string(received.value.of(bytes)) + ">" +
                                      (received.broken ? " broken" : "") + " oddities " +
                                      std::to_string(info.oddities) + " flags " +
                                      std::to_string(received.message.flags) + "\n";
                     },
                 .on_junk =
                     [this](const wire::Junk& junk) {
                       result_.all += "junk <" + std::string(junk.bytes) + ">\n";
                     }}) {
    Begin(framing);
  }
  void Begin(Framing framing) { reader_.Start(framing); }
  // In pieces of that size.
  void Receive(std::string_view bytes, size_t piece = std::string_view::npos) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
      reader_.Feed(bytes.substr(0, piece));
    }
  }
  void End() { reader_.Finish(); }
  const Reading& result() const { return result_; }
  Reading Take() { return std::exchange(result_, {}); }

 private:
  Reading result_;
  CachingFrameReader<Info> reader_;
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

struct NamedStream {
  const char* name;
  Framing framing;
  std::string bytes;
};

class StreamTest : public testing::TestWithParam<NamedStream> {};

TEST_P(StreamTest, TheResultIsTheSameForAnyPieces) {
  Receiver whole(GetParam().framing);
  whole.Receive(GetParam().bytes);
  whole.End();
  EXPECT_GE(whole.result().frames, 4u);
  for (const size_t piece : {1, 2, 3, 7, 20, 64}) {
    Receiver pieces(GetParam().framing);
    pieces.Receive(GetParam().bytes, piece);
    pieces.End();
    EXPECT_EQ(pieces.result().all, whole.result().all) << piece;
  }
}

TEST_P(StreamTest, TheSecondTimeTheResultIsTheSameAndFewerFramesAreInspected) {
  Receiver receiver(GetParam().framing);
  receiver.Receive(GetParam().bytes);
  const Reading first = receiver.Take();
  receiver.Receive(GetParam().bytes);
  EXPECT_EQ(receiver.result().all, first.all);
  EXPECT_EQ(first.inspected, first.frames);
  EXPECT_LE(receiver.result().inspected + 2, first.inspected);
  receiver.Take();
  receiver.Receive(GetParam().bytes, 1);
  EXPECT_EQ(receiver.result().all, first.all);
}

TEST_P(StreamTest, MutantsGiveTheSameResultWithAndWithoutTheCache) {
  const Vocabulary words = SessionWords();
  const Mutator mutator(&words);
  const Framing framing = GetParam().framing;
  Receiver cached(framing);
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Input input = ParseInput(GetParam().bytes);
    const std::string ancestry = AncestryText(mutator.Mutate(&input, seed));
    Receiver fresh(framing);
    cached.Begin(framing);
    // As they are sent: a part without its newline shares a line with the next.
    for (const Part& part : input.parts) {
      fresh.Receive(part.bytes);
      cached.Receive(part.bytes);
    }
    fresh.End();
    cached.End();
    ASSERT_EQ(cached.Take().all, fresh.result().all) << seed << " " << ancestry;
  }
}

INSTANTIATE_TEST_SUITE_P(Framings, StreamTest,
                         testing::Values(NamedStream{"Lines", Framing::kLine, Lines()},
                                         NamedStream{"Headed", Framing::kContentLength, Headed()}),
                         [](const auto& info) { return info.param.name; });

TEST(CachingFrameReaderTest, AFrameInsideAnotherLineIsNotRead) {
  const std::string line = "{\"id\":1,\"result\":0}\n";
  Receiver receiver(Framing::kLine);
  receiver.Receive(line);
  const std::string first = receiver.Take().all;
  // A line that is longer than any message may be, and its end looks like a message.
  receiver.Receive(std::string(wire::kMaxUndecided, 'x'));
  receiver.Receive(line);
  EXPECT_EQ(receiver.Take().frames, 0u);
  receiver.Receive(line);
  EXPECT_EQ(receiver.result().all, first);
}

TEST(CachingFrameReaderTest, ALongBatchIsReadEachTime) {
  const auto batch = [](size_t elements) {
    std::string line = "[{}";
    for (size_t i = 1; i < elements; ++i) line += ",{}";
    return line + "]\n";
  };
  for (const size_t elements : {kMaxElements, kMaxElements + 1}) {
    Receiver receiver(Framing::kLine);
    for (int i = 0; i < 3; ++i) receiver.Receive(batch(elements));
    EXPECT_EQ(receiver.result().frames, 3u);
    EXPECT_EQ(receiver.result().inspected, elements <= kMaxElements ? 1u : 3u);
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
