#include <gtest/gtest.h>

#include "tests/trace/script.h"
#include "trace/cassette_format.h"
#include "trace/session.h"

namespace midwire::trace {
namespace {

constexpr char kHeader[] = "{\"midwire\":\"cassette\",\"version\":1}\n";

// The lines of the cassette that these records make, without its header.
std::string Lines(const std::vector<Rec>& recs, bool times = false) {
  std::string text = ToCassette(Tape(recs), times);
  return text.substr(text.find('\n') + 1);
}

// What a reader of a trace gets, in its order.
class ItemList : public SessionHandler {
 public:
  void OnMessage(const RecordedMessage& message) override {
    Add(message.direction, std::to_string(message.frame->oddities) + " ", message.frame->bytes);
  }
  void OnJunk(const RecordedJunk& junk) override { Add(junk.direction, "junk ", junk.junk->bytes); }
  void OnStderr(int64_t, std::string_view bytes) override { text += "stderr " + Quoted(bytes); }
  void OnEvent(int64_t, const Event& event) override { text += Quoted(ToJson(event)); }
  std::string text;

 private:
  static std::string Quoted(std::string_view bytes) {
    return testing::PrintToString(std::string(bytes.substr(0, 100))) +
           std::to_string(bytes.size()) + "\n";
  }
  void Add(wire::Direction direction, const std::string& kind, std::string_view bytes) {
    text += std::string(wire::Name(direction)) + " " + kind + Quoted(bytes);
  }
};
std::string Items(const std::string& trace) {
  ItemList items;
  Session session(&items);
  auto reader = OpenTrace(std::make_unique<StringSource>(trace));
  EXPECT_TRUE(reader && Play(reader->get(), &session));
  return items.text;
}

ReadBack Play(const std::string& lines) { return Read(kHeader + lines); }

TEST(CassetteTest, AMessageStandsInItsLineAsItIs) {
  EXPECT_EQ(Lines({Host("{\"id\":1, \"x\":1.0}\n")}),
            "{\"from\":\"host\",\"message\":{\"id\":1, \"x\":1.0}}\n");
  EXPECT_EQ(Lines({Framed(Stream::kPluginToHost, "{\"id\":1}")}),
            "{\"from\":\"plugin\",\"framing\":\"content-length\",\"message\":{\"id\":1}}\n");
}

TEST(CassetteTest, DeviationsAreExplicit) {
  EXPECT_EQ(Lines({Host("{}\r\n")}), "{\"from\":\"host\",\"message\":{},\"tail\":\"\\r\\n\"}\n");
  EXPECT_EQ(Lines({Host("content-length: 2\r\n\r\n{}")}),
            "{\"from\":\"host\",\"framing\":\"content-length\","
            "\"head\":\"content-length: 2\\r\\n\\r\\n\",\"message\":{}}\n");
  EXPECT_EQ(Lines({Host("{\"a\":\"\xFF\"}\n")}),
            "{\"from\":\"host\",\"body\":{\"base64\":\"eyJhIjoi/yJ9\"}}\n");
  EXPECT_EQ(Lines({Host("{\"a\":01}\n")}), "{\"from\":\"host\",\"body\":\"{\\\"a\\\":01}\"}\n");
  EXPECT_EQ(Lines({Host("Content-Length: 4\r\n\r\n{\r\n}")}),
            "{\"from\":\"host\",\"framing\":\"content-length\",\"body\":\"{\\r\\n}\"}\n");
}

TEST(CassetteTest, WhatIsNoMessageHasItsOwnWords) {
  EXPECT_EQ(Lines({Banner("hi\n"), Log("log\n"), Happened(ExitStatus{.code = 0})}),
            "{\"from\":\"plugin\",\"junk\":\"hi\\n\"}\n"
            "{\"stderr\":\"log\\n\"}\n"
            "{\"event\":{\"event\":\"exit\",\"code\":0}}\n");
}

TEST(CassetteTest, LinesStandInTheOrderInWhichFramesEnd) {
  EXPECT_EQ(Lines({Host("{\"id\""), Plugin("{}\n"), Host(":1}\n")}),
            "{\"from\":\"plugin\",\"message\":{}}\n{\"from\":\"host\",\"message\":{\"id\":1}}\n");
}

TEST(CassetteTest, AStreamsEndEndsItsLastLine) {
  EXPECT_EQ(Lines({Plugin("{\"id\":1}"), Happened(EofEvent{"plugin-to-host"}), Log("x")}),
            "{\"from\":\"plugin\",\"message\":{\"id\":1},\"tail\":\"\"}\n"
            "{\"event\":{\"event\":\"eof\",\"stream\":\"plugin-to-host\"}}\n{\"stderr\":\"x\"}\n");
}

TEST(CassetteTest, WithTimesEachLineHasItsMoment) {
  std::string text = ToCassette(Tape({Host("{}\n", 1'000'000'000), Log("x", 1'000'000'007)}), true);
  EXPECT_EQ(
      text,
      "{\"midwire\":\"cassette\",\"version\":1,\"start\":\"1970-01-01T00:00:01.000000000Z\"}\n"
      "{\"from\":\"host\",\"at\":0,\"message\":{}}\n{\"at\":7,\"stderr\":\"x\"}\n");
}

TEST(CassetteTest, WithTimesSegmentsAreListed) {
  EXPECT_EQ(Lines({Host("{\"id\"", 1), Host(":1}\n[", 3), Host("]\n", 4)}, true),
            "{\"from\":\"host\",\"at\":[[0,5],[2,4,{\"more\":true}]],\"message\":{\"id\":1}}\n"
            "{\"from\":\"host\",\"at\":[[2,1],[3,2]],\"message\":[]}\n");
}

// The promise of --times: tape to cassette to tape, and not a byte differs.
TEST(CassetteTest, WithTimesTheTapeComesBackByteByByte) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    std::string tape = Tape(RandomSession(seed));
    if (seed % 5 == 0) tape += Tape(RandomSession(seed + 10'000));
    std::string cassette = ToCassette(tape, true);
    ASSERT_EQ(ToTape(cassette), tape) << "seed " << seed << "\n" << cassette.substr(0, 4000);
  }
}

// Without times, the bytes of each stream and the order of the frames are preserved.
TEST(CassetteTest, WithoutTimesBytesAndOrderComeBack) {
  int stable = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    std::vector<Rec> recs = RandomSession(seed);
    std::string cassette = ToCassette(Tape(recs));
    ReadBack before = Read(Tape(recs)), after = Read(cassette);
    ASSERT_EQ(before.error + after.error + after.Reasons(), "") << seed;
    ASSERT_EQ(after.torn, 0u);
    for (Stream stream :
         {Stream::kHostToPlugin, Stream::kPluginToHost, Stream::kStderr, Stream::kEvents}) {
      ASSERT_EQ(after.Bytes(stream), before.Bytes(stream)) << "seed " << seed << "\n" << cassette;
    }
    ASSERT_EQ(Items(cassette), Items(Tape(recs))) << seed << "\n" << cassette;
    ASSERT_EQ(Items(ToTape(cassette)), Items(Tape(recs))) << seed << "\n" << cassette;
    if (cassette.find("\"part\"") != cassette.npos) continue;  // it could be another one
    ASSERT_EQ(ToCassette(ToTape(cassette)), cassette) << seed;
    ASSERT_EQ(ToCassette(cassette), cassette) << seed;
    ++stable;
  }
  EXPECT_GT(stable, 100);
}

// A message without its line end has ended when the next one on its line begins.
TEST(CassetteTest, ASharedLineKeepsItsPlace) {
  const std::vector<Rec> recs = {Host("{\"id\":1}{\"id\""), Plugin("{}\n"), Host(":2}\n"),
                                 Log("x")};
  EXPECT_EQ(Lines(recs),
            "{\"from\":\"host\",\"message\":{\"id\":1},\"tail\":\"\"}\n"
            "{\"from\":\"host\",\"part\":\"{\\\"id\\\"\"}\n"
            "{\"from\":\"plugin\",\"message\":{}}\n"
            "{\"from\":\"host\",\"part\":\":2}\\n\"}\n"
            "{\"stderr\":\"x\"}\n");
  EXPECT_EQ(Items(ToCassette(Tape(recs))), Items(Tape(recs)));
  EXPECT_EQ(Items(ToTape(ToCassette(Tape(recs)))), Items(Tape(recs)));
}

TEST(CassetteTest, ExtremeTimesComeBack) {
  for (int64_t first : {INT64_MIN, int64_t{-1}, int64_t{0}, INT64_MAX}) {
    for (int64_t second : {INT64_MIN, int64_t{-1}, int64_t{1}, INT64_MAX}) {
      std::string tape = Tape({Host("{}\n", first), Log("x", second)});
      EXPECT_EQ(ToTape(ToCassette(tape, true)), tape) << first << " " << second;
    }
  }
}

TEST(CassetteTest, AFrameAboveTheCapGoesOutInParts) {
  std::string body = "{\"text\":\"" + std::string(3'000'000, 'x') + "\"}\n";
  for (bool framed : {false, true}) {
    std::string bytes =
        framed ? "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body : body;
    std::vector<Rec> recs;
    for (size_t at = 0; at < bytes.size(); at += kMaxSegment) {
      recs.push_back(Plugin(bytes.substr(at, kMaxSegment), 5));
    }
    recs.push_back(Plugin(framed ? "Content-Length: 2\r\n\r\n{}" : "{}\n", 6));
    std::string cassette = ToCassette(Tape(recs));
    for (size_t at = 0, end; at < cassette.size(); at = end + 1) {
      end = cassette.find('\n', at);
      ASSERT_LT(end - at, cassette::kMaxPending + kMaxSegment + 200);
    }
    EXPECT_EQ(Read(cassette).Bytes(Stream::kPluginToHost),
              Read(Tape(recs)).Bytes(Stream::kPluginToHost));
    EXPECT_TRUE(cassette.ends_with("\"message\":{}}\n")) << cassette.substr(cassette.size() - 99);
    EXPECT_EQ(ToTape(ToCassette(Tape(recs), true)), Tape(recs));
  }
}

TEST(CassetteTest, AFrameInVeryManySegmentsIsBounded) {
  std::vector<Rec> recs(10'000, Host("["));
  std::string cassette = ToCassette(Tape(recs), true);
  EXPECT_EQ(ToTape(cassette), Tape(recs));
  EXPECT_GE(std::count(cassette.begin(), cassette.end(), '\n'), 3);
}

TEST(CassetteTest, AnEditedMessageGetsTheRightLength) {
  std::string cassette = ToCassette(Tape({Framed(Stream::kHostToPlugin, "{\"id\":1}")}), true);
  cassette.replace(cassette.find("{\"id\":1}"), 8, "{\"id\":1234567}");
  ReadBack back = Read(cassette);
  ASSERT_EQ(back.recs.size(), 1u);
  EXPECT_EQ(back.recs[0].head, "Content-Length: 14\r\n\r\n");
  EXPECT_EQ(back.recs[0].body, "{\"id\":1234567}");
}

TEST(CassetteTest, WrittenByHand) {
  ReadBack back = Play(
      "\n{ \"from\" : \"host\" , \"message\" : { \"id\" : 1 } , \"comment\":[1] }\r\n"
      "{\"from\":\"plugin\",\"framing\":\"content-length\",\"body\":\"x\"}\n"
      "{\"weather\":\"fine\"}\n"
      "{\"stderr\":\"no line end\"}");
  EXPECT_EQ(back.Reasons(), "");
  EXPECT_EQ(back.torn, 0u);
  EXPECT_EQ(back.recs, std::vector({Host("{ \"id\" : 1 }\n"), Framed(Stream::kPluginToHost, "x"),
                                    Log("no line end")}));
}

TEST(CassetteTest, ByteOrderMarkAndMissingHeaderAreAccepted) {
  for (const std::string& start : {std::string("\xEF\xBB\xBF") + kHeader, std::string()}) {
    ReadBack back = Read(start + "{\"from\":\"host\",\"message\":{}}\n");
    EXPECT_EQ(back.recs, std::vector({Host("{}\n")}));
    EXPECT_EQ(back.Reasons() + back.error, "");
  }
}

TEST(CassetteTest, OtherMembersOfTheHeaderTravelThroughATape) {
  std::string cassette =
      "{\"midwire\":\"cassette\",\"version\":1,\"ignores\":[\"/params/pid\"],\"by\":\"Ada\"}\n"
      "{\"from\":\"host\",\"message\":{}}\n";
  EXPECT_EQ(ToCassette(cassette), cassette);
  EXPECT_EQ(ToCassette(ToTape(cassette)), cassette);
}

TEST(CassetteTest, NewerVersionIsRefusedWithAWord) {
  ReadBack back =
      Read("{\"midwire\":\"cassette\",\"version\":2}\n{\"from\":\"host\",\"message\":{}}\n");
  EXPECT_NE(back.error.find("version 2"), back.error.npos) << back.error;
}

TEST(CassetteTest, AnotherHeaderIsAnotherSession) {
  std::string line = "{\"from\":\"host\",\"message\":{}}\n";
  EXPECT_EQ(Play(line + kHeader + line).sections, std::vector<size_t>({1}));
}

TEST(CassetteTest, LongMessagesBecomeSegmentsOfATape) {
  std::string body = "{\"a\":\"" + std::string(200'000, 'y') + "\"}";
  ReadBack back =
      Play("{\"from\":\"host\",\"framing\":\"content-length\",\"message\":" + body + "}\n");
  EXPECT_EQ(back.recs.size(), 4u);
  EXPECT_EQ(back.recs[0].head, "Content-Length: 200008\r\n\r\n");
  EXPECT_EQ(back.Bytes(Stream::kHostToPlugin), back.recs[0].head + body);
}

TEST(CassetteTest, ABadLineIsReportedInBytesAndTheNextIsRead) {
  const std::string good = "{\"from\":\"host\",\"message\":{}}\n";
  for (const std::string& bad : {
           std::string("not json"),
           std::string("{\"from\":\"host\",\"message\":{}"),
           std::string("{\"from\":\"host\"}"),
           std::string("{\"message\":{}}"),
           std::string("{\"from\":\"nobody\",\"message\":{}}"),
           std::string("{\"from\":\"host\",\"message\":{},\"junk\":\"x\"}"),
           std::string("{\"from\":\"host\",\"junk\":{\"base64\":\"a\"}}"),
           std::string("{\"from\":\"host\",\"junk\":{\"base64\":\"YQ==x\"}}"),
           std::string("{\"from\":\"host\",\"junk\":\"\\ud800\"}"),
           std::string("{\"from\":\"host\",\"junk\":7}"),
           std::string("{\"from\":\"host\",\"framing\":\"morse\",\"message\":{}}"),
           std::string("{\"from\":\"host\",\"message\":{},\"head\":[]}"),
           std::string("{\"event\":7}"),
           std::string("{\"event\":\"") + std::string(70'000, 'x') + "\"}",
           std::string("{\"midwire\":\"cassette\"}"),
           std::string("{\"midwire\":\"cassette\",\"version\":1,\"start\":\"noon\"}"),
           std::string("{\"from\":\"host\",\"message\":") + std::string(1'000'000, '['),
           std::string(9'000'000, ' '),
           std::string(20'000'000, 'x'),
       }) {
    ReadBack back = Play(good + bad + '\n' + good);
    EXPECT_EQ(back.recs.size(), 2u) << bad.substr(0, 60);
    EXPECT_EQ(back.damaged, bad.size() + 1) << bad.substr(0, 60) << back.Reasons();
    ASSERT_FALSE(back.damages.empty());
    EXPECT_EQ(back.damages[0].offset, sizeof kHeader - 1 + good.size());
  }
}

// The recorder passes blanks and a byte-order mark before the JSON text as head.
TEST(CassetteTest, WhatStandsBeforeALineComesBackAsItsHead) {
  for (std::string head : {" ", "\r", "\t", "\xEF\xBB\xBF", "\r\n \t"}) {
    Rec rec = Host("{\"a\":1}\n", 5);
    rec.head = head;
    std::string tape = Tape({rec});
    EXPECT_EQ(ToTape(ToCassette(tape, /*times=*/true)), tape) << testing::PrintToString(head);
  }
}

TEST(CassetteTest, DeepNestingIsJustAMessage) {
  std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  ReadBack back = Play("{\"from\":\"host\",\"message\":" + deep + ",\"x\":" + deep + "}\n");
  EXPECT_EQ(back.Bytes(Stream::kHostToPlugin), deep + '\n');
}

TEST(CassetteTest, TruncatedAnywhereIsQuietAndLosesTheLastLineOnly) {
  for (bool times : {false, true}) {
    std::string cassette = ToCassette(Tape(SmallSession()), times);
    std::vector<Rec> whole = Read(cassette).recs;
    size_t torn = 0;
    for (size_t size = cassette.find('\n') + 1; size < cassette.size(); ++size) {
      ReadBack back = Read(cassette.substr(0, size));
      ASSERT_EQ(back.Reasons(), "") << size;
      size_t line_start = cassette.rfind('\n', size - 1) + 1;
      if (back.torn > 0) {
        ASSERT_EQ(back.torn, size - line_start);
        ++torn;
      }
      ASSERT_LE(back.recs.size(), whole.size());
      ASSERT_TRUE(std::equal(back.recs.begin(), back.recs.end(), whole.begin())) << size;
    }
    EXPECT_GT(torn, 100u);
  }
}

TEST(CassetteTest, AtThatDoesNotFitGivesWay) {
  for (const char* at :
       {"[[0,1],[5,1]]", "[[0,99]]", "[]", "[[0]]", "\"x\"", "[[0,-1],[0,4]]", "1e5",
        "[[0,3,{\"head\":9}]]", "[[0,3,{\"head\":-1}]]", "{}", "[[0,70000]]"}) {
    ReadBack back = Play("{\"from\":\"host\",\"at\":" + std::string(at) + ",\"message\":{}}\n");
    EXPECT_EQ(back.Bytes(Stream::kHostToPlugin), "{}\n") << at;
    EXPECT_EQ(back.Reasons(), "") << at;
  }
}

TEST(CassetteTest, ARecordThatNeverGoesOnIsGivenAllTheSame) {
  std::string half =
      "{\"from\":\"host\",\"at\":[[0,3,{\"more\":true,\"head\":60000}]],\"message\":{}}\n";
  EXPECT_EQ(Play(half).Bytes(Stream::kHostToPlugin), "{}\n");
  EXPECT_EQ(Play(half + half).Bytes(Stream::kHostToPlugin), "{}\n{}\n");
  EXPECT_EQ(Play(half + "{\"stderr\":\"x\"}\n").recs.size(), 2u);
  ReadBack back = Play(half + kHeader + "{\"stderr\":\"x\"}\n");
  EXPECT_EQ(back.recs.size(), 2u);
  EXPECT_EQ(back.sections, std::vector<size_t>({1}));
}

TEST(CassetteTimeTest, ReadsWhatItWrites) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 10'000; ++i) {
    int64_t time = static_cast<int64_t>(random()), back = 1;
    ASSERT_TRUE(cassette::ParseTime(cassette::FormatTime(time), &back)) << time;
    ASSERT_EQ(back, time);
  }
  EXPECT_EQ(cassette::FormatTime(1'763'722'800'000'000'001), "2025-11-21T11:00:00.000000001Z");
  int64_t time;
  for (const char* text : {"", "2025-13-21T11:00:00.000000001Z", "2025-11-21T11:00:00Z",
                           "2025-11-21 11:00:00.000000001Z", "9999-11-21T11:00:00.000000001Z",
                           "2025-02-30T11:00:00.000000001Z"}) {
    EXPECT_FALSE(cassette::ParseTime(text, &time)) << text;
  }
}

}  // namespace
}  // namespace midwire::trace
