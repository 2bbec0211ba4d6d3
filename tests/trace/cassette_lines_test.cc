// In which line of a cassette each message, each piece of junk and each damage is.
#include <gtest/gtest.h>

#include "tests/trace/script.h"
#include "trace/report/frame_lines.h"
#include "trace/session.h"

namespace midwire::trace {
namespace {

constexpr char kFirst[] = "{\"midwire\":\"cassette\",\"version\":1}\n";
constexpr char kCall[] = "{\"from\":\"host\",\"message\":{\"id\":1,\"method\":\"a\"}}\n";
constexpr char kLog[] = "{\"stderr\":\"log\\n\"}\n";

// Writes down "1@2 junk@3 ": a message's number and line, and those of junk.
class LineLog : public SessionHandler {
 public:
  struct Framed {
    Stream stream;
    uint64_t line;
    std::string bytes;
  };

  void OnMessage(const RecordedMessage& recorded) override {
    text += std::to_string(recorded.number) + "@" + std::to_string(recorded.line) + " ";
    frames.push_back(
        {StreamOf(recorded.direction), recorded.line, std::string(recorded.frame->bytes)});
  }
  void OnJunk(const RecordedJunk& recorded) override {
    text += "junk@" + std::to_string(recorded.line) + " ";
  }

  std::string text;
  std::vector<Framed> frames;
};

LineLog LogOf(const std::string& trace, size_t step = SIZE_MAX) {
  auto reader = OpenTrace(std::make_unique<StringSource>(trace, step));
  LineLog log;
  Session session(&log);
  EXPECT_TRUE(Play(reader->get(), &session).ok());
  return log;
}

std::string LinesIn(const std::string& trace) {
  const std::string text = LogOf(trace).text;
  EXPECT_EQ(LogOf(trace, 1).text, text) << "read byte by byte";
  return text;
}

TEST(CassetteLinesTest, AMessageHasItsLine) {
  EXPECT_EQ(LinesIn(std::string(kFirst) + kCall + kLog + kCall), "1@2 2@4 ");
  EXPECT_EQ(LinesIn(kCall), "1@1 ");
}

TEST(CassetteLinesTest, BlankLinesAndCarriageReturnsCount) {
  EXPECT_EQ(LinesIn(std::string(kFirst) + "\r\n\n" + kCall), "1@4 ");
  EXPECT_EQ(LinesIn("\xEF\xBB\xBF" + std::string(kFirst) + kCall), "1@2 ");
}

TEST(CassetteLinesTest, JunkHasTheLineInWhichItEnds) {
  EXPECT_EQ(LinesIn(std::string(kFirst) + kLog + "{\"from\":\"plugin\",\"junk\":\"hi\\n\"}\n"),
            "junk@3 ");
}

TEST(CassetteLinesTest, MessagesOfOneSegmentHaveLinesOfTheirOwn) {
  const std::string cassette = ToCassette(Tape({Host("{}\n[]\n{}\n")}), true);
  EXPECT_EQ(LinesIn(cassette), "1@2 2@3 3@4 ") << cassette;
  const std::string split =
      ToCassette(Tape({Host("{\"id\"", 1), Host(":1}\n[", 3), Host("]\n", 4)}), true);
  EXPECT_EQ(LinesIn(split), "1@2 2@3 ") << split;
}

TEST(CassetteLinesTest, AMessageInPartsHasTheLineInWhichItEnds) {
  EXPECT_EQ(LinesIn(std::string(kFirst) + "{\"from\":\"host\",\"part\":\"{\\\"id\\\":\"}\n" + kLog +
                    "{\"from\":\"host\",\"part\":\"1}\\n\"}\n"),
            "1@4 ");
}

TEST(CassetteLinesTest, ASecondSessionGoesOnCounting) {
  EXPECT_EQ(LinesIn(std::string(kFirst) + kCall + kFirst + kCall), "1@2 2@4 ");
}

TEST(CassetteLinesTest, ATapeHasNone) { EXPECT_EQ(LinesIn(Tape({Host("{}\n")})), "1@0 "); }

TEST(CassetteLinesTest, DamageHasItsLine) {
  const std::string cassette = std::string(kFirst) + kCall + "{\"from\":\"hos\n" + kCall;
  const ReadBack back = Read(cassette);
  ASSERT_EQ(back.damages.size(), 1u);
  EXPECT_EQ(back.damages[0].Place(), "line 3");
  EXPECT_EQ(LinesIn(cassette), "1@2 2@4 ");
  EXPECT_EQ(Damage({.offset = 7, .bytes = 1}).Place(), "offset 7");
}

TEST(CassetteLinesTest, ALineThatIsTooLongIsOne) {
  const std::string cassette = std::string(kFirst) + std::string(9 << 20, 'x') + "\n" + kCall;
  const ReadBack back = Read(cassette, 1 << 16);
  ASSERT_FALSE(back.damages.empty());
  for (const Damage& damage : back.damages) EXPECT_EQ(damage.line, 2u);
  EXPECT_EQ(LogOf(cassette).text, "1@3 ");
}

// A line with a message, read alone, is that message.
TEST(CassetteLinesTest, RandomSessionsHaveEachMessageInItsLine) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string cassette = ToCassette(Tape(RandomSession(seed)), seed % 2 == 0);
    std::vector<std::string> lines = {""};
    for (const char c : cassette) c == '\n' ? lines.emplace_back() : lines.back() += c;
    for (const LineLog::Framed& frame : LogOf(cassette).frames) {
      ASSERT_GT(frame.line, 1u) << "seed " << seed;
      const std::string& line = lines.at(frame.line - 1);
      if (line.find("\"message\":") == line.npos || line.find("\"tail\":\"\"") != line.npos)
        continue;
      const std::string alone = Read(kFirst + line + "\n").Bytes(frame.stream);
      EXPECT_NE(alone.find(frame.bytes), alone.npos)
          << "seed " << seed << ", line " << frame.line << ": " << line;
    }
  }
}

TEST(CassetteLinesTest, LinesOfMessagesThatAreFoundLater) {
  FrameLines lines;
  for (const auto& [number, line] : {std::pair(1, 2), {2, 3}, {3, 4}, {4, 9}, {5, 10}}) {
    lines.Add(static_cast<uint64_t>(number), static_cast<uint64_t>(line));
  }
  EXPECT_EQ(lines.Of(0), 0u);
  EXPECT_EQ(lines.Of(3), 4u);
  EXPECT_EQ(lines.Of(4), 9u);
  EXPECT_EQ(lines.Of(5), 10u);
  EXPECT_EQ(lines.Of(6), 0u) << "it is not read yet";
}

TEST(CassetteLinesTest, OfTooManyOnlyTheLatestIsKnown) {
  FrameLines lines;
  const uint64_t count = FrameLines::kMaxRuns + 2;
  for (uint64_t number = 1; number <= count; ++number) lines.Add(number, number * 2);
  EXPECT_EQ(lines.Of(1), 2u);
  EXPECT_EQ(lines.Of(FrameLines::kMaxRuns), FrameLines::kMaxRuns * 2);
  EXPECT_EQ(lines.Of(count - 1), 0u);
  EXPECT_EQ(lines.Of(count), count * 2);
}

}  // namespace
}  // namespace midwire::trace
