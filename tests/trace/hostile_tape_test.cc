#include <gtest/gtest.h>

#include "tests/sanitized.h"
#include "tests/trace/script.h"
#include "trace/pcapng_format.h"

namespace midwire::trace {
namespace {

// Where each record's block begins, and where the tape ends.
std::vector<size_t> Offsets(const std::vector<Rec>& recs) {
  std::vector<size_t> offsets;
  std::string tape = Tape({});
  for (const Rec& rec : recs) {
    offsets.push_back(tape.size());
    AppendRecord(rec.record(), &tape);
  }
  offsets.push_back(tape.size());
  return offsets;
}

// True when `part` is `whole` with some records left out.
bool IsSubsequence(const std::vector<Rec>& part, const std::vector<Rec>& whole) {
  auto at = whole.begin();
  for (const Rec& rec : part) {
    while (at != whole.end() && !(*at == rec)) ++at;
    if (at++ == whole.end()) return false;
  }
  return true;
}

TEST(HostileTapeTest, TruncatedAnywhere) {
  std::vector<Rec> recs = SmallSession();
  std::string tape = Tape(recs);
  std::vector<size_t> offsets = Offsets(recs);
  size_t interfaces = 4;
  for (size_t size = interfaces; size <= tape.size(); ++size) {
    ReadBack back = Read(tape.substr(0, size));
    size_t whole = 0;
    while (whole < recs.size() && offsets[whole + 1] <= size) ++whole;
    ASSERT_EQ(back.recs.size(), whole) << size;
    ASSERT_TRUE(std::equal(back.recs.begin(), back.recs.end(), recs.begin())) << size;
    ASSERT_EQ(back.Reasons(), "") << size;  // a torn tail is not reported
    ASSERT_EQ(back.error, "") << size;
    if (size >= offsets[0]) {
      ASSERT_EQ(back.torn, size - offsets[whole]) << size;
    }
  }
}

// No flipped bit may change a payload or lose a record without a report. (Times, and fields that
// only tshark reads, are not under the CRC.)
TEST(HostileTapeTest, EachBitFlipped) {
  std::vector<Rec> recs = SmallSession();
  std::string tape = Tape(recs);
  for (Rec& rec : recs) rec.time_ns = 0;
  size_t lost = 0;
  // A sanitizer looks for reads outside of the tape, which two or three bits of each byte show too.
  const size_t step = IsSanitized() ? 3 : 1;
  for (size_t bit = 0; bit < tape.size() * 8; bit += step) {
    std::string flipped = tape;
    flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
    ReadBack back = Read(flipped);
    ASSERT_EQ(back.error, "") << bit;
    for (Rec& rec : back.recs) rec.time_ns = 0;
    ASSERT_TRUE(IsSubsequence(back.recs, recs)) << "bit " << bit;
    ASSERT_GE(back.recs.size() + 1, recs.size()) << "bit " << bit << "\n" << back.Reasons();
    if (back.recs.size() < recs.size()) {
      ASSERT_GT(back.damaged + back.torn, 0u) << "bit " << bit;
      ++lost;
    }
    // Unreported only where nothing follows, and then counted in bytes.
    if (back.recs.size() < recs.size() && back.damaged == 0) {
      ASSERT_GE(bit / 8, Offsets(recs)[recs.size() - 1]) << bit;
    }
  }
  EXPECT_GT(lost, 1000 / step) << "each bit of a payload loses its record";
}

TEST(HostileTapeTest, AnyByteOverwritten) {
  std::vector<Rec> recs = SmallSession();
  std::string tape = Tape(recs);
  for (Rec& rec : recs) rec.time_ns = 0;
  for (size_t at = 0; at < tape.size(); ++at) {
    for (char value : {'\0', '\xFF', '\6', '\n'}) {
      std::string damaged = tape;
      damaged[at] = value;
      ReadBack back = Read(damaged);
      for (Rec& rec : back.recs) rec.time_ns = 0;
      ASSERT_TRUE(IsSubsequence(back.recs, recs)) << at;
      ASSERT_GE(back.recs.size() + 1, recs.size()) << at;
    }
  }
}

TEST(HostileTapeTest, ZeroTailIsTorn) {
  for (size_t zeros : {1, 3, 4, 11, 12, 4096, 3'000'000}) {
    ReadBack back = Read(Tape(SmallSession()) + std::string(zeros, '\0'));
    EXPECT_EQ(back.recs, SmallSession());
    EXPECT_EQ(back.Reasons(), "");
    EXPECT_EQ(back.torn, zeros);
  }
}

TEST(HostileTapeTest, ZerosInTheMiddleAreDamage) {
  std::string more;
  AppendRecord(Host("more\n").record(), &more);
  ReadBack back = Read(Tape(SmallSession()) + std::string(5000, '\0') + more);
  EXPECT_EQ(back.recs.size(), SmallSession().size() + 1);
  EXPECT_EQ(back.damaged, 5000u);
  EXPECT_EQ(back.torn, 0u);
}

TEST(HostileTapeTest, GarbageAtTheEndIsDamage) {
  for (size_t zeros : {0, 50, 2'000'000}) {
    ReadBack back = Read(Tape(SmallSession()) + std::string(zeros, '\0') + std::string(50, 'G'));
    EXPECT_EQ(back.recs, SmallSession());
    EXPECT_EQ(back.damaged, zeros + 50) << back.Reasons();
    EXPECT_EQ(back.torn, 0u);
  }
}

TEST(HostileTapeTest, GarbageBetweenAnyTwoRecordsLosesNone) {
  std::mt19937 random(7);
  std::vector<Rec> recs = SmallSession();
  std::vector<size_t> offsets = Offsets(recs);
  ASSERT_GE(offsets.size(), recs.size());
  for (size_t offset : offsets) {
    for (size_t size : {1, 4, 31, 1000, 2'000'000}) {
      std::string garbage(size, '\0');
      for (char& c : garbage) c = static_cast<char>(random() | 1);
      std::string tape = Tape(recs);
      tape.insert(offset, garbage);
      ReadBack back = Read(tape);
      ASSERT_EQ(back.recs, recs) << offset << " " << size;
      ASSERT_EQ(back.damaged + back.torn, size) << back.Reasons();
      if (offset != offsets.back()) {
        ASSERT_EQ(back.damages.at(0).offset, offset);
      }
    }
  }
}

TEST(HostileTapeTest, BytesTakenOutLoseTheirRecordOnly) {
  std::vector<Rec> recs = SmallSession();
  std::vector<size_t> offsets = Offsets(recs);
  for (size_t at = offsets[2]; at < offsets[3]; ++at) {
    std::string tape = Tape(recs);
    tape.erase(at, 1);
    ReadBack back = Read(tape);
    std::vector<Rec> expected = recs;
    expected.erase(expected.begin() + 2);
    ASSERT_EQ(back.recs, expected) << at;
    ASSERT_EQ(back.damaged, offsets[3] - offsets[2] - 1) << back.Reasons();
  }
}

TEST(HostileTapeTest, AbsurdLengthsAllocateNothingAndHideNothing) {
  std::vector<Rec> recs = SmallSession();
  std::vector<size_t> offsets = Offsets(recs);
  for (uint32_t length : {0u, 4u, 11u, 12u, 13u, 28u, 32u, 0x10000u, 0xFFFFCu, 0x100000u, 0x100004u,
                          0x7FFFFFFCu, 0x80000000u, 0xFFFFFFFCu, 0xFFFFFFFFu}) {
    std::string tape = Tape(recs);
    std::memcpy(tape.data() + offsets[3] + 4, &length, 4);
    ReadBack back = Read(tape);
    ASSERT_EQ(back.recs.size(), recs.size() - 1) << length << "\n" << back.Reasons();
    ASSERT_EQ(back.damaged, offsets[4] - offsets[3]) << back.Reasons();
    ASSERT_EQ(back.damages.at(0).offset, offsets[3]);
  }
}

TEST(HostileTapeTest, ARecordInsideADamagedRecordIsNotTaken) {
  std::string inner;
  AppendRecord(Plugin("not said\n").record(), &inner);
  std::string tape = Tape({Host("a\n"), Host(inner), Host("b\n")});
  size_t payload = tape.find("not said");
  for (size_t at : {tape.find(inner) - 1, payload}) {  // before the inner record, and in it
    std::string damaged = tape;
    damaged[at] ^= 1;
    EXPECT_EQ(Read(damaged).recs, std::vector({Host("a\n"), Host("b\n")})) << at;
  }
}

TEST(HostileTapeTest, TheStartLostIsNotTheEnd) {
  std::vector<Rec> recs = SmallSession();
  size_t first = Offsets(recs)[0];
  for (size_t zeroed : {size_t{4}, size_t{30}, first, first + 3}) {
    std::string tape = Tape(recs);
    std::fill_n(tape.begin(), zeroed, 'Z');
    ReadBack back = Read(tape);
    EXPECT_EQ(back.recs.size(), recs.size() - (zeroed > first)) << zeroed << back.error;
    EXPECT_TRUE(IsSubsequence(back.recs, recs));
    EXPECT_EQ(back.damages.size(), 1u) << back.Reasons();
  }
}

TEST(HostileTapeTest, WhatIsNoTraceIsRefused) {
  for (const std::string& bytes :
       {std::string(), std::string("hello\n"), std::string(300'000, '\0'),
        std::string("\xD4\xC3\xB2\xA1 old pcap"), std::string("{\"a\":1}\n")}) {
    EXPECT_NE(Read(bytes).error, "") << bytes.substr(0, 20);
  }
}

TEST(HostileTapeTest, RandomBytesAfterAStart) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = Tape({});
    for (int n = random() % 3000; n > 0; --n) bytes.push_back(static_cast<char>(random() % 8));
    ReadBack back = Read(bytes);
    ASSERT_EQ(back.recs.size(), 0u);
    ASSERT_EQ(back.damaged + back.torn + Tape({}).size(), bytes.size());
  }
}

TEST(HostileTapeTest, AFailingSourceIsAnErrorAfterWhatWasRead) {
  class Failing : public StringSource {
   public:
    using StringSource::StringSource;
    Result<size_t> Read(char* to, size_t size) override {
      if (++reads_ > 1) return Error{"cannot read the trace", "here", "it is burnt"};
      return StringSource::Read(to, size);
    }
    int reads_ = 0;
  };
  auto reader = OpenTrace(std::make_unique<Failing>(Tape(SmallSession())));
  ASSERT_TRUE(reader.ok());
  ReadBack back = ReadAll(reader->get());
  EXPECT_EQ(back.recs, SmallSession());
  EXPECT_NE(back.error.find("burnt"), back.error.npos);
}

TEST(HostileTapeTest, OfTooManyInterfacesTheRestIsDamage) {
  const std::string interface("\1\0\0\0\x14\0\0\0\xFC\0\0\0\0\0\4\0\x14\0\0\0", 20);
  std::string tape = Tape({});
  for (int i = 0; i < 1000; ++i) tape += interface;
  AppendRecord(Host("{}\n", 7).record(), &tape);
  ReadBack back = Read(tape);
  EXPECT_EQ(back.recs, std::vector<Rec>({Host("{}\n", 7)}));
  EXPECT_EQ(back.damaged, (4 + 1000 - 256) * interface.size());
}

TEST(HostileTapeTest, GapsTravelAsEvents) {
  std::vector<Rec> recs = SmallSession();
  std::string tape = Tape(recs);
  tape[Offsets(recs)[2] + 60] ^= 1;
  for (const std::string& bytes : {ToTape(tape), ToTape(ToCassette(tape, true))}) {
    ReadBack back = Read(bytes);
    ASSERT_EQ(back.recs.size(), recs.size());
    EXPECT_EQ(back.damaged, 0u);
    Result<Event> gap = ParseEvent(back.recs[2].body);
    ASSERT_TRUE(gap.ok() && std::holds_alternative<GapEvent>(*gap)) << back.recs[2];
    EXPECT_EQ(std::get<GapEvent>(*gap).bytes,
              static_cast<int64_t>(Offsets(recs)[3] - Offsets(recs)[2]));
  }
}

}  // namespace
}  // namespace midwire::trace
