#include <gtest/gtest.h>

#include "tests/trace/script.h"
#include "trace/pcapng_format.h"

namespace midwire::trace {
namespace {

TEST(TapeTest, GivesBackWhatWasWritten) {
  ReadBack back = Read(Tape(SmallSession()));
  EXPECT_EQ(back.recs, SmallSession());
  EXPECT_EQ(back.Reasons(), "");
  EXPECT_EQ(back.torn, 0u);
  EXPECT_TRUE(back.sections.empty());
}

TEST(TapeTest, EmptyExceptForItsStart) {
  ReadBack back = Read(Tape({}));
  EXPECT_TRUE(back.recs.empty() && back.damages.empty() && back.torn == 0);
}

TEST(TapeTest, DoesNotDependOnHowItIsRead) {
  std::string tape = Tape(SmallSession());
  for (size_t step : {1, 2, 3, 7, 100}) EXPECT_EQ(Read(tape, step).recs, SmallSession()) << step;
}

TEST(TapeTest, GeneratedSessionsComeBack) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::vector<Rec> recs = RandomSession(seed);
    ReadBack back = Read(Tape(recs));
    ASSERT_EQ(back.recs, recs) << "seed " << seed;
    ASSERT_EQ(back.damaged + back.torn, 0u);
  }
}

TEST(TapeTest, LargestSegmentsAndHeads) {
  for (size_t head : {size_t{0}, size_t{1}, size_t{65535}, kMaxSegment}) {
    std::string bytes(kMaxSegment, 'x');
    Rec rec = Host(bytes.substr(head));
    rec.head = bytes.substr(0, head);
    ReadBack back = Read(Tape({rec, rec}));
    ASSERT_EQ(back.recs.size(), 2u) << back.Reasons();
    // A head above a tag's 65,535 bytes continues in the body.
    EXPECT_EQ(back.recs[1].head.size(), std::min<size_t>(head, 65535));
    EXPECT_EQ(back.recs[1].head + back.recs[1].body, bytes);
  }
}

TEST(TapeTest, ExtremeTimes) {
  for (int64_t time : {INT64_MIN, int64_t{-1}, int64_t{0}, INT64_MAX}) {
    EXPECT_EQ(Read(Tape({Host("{}", time)})).recs, std::vector{Host("{}", time)});
  }
}

TEST(TapeTest, StderrIsTextAndEventsAreJsonWhateverTheRecordSays) {
  Rec log = Log("{}"), event = Happened(EndEvent{});
  log.hint = Hint::kJson;
  event.hint = Hint::kText;
  ReadBack back = Read(Tape({log, event}));
  ASSERT_EQ(back.recs.size(), 2u);
  EXPECT_EQ(back.recs[0].stream, Stream::kStderr);
  EXPECT_EQ(back.recs[1].stream, Stream::kEvents);
}

TEST(TapeTest, AnotherSectionIsAnotherSession) {
  ReadBack back = Read(Tape({Host("{}\n")}) + Tape({Plugin("[]\n")}));
  EXPECT_EQ(back.recs, std::vector({Host("{}\n"), Plugin("[]\n")}));
  EXPECT_EQ(back.sections, std::vector<size_t>({1}));
}

TEST(TapeTest, GrowsWhileItIsRead) {
  class Growing : public Source {
   public:
    Result<size_t> Read(char* to, size_t size) override {
      size_t take = std::min({size, limit - at, size_t{5}});
      std::memcpy(to, bytes.data() + at, take);
      at += take;
      return take;
    }
    std::string bytes = Tape(SmallSession());
    size_t at = 0, limit = 8;
  };
  auto source = std::make_unique<Growing>();
  Growing* growing = source.get();
  auto reader = OpenTrace(std::move(source));
  ASSERT_TRUE(reader.ok());
  std::vector<Rec> recs;
  for (; growing->limit <= growing->bytes.size(); ++growing->limit) {
    ReadBack back = ReadAll(reader->get());
    ASSERT_EQ(back.damaged, 0u) << growing->limit;
    recs.insert(recs.end(), back.recs.begin(), back.recs.end());
  }
  EXPECT_EQ(recs, SmallSession());
}

// A tape as written on a machine of the other byte order, or by another program.
class Foreign {
 public:
  explicit Foreign(bool big) : big_(big) {}

  std::string Number(uint64_t value, int size) const {
    std::string bytes;
    for (int i = 0; i < size; ++i) {
      int shift = 8 * (big_ ? size - 1 - i : i);
      bytes.push_back(static_cast<char>(value >> shift));
    }
    return bytes;
  }
  std::string Option(uint16_t code, std::string value) const {
    std::string length = Number(value.size(), 2);
    value.resize(pcapng::Padded(value.size()));
    return Number(code, 2) + length + value;
  }
  std::string Block(uint32_t type, const std::string& body) const {
    std::string length = Number(body.size() + 12, 4);
    return Number(type, 4) + length + body + length;
  }
  std::string Section() const {
    return Block(pcapng::kSectionHeader, Number(pcapng::kByteOrderMagic, 4) + Number(1, 2) +
                                             Number(0, 2) + Number(~0ull, 8));
  }
  std::string Interface(const std::string& options, uint16_t link = 252) const {
    return Block(pcapng::kInterface, Number(link, 2) + Number(0, 2) + Number(0, 4) + options);
  }
  std::string Packet(uint32_t interface, uint64_t ticks, std::string packet,
                     const std::string& options = "") const {
    size_t size = packet.size();
    packet.resize(pcapng::Padded(size));
    return Block(pcapng::kEnhancedPacket, Number(interface, 4) + Number(ticks >> 32, 4) +
                                              Number(ticks & 0xFFFFFFFF, 4) + Number(size, 4) +
                                              Number(size, 4) + packet + options);
  }
  static std::string Json(const std::string& body, int direction = 0) {
    return std::string("\0\x0C\0\4json\0\x23\0\4\0\0\0", 15) + static_cast<char>(direction) +
           std::string(4, '\0') + body;
  }

 private:
  bool big_;
};

TEST(ForeignTapeTest, BothByteOrdersAndOtherClocks) {
  for (bool big : {false, true}) {
    Foreign f(big);
    std::string tape = f.Section() + f.Interface("") + f.Interface(f.Option(9, "\x03")) +
                       f.Interface(f.Option(9, "\x8A")) +
                       f.Interface(f.Option(9, "\x0C") + f.Option(14, f.Number(100, 8)));
    tape += f.Packet(0, 1'500'000, Foreign::Json("microseconds"));
    tape += f.Packet(1, 1'500, Foreign::Json("milliseconds", 1));
    tape += f.Packet(2, 1536, Foreign::Json("1/1024 s"));
    tape += f.Packet(3, 1'500'000'000'000, Foreign::Json("picoseconds, 100 s late"));
    ReadBack back = Read(tape);
    ASSERT_EQ(back.recs.size(), 4u) << back.Reasons();
    EXPECT_EQ(back.recs[0], Host("microseconds", 1'500'000'000));
    EXPECT_EQ(back.recs[1], Plugin("milliseconds", 1'500'000'000));
    EXPECT_EQ(back.recs[2], Host("1/1024 s", 1'500'000'000));
    EXPECT_EQ(back.recs[3], Host("picoseconds, 100 s late", 101'500'000'000));
  }
}

TEST(ForeignTapeTest, UnknownBlocksAndOptionsAreSkippedQuietly) {
  for (bool big : {false, true}) {
    Foreign f(big);
    std::string tape =
        f.Section() + f.Block(4, "names!!!") + f.Interface(f.Option(9, "\x09")) +
        f.Block(0x40000BAD, f.Number(32473, 4)) +
        f.Packet(0, 5, Foreign::Json("{}"), f.Option(2988, "what") + f.Option(1, "x")) +
        f.Block(5, std::string(16, '\0')) + f.Packet(0, 6, Foreign::Json("[]"));
    ReadBack back = Read(tape);
    EXPECT_EQ(back.recs, std::vector({Host("{}", 5), Host("[]", 6)}));
    EXPECT_EQ(back.Reasons(), "");
  }
}

TEST(ForeignTapeTest, PacketsOfOtherProgramsAreReported) {
  Foreign f(false);
  std::string tape = f.Section() + f.Interface("", 1) + f.Packet(0, 0, std::string(60, '\1')) +
                     f.Packet(0, 0, Foreign::Json("{}", 7)) + f.Packet(0, 0, Foreign::Json("{}"));
  ReadBack back = Read(tape);
  EXPECT_EQ(back.recs, std::vector({Host("{}")}));
  EXPECT_EQ(back.damages.size(), 2u) << back.Reasons();
}

}  // namespace
}  // namespace midwire::trace
