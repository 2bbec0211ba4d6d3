// What goes out byte by byte, framing, batches, DAP, and bytes that are not a messages.
#include "tests/replay/conversation.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

TEST(ReplayBytesTest, OddSpellingAndInvalidUtf8GoOutVerbatim) {
  const std::string odd =
      "-> { \"method\" :\t\"a\\u0062\\/\", \"params\":[ 1.0 , \"\xFF\xC3\xED\xA0\x80\" ] , "
      "\"jsonrpc\":\"2.0\"} \r\n";
  ExpectReplays(Host(), odd, odd + "closes\nsame\n");
}

TEST(ReplayBytesTest, OnlyTheIdOfAnAnswerChanges) {
  const auto answer = [](std::string id) {
    return "-> {\"result\" : \"\xFF id\\/1\" , \"id\"\t:" + id + " ,\"jsonrpc\":\"2.0\" }\n";
  };
  ExpectReplays(
      Host(), "<- {\"id\":\"1\",\"method\":\"ask\"}\n" + answer("\"1\""),
      "<- {\"id\":\"long id\",\"method\":\"ask\"}\n" + answer("\"long id\"") + "closes\nsame\n");
}

TEST(ReplayBytesTest, TheLengthHeaderFollows) {
  ExpectReplays(Host(), R"(
    <= {"id":1,"method":"ask"}
    => {"id":1,"result":1}
  )",
                R"(
    <= {"id":1000,"method":"ask"}
    => {"id":1000,"result":1}
    closes
    same
  )");
}

TEST(ReplayBytesTest, OtherHeadersStay) {
  LiveRun run(trace::Tape({trace::Plugin("{\"id\":1,\"method\":\"ask\"}\n"),
                           trace::Host("Content-Type: x\r\ncontent-length:  19\r\n\r\n"
                                       "{\"id\":1,\"result\":1}")}),
              Host());
  run.Say("{\"id\":\"abc\",\"method\":\"ask\"}\n");
  EXPECT_EQ(run.sent(),
            "Content-Type: x\r\ncontent-length:  23\r\n\r\n{\"id\":\"abc\",\"result\":1}");
}

TEST(ReplayBytesTest, AnotherFramingIsReportedOnce) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <= {"id":1,"result":1}
    -> {"id":2,"method":"a"}
    <= {"id":2,"result":1}
    closes
    framing 2 a: line | content-length
  )");
}

TEST(ReplayBytesTest, JunkThatTheTraceHasNotIsADifference) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- oops
    <- {"id":1,"result":1}
    closes
    junk -: - | oops
  )");
}

TEST(ReplayBytesTest, ABannerWithAnotherPidIsTheSame) {
  ExpectReplays(Host(), R"(
    <- ready, pid 4711
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- ready, pid 3
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ReplayBytesTest, AnotherBannerIsNot) {
  ExpectReplays(Host(), R"(
    <- ready
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- steady
    <- {"id":1,"result":1}
    closes
    junk -: ready | steady
  )");
}

TEST(ReplayBytesTest, ABannerThatStaysAwayIsNoDifference) {
  ExpectReplays(Host(), R"(
    <- ready
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    closes
    same
  )");
}

TEST(ReplayBytesTest, BlankLinesDoNotCount) {
  LiveRun run(TapeOf("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":1}"), Host());
  run.Say("\n \r\n{\"id\":1,\"result\":1}\n\n");
  EXPECT_EQ(run.End(), "same\n");
}

TEST(ReplayBytesTest, ALineEndAfterABodyOfCountedLengthDoes) {
  LiveRun run(TapeOf("=> {\"id\":1,\"method\":\"a\"}\n<= {\"id\":1,\"result\":1}"), Host());
  run.Say(WithLength("{\"id\":1,\"result\":1}") + "\r\n");
  EXPECT_EQ(run.End(), "junk -: - | \r\n");
}

TEST(ReplayBytesTest, SoDoesOneBeforeTheFirstFrame) {
  LiveRun run(TapeOf("=> {\"id\":1,\"method\":\"a\"}\n<= {\"id\":1,\"result\":1}"), Host());
  run.Say("\r\n" + WithLength("{\"id\":1,\"result\":1}"));
  EXPECT_EQ(run.End(), "junk -: - | \r\n");
}

TEST(ReplayBytesTest, ALengthThatIsOneShortOrOneTooLongIsNeverTheSame) {
  const std::string recorded = R"(
    => {"id":1,"method":"a"}
    <= {"id":1,"result":1}
    => {"id":2,"method":"b"}
    <= {"id":2,"result":2}
  )";
  const auto framed = [](std::string_view body, int wrong) {
    return "Content-Length: " + std::to_string(static_cast<int>(body.size()) + wrong) + "\r\n\r\n" +
           std::string(body);
  };
  for (const int wrong : {-1, 1}) {
    for (const int last : {0, wrong}) {
      LiveRun run(TapeOf(recorded), Host());
      run.Say(framed(R"({"id":1,"result":1})", last == 0 ? wrong : 0));
      run.Say(framed(R"({"id":2,"result":2})", last));
      const std::string report = run.End();
      EXPECT_TRUE(report.starts_with("junk") || report.starts_with("missing") ||
                  report.starts_with("differs") || report.starts_with("framing"))
          << wrong << last << report;
    }
  }
}

TEST(ReplayBytesTest, AnUnfinishedLastLineIsAMessage) {
  LiveRun run(TapeOf("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":1,\"result\":1}"), Host());
  run.Say("{\"id\":1,\"result\":1}");
  EXPECT_EQ(run.End(), "same\n");
}

TEST(ReplayBytesTest, JsonThatIsNoMessage) {
  ExpectReplays(Host(), R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
  )",
                R"(
    -> {"id":1,"method":"a"}
    <- {"hello":1}
    <- {"id":1,"result":1}
    closes
    junk -: - | {"hello":1}
  )");
}

TEST(ReplayBytesTest, ABatchOfOursGoesOutWhole) {
  ExpectReplays(Host(), R"(
    -> [{"id":1,"method":"a"}, {"id":2,"method":"b"},{"method":"c"}]
    <- [{"id":2,"result":2},{"id":1,"result":1}]
  )",
                R"(
    -> [{"id":1,"method":"a"}, {"id":2,"method":"b"},{"method":"c"}]
    <- [{"id":1,"result":1},{"id":2,"result":2}]
    closes
    same
  )");
}

TEST(ReplayBytesTest, ABatchThatIsAnsweredOneByOneDiffersInThatToo) {
  ExpectReplays(Host(), R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- [{"id":1,"result":1},{"id":2,"result":2}]
  )",
                R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- {"id":2,"result":2}
    <- {"id":1,"result":3}
    closes
    differs 2 a /result: 1 | 3
    framing 2 b: batch | single message
  )");
}

TEST(ReplayBytesTest, ABatchOfThePeerIsAnsweredUnderItsLiveIds) {
  ExpectReplays(Host(), R"(
    <- [{"id":"1","method":"a"},{"id":"2","method":"b"}]
    -> [{"id":"1","result":1},{"id":"2","result":2}]
  )",
                R"(
    <- [{"id":"x","method":"a"},{"id":"y","method":"b"}]
    -> [{"id":"x","result":1},{"id":"y","result":2}]
    closes
    same
  )");
}

TEST(ReplayBytesTest, AnElementThatIsMissing) {
  ExpectReplays(Host(), R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- [{"id":1,"result":1},{"id":2,"result":2}]
  )",
                R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- [{"id":1,"result":1}]
    wait 5s
    finishes
    hung 2 b
    missing 2 b: {"id":2,"result":2} | -
  )");
}

TEST(ReplayBytesTest, AnEmptyBatch) {
  ExpectReplays(Host(), R"(
    -> []
    <- {"id":null,"error":{"code":-32600}}
  )",
                R"(
    -> []
    <- {"id":null,"error":{"code":-32600}}
    closes
    same
  )");
}

TEST(ReplayBytesTest, ABatchThatCannotBeTakenApartIsComparedWhole) {
  for (const std::string batch : {"[]", "[{\"id\":1,\"result\":1},]"}) {
    const std::string ask = "-> {\"id\":1,\"method\":\"a\"}\n";
    ExpectReplays(Host(), ask + "<- " + batch, ask + "<- " + batch + "\ncloses\nsame\n");
  }
}

TEST(ReplayBytesTest, ABatchOfTooManyIsRefused) {
  std::string batch = "{\"method\":\"a\"}";
  for (size_t i = 0; i < wire::kMaxBatchElements; ++i) batch += ",{\"method\":\"a\"}";
  auto reader =
      trace::OpenTrace(std::make_unique<trace::StringSource>(TapeOf("<- [" + batch + "]")));
  ASSERT_TRUE(reader);
  const auto loaded = Load(reader->get(), Direction::kHostToPlugin, {});
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().Text().find("message 1"), std::string::npos) << loaded.error().Text();
}

TEST(ReplayBytesTest, DapMessages) {
  ExpectReplays(Host(), R"(
    => {"seq":1,"type":"request","command":"initialize","arguments":{}}
    <= {"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize"}
    <= {"seq":2,"type":"event","event":"initialized"}
    <= {"seq":3,"type":"request","command":"runInTerminal"}
    => {"seq":2,"type":"response","request_seq":3,"success":true,"command":"runInTerminal"}
  )",
                R"(
    => {"seq":1,"type":"request","command":"initialize","arguments":{}}
    <= {"seq":7,"type":"event","event":"initialized"}
    <= {"seq":8,"type":"response","request_seq":1,"success":false,"command":"initialize"}
    <= {"seq":9,"type":"request","command":"runInTerminal"}
    => {"seq":2,"type":"response","request_seq":9,"success":true,"command":"runInTerminal"}
    closes
    differs 2 initialize /success: true | false
  )");
}

TEST(ReplayBytesTest, AnExtraDapRequestGetsADapAnswer) {
  const std::string transcript = Transcript(Host(), R"(
    => {"seq":1,"type":"request","command":"initialize"}
    <= {"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize"}
  )",
                                            R"(
    <= {"seq":9,"type":"request","command":"runInTerminal"}
  )");
  EXPECT_NE(transcript.find("\"type\":\"response\",\"request_seq\":9,\"success\":false"),
            std::string::npos)
      << transcript;
}

TEST(ReplayBytesTest, AnIdTooLongToKeepGetsNoBrokenAnswer) {
  const std::string id = "\"" + std::string(10'000, 'i') + "\"";
  LiveRun run(TapeOf("<- {\"id\":1,\"method\":\"ask\"}\n-> {\"id\":1,\"result\":1}"), Host());
  run.Say("{\"id\":" + id + ",\"method\":\"ask\"}\n{\"id\":" + id + ",\"method\":\"more\"}\n");
  EXPECT_EQ(run.sent(), "");
  EXPECT_EQ(run.End(),
            "differs 1 ask\n"
            "differs 1 ask /id: 1 | " +
                trace::Shown(id) +
                "\n"
                "extra - more: - | {\"id\":\"<id>\",\"method\":\"more\"}\n");
}

// ---- batches and framing that the recording does not have

constexpr const char* kTalks = R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log"}
    <- {"id":1,"result":1}
)";

TEST(ReplayBytesTest, AnArrayIsNotTheMessagesInIt) {
  ExpectReplays(Host(), kTalks, R"(
    -> {"id":1,"method":"a"}
    <- [{"method":"log"},{"id":1,"result":1}]
    closes
    framing 2 log: single message | batch
  )");
  ExpectReplays(Host(), kTalks, R"(
    -> {"id":1,"method":"a"}
    <- {"method":"log"}
    <- [{"id":1,"result":1}]
    closes
    framing 3 a: single message | batch
  )");
}

constexpr const char* kBatch = R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- [{"id":1,"result":1},{"id":2,"result":2}]
)";

TEST(ReplayBytesTest, NorAreTheMessagesOfABatchTheSameAlone) {
  ExpectReplays(Host(), kBatch, R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- {"id":1,"result":1}
    <- {"id":2,"result":2}
    closes
    framing 2 a: batch | single message
  )");
}

TEST(ReplayBytesTest, NorInTwoBatches) {
  ExpectReplays(Host().ShowText(), kBatch, R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
    <- [{"id":2,"result":2}]
    <- [{"id":1,"result":1}]
    closes
    framing 2 a: batch | batch (in another batch)
  )");
}

// What comes in place of an answer with a Content-Length header.
std::string FramedAs(const std::string& frame) {
  LiveRun run(TapeOf("=> {\"id\":1,\"method\":\"a\"}\n<= {\"id\":1,\"result\":1}\n"), Host());
  run.Say(frame);
  return run.End();
}

TEST(ReplayBytesTest, AHeaderThatFewClientsReadIsADifference) {
  const std::string body = R"({"id":1,"result":1})", n = std::to_string(body.size());
  EXPECT_EQ(FramedAs("Content-Length: " + n + "\r\n\r\n" + body), "same\n");
  EXPECT_EQ(FramedAs("content-length:" + n + "\r\nContent-Type: x\r\n\r\n" + body), "same\n");
  const auto reported = [](const std::string& name) { return "framing 2 a: - | " + name + "\n"; };
  EXPECT_EQ(FramedAs("Content-Length: " + n + "\n\n" + body), reported("lf-only"));
  EXPECT_EQ(FramedAs("Content-Length: " + n + "\r\r\n\r\r\n" + body), reported("doubled-cr"));
  EXPECT_EQ(FramedAs("Content-Length: +" + n + "\r\n\r\n" + body), reported("signed-length"));
  EXPECT_EQ(FramedAs("Content-Length: " + n + "\r\nContent-Length: " + n + "\r\n\r\n" + body),
            reported("repeated-length"));
  EXPECT_EQ(FramedAs(" Content-Length: " + n + "\r\n\r\n" + body), reported("indented-header"));
}

TEST(ReplayBytesTest, SoIsALengthThatCountsMoreThanTheMessage) {
  const std::string body = R"({"id":1,"result":1})", n = std::to_string(body.size() + 1);
  const auto reported = [](const std::string& name) { return "framing 2 a: - | " + name + "\n"; };
  EXPECT_EQ(FramedAs("Content-Length: " + n + "\r\n\r\n" + body + "\n"), reported("blanks-around"));
  EXPECT_EQ(FramedAs("Content-Length: " + n + "\r\n\r\n" + body + "Content-Length: 2\r\n\r\n{}"),
            reported("long-length") + "junk -: - | {}\n");
}

TEST(ReplayBytesTest, ACountedLineEndAsRecordedAndBlanksAroundALineAreNone) {
  const std::string answer = R"({"id":1,"result":1})";
  const std::string counted = "Content-Length: 20\r\n\r\n" + answer + "\n";
  LiveRun run(trace::Tape({trace::Host("{\"id\":1,\"method\":\"a\"}\n"), trace::Plugin(counted)}),
              Host());
  run.Say(counted);
  EXPECT_EQ(run.End(), "same\n");
  LiveRun line(TapeOf("-> {\"id\":1,\"method\":\"a\"}\n<- " + answer + "\n"), Host());
  line.Say(" " + answer + " \r\n");
  EXPECT_EQ(line.End(), "same\n");
}

TEST(ReplayBytesTest, SoAreAByteOrderMarkAndTwoMessagesOnALineUnlessRecorded) {
  for (const std::string odd : {"\xef\xbb\xbf{\"method\":\"log\"}\n{\"id\":1,\"result\":1}\n",
                                "{\"method\":\"log\"}{\"id\":1,\"result\":1}\n"}) {
    LiveRun run(TapeOf(kTalks), Host());
    run.Say(odd);
    EXPECT_NE(run.End().find("framing "), std::string::npos) << odd;
  }
  constexpr char kRecorded[] =
      "-> {\"id\":1,\"method\":\"a\"}\n<- \xef\xbb\xbf{\"id\":1,\"result\":1}\n";
  LiveRun run(TapeOf(kRecorded), Host());
  run.Say("\xef\xbb\xbf{\"id\":1,\"result\":1}\n");
  EXPECT_EQ(run.End(), "same\n");
}

TEST(ReplayBytesTest, ATextThatIsNotJsonIsNotCalledJson) {
  LiveRun run(TapeOf("=> {\"id\":1,\"method\":\"a\"}\n<= {\"id\":1,\"result\":1}\n"),
              Host().ShowText());
  run.Say("Content-Length: 10\r\n\r\n{\"id\":1,\"r");
  EXPECT_NE(run.End().find("(text that is not JSON (cut off by a wrong length?))"),
            std::string::npos);
}

}  // namespace
}  // namespace midwire::replay
