// What becomes of logs that are JSON, of lines with a direction in front of JSON, and of the bytes
// of one direction.
#include <gmock/gmock.h>

#include "tests/trace/import/imported.h"
#include "trace/import/markers.h"
#include "trace/import/streams.h"

namespace midwire::trace::import {
namespace {

TEST(SnoopLogTest, DirectionsStderrAndMeta) {
  const std::string head = "{\"session_id\":\"s\",\"server_label\":\"x\",\"seq\":1,\"ts\":";
  const ImportedLog log = ImportLog(
      head + "\"2026-01-05T10:00:00Z\",\"direction\":\"meta\",\"raw\":{\"command\":[\"srv\"]}}\n" +
      head +
      "\"2026-01-05T12:00:01.5+02:00\",\"direction\":\"c2s\",\"raw\":{\"id\":1,\"method\":\"m\"}}"
      "\n" +
      head + "\"2026-01-05T10:00:02Z\",\"direction\":\"stderr\",\"text\":\"oh\"}\n" + head +
      "\"2026-01-05T10:00:02Z\",\"direction\":\"s2c\",\"raw\":{\"id\":1,\"result\":1}}\n");
  EXPECT_EQ(log.format, "mcpsnoop");
  EXPECT_EQ(log.lines,
            "host @1767607201500 {\"id\":1,\"method\":\"m\"}\nstderr @1767607202000 oh\nplugin "
            "@1767607202000 {\"id\":1,\"result\":1}\n");
}

TEST(InspectorExportTest, ARequestBringsItsAnswer) {
  const ImportedLog log = ImportLog(
      "[{\"id\":\"a\",\"timestamp\":\"2026-01-05T10:00:00.000Z\",\"direction\":\"request\","
      "\"origin\":\"client\",\"message\":{\"id\":1,\"method\":\"m\"},\"response\":{\"id\":1,"
      "\"result\":"
      "{}},\"duration\":20},\n"
      "{\"id\":\"b\",\"timestamp\":\"2026-01-05T10:00:01.000Z\",\"direction\":\"notification\","
      "\"origin\":\"server\",\"message\":{\"method\":\"n\"}}]\n");
  EXPECT_EQ(log.format, "inspector");
  EXPECT_EQ(log.lines,
            "host @1767607200000 {\"id\":1,\"method\":\"m\"}\nplugin @1767607200020 "
            "{\"id\":1,\"result\":{}}\nplugin @1767607201000 {\"method\":\"n\"}\n");
}

TEST(ArrowLogTest, WordsInFrontOfJson) {
  const ImportedLog log = ImportLog(
      "starting\nCLIENT >> {\"jsonrpc\":\"2.0\",\"id\":\"3\",\"method\":\"m\"}\n"
      "SERVER >> {\"jsonrpc\":\"2.0\",\"id\":\"3\",\"result\":1}\n");
  EXPECT_EQ(log.format, "arrows");
  EXPECT_EQ(log.lines,
            "host {\"jsonrpc\":\"2.0\",\"id\":\"3\",\"method\":\"m\"}\n"
            "plugin {\"jsonrpc\":\"2.0\",\"id\":\"3\",\"result\":1}\n");
}

TEST(ArrowLogTest, DebugAdaptersInVisualStudio) {
  const ImportedLog log = ImportLog(
      " 1> 02/06/2018 13:27:38.448: [DebugAdapter] --> C (initialize-1): "
      "{\"command\":\"initialize\",\"seq\":1,\"type\":\"request\"}\n"
      " 1> 02/06/2018 13:27:38.921: [DebugAdapter] <--   E (initialized): "
      "{\"seq\":2,\"type\":\"event\",\"event\":\"initialized\"}\n");
  EXPECT_EQ(log.lines,
            "host {\"command\":\"initialize\",\"seq\":1,\"type\":\"request\"}\n"
            "plugin {\"seq\":2,\"type\":\"event\",\"event\":\"initialized\"}\n");
}

TEST(PrefixedLogTest, TheCallerSaysWhichPrefixIsWhose) {
  const auto has = [](std::string_view word) {
    return [word](std::string_view prefix) { return prefix.find(word) != prefix.npos; };
  };
  Conversation conversation;
  ReadPrefixed("2026-01-05 10:00:00 tx {\n\"id\":1}\nrx {\"id\":2}\nnoise\ntx {\n",
               {has("tx"), has("rx")}, &conversation);
  EXPECT_EQ(LinesOf(conversation),
            "host @1767607200000 {\"id\":1}\nplugin @1767607200000 {\"id\":2}\n");
  EXPECT_EQ(conversation.first_unread(), "line 5: the message is not a complete JSON text");
}

TEST(RecordLogTest, TheCallerNamesTheMembers) {
  Conversation conversation;
  ReadRecords(
      "{\"way\":{\"is\":\"Out\"},\"data\":\"{\\\"id\\\":1}\",\"ms\":1500}\n"
      "{\"way\":{\"is\":\"in\"},\"data\":{\"id\":1,\"result\":2},\"ms\":1600}\n{\"way\":7}\n{"
      "\"cut\":\n",
      {"/way/is", "/data", "/ms"}, &conversation);
  EXPECT_EQ(LinesOf(conversation), "host @1500 {\"id\":1}\nplugin @1600 {\"id\":1,\"result\":2}\n");
  EXPECT_EQ(conversation.left_out(), 1u);
  EXPECT_EQ(conversation.unread(), 1u);
}

TEST(RecordLogTest, TheSenderOfInitializeIsTheHost) {
  Conversation conversation;
  const RecordWords found = ReadRecords(
      "{\"d\":\"out\",\"m\":{\"method\":\"hello\"}}\n"
      "{\"d\":\"in\",\"m\":{\"command\":\"initialize\",\"seq\":1,\"type\":\"request\"}}\n",
      {"/d", "/m", ""}, &conversation);
  EXPECT_TRUE(found.swapped);
  EXPECT_EQ(LinesOf(conversation),
            "plugin {\"method\":\"hello\"}\n"
            "host {\"command\":\"initialize\",\"seq\":1,\"type\":\"request\"}\n");
}

TEST(RecordLogTest, AWordThatNamesThePartyIsNotSwapped) {
  Conversation conversation;
  const RecordWords found =
      ReadRecords("{\"d\":\"server\",\"m\":{\"id\":1,\"method\":\"initialize\"}}\n",
                  {"/d", "/m", ""}, &conversation);
  EXPECT_FALSE(found.swapped);
  EXPECT_EQ(LinesOf(conversation), "plugin {\"id\":1,\"method\":\"initialize\"}\n");
}

TEST(RecordLogTest, TheCallerSaysWhichWordIsTheHosts) {
  Conversation conversation;
  ReadRecords(
      "{\"d\":\"TX\",\"m\":{\"id\":1}}\n{\"d\":\"rx\",\"m\":{\"id\":2}}\n{\"d\":\"open\"}\n",
      {"/d", "/m", "", "tx"}, &conversation);
  EXPECT_EQ(LinesOf(conversation), "host {\"id\":1}\nplugin {\"id\":2}\n");
  EXPECT_EQ(conversation.left_out(), 1u);
}

TEST(RecordLogTest, TimesThatCannotBeReadAreCounted) {
  Conversation conversation;
  ReadRecords(
      "{\"d\":\"in\",\"m\":{\"id\":1},\"t\":\"2300-01-01T00:00:00Z\"}\n"
      "{\"d\":\"in\",\"m\":{\"id\":2},\"t\":99999999999999999}\n"
      "{\"d\":\"in\",\"m\":{\"id\":3},\"t\":null}\n{\"d\":\"in\",\"m\":{\"id\":4}}\n",
      {"/d", "/m", "/t"}, &conversation);
  EXPECT_EQ(conversation.messages(), 4u);
  EXPECT_EQ(conversation.undated(), 2u);
}

TEST(ArrowLogTest, ADateThatNoTimeHasIsCounted) {
  const ImportedLog log =
      ImportLog("2026-99-99 10:00:00 --> {\"jsonrpc\":\"2.0\",\"method\":\"m\"}\n");
  EXPECT_EQ(log.conversation.messages(), 1u);
  EXPECT_EQ(log.conversation.undated(), 1u);
}

TEST(StreamsTest, AnAnswerFollowsItsRequest) {
  Conversation conversation;
  ReadStreams("{\"id\":1,\"method\":\"a\"}\n{\"method\":\"n\"}\n{\"id\":2,\"method\":\"b\"}\n",
              "{\"id\":1,\"result\":1}\n{\"id\":2,\"result\":2}\n", &conversation);
  EXPECT_EQ(
      LinesOf(conversation),
      "host {\"id\":1,\"method\":\"a\"}\nplugin {\"id\":1,\"result\":1}\nhost {\"method\":\"n\"}\n"
      "host {\"id\":2,\"method\":\"b\"}\nplugin {\"id\":2,\"result\":2}\n");
}

TEST(StreamsTest, TheHostAnswersWhatThePluginAsked) {
  Conversation conversation;
  ReadStreams("{\"id\":1,\"method\":\"a\"}\n{\"id\":1,\"result\":\"h\"}\n",
              "{\"id\":1,\"method\":\"ask\"}\n{\"id\":1,\"result\":\"p\"}\n", &conversation);
  const std::string lines = LinesOf(conversation);
  EXPECT_LT(lines.find("\"ask\""), lines.find("\"h\"")) << lines;
  EXPECT_LT(lines.find("\"a\""), lines.find("\"p\"")) << lines;
}

TEST(StreamsTest, BytesStayAsTheyWere) {
  const std::string host = "Content-Length: 23\r\n\r\n{\"id\":1,\"method\":\"init\"}";
  const std::string plugin = "banner\nContent-Length:  18\r\n\r\n{\"id\":1,\"result\":1}\n";
  Conversation conversation;
  ReadStreams(host, plugin, &conversation);
  StringSink sink;
  const auto writer = MakeWriter(trace::Format::kCassette, false, &sink);
  ASSERT_TRUE(conversation.Write("n", wire::Framing::kLine, writer.get()));
  const ReadBack back = Read(sink.text);
  EXPECT_EQ(back.Bytes(Stream::kHostToPlugin), host);
  EXPECT_EQ(back.Bytes(Stream::kPluginToHost), plugin);
}

TEST(StreamsTest, ABatchOfAnswersWaitsForAllItsRequests) {
  Conversation conversation;
  ReadStreams("{\"id\":1,\"method\":\"a\"}\n{\"id\":2,\"method\":\"b\"}\n{\"method\":\"n\"}\n",
              "[{\"id\":2,\"result\":1},{\"id\":1,\"result\":1},{\"id\":2,\"result\":1}]\n",
              &conversation);
  EXPECT_EQ(LinesOf(conversation),
            "host {\"id\":1,\"method\":\"a\"}\nhost {\"id\":2,\"method\":\"b\"}\n"
            "plugin [{\"id\":2,\"result\":1},{\"id\":1,\"result\":1},{\"id\":2,\"result\":1}]\n"
            "host {\"method\":\"n\"}\n");
}

// Each line of the host once had all answers of the batch looked up.
TEST(StreamsTest, IdsAreLookedUpAFixedNumberOfTimesEach) {
  constexpr size_t kIds = 500;
  std::string host, plugin;
  for (size_t i = 0; i < kIds; ++i) {
    const std::string id = "{\"id\":" + std::to_string(i);
    host += id + ",\"method\":\"m\"}\n";
    plugin += (i == 0 ? "[" : ",") + id + ",\"result\":1}";
  }
  Conversation conversation;
  EXPECT_LT(ReadStreams(host, plugin + "]\n", &conversation), 6 * kIds);
  EXPECT_EQ(conversation.messages(), kIds + 1);
}

TEST(StreamsTest, AnswersToNothingAreKept) {
  Conversation conversation;
  ReadStreams("", "{\"id\":9,\"result\":1}\nnot json\n", &conversation);
  EXPECT_EQ(LinesOf(conversation), "plugin {\"id\":9,\"result\":1}\nplugin not json\n");
}

TEST(DetectTest, OneDirectionAlone) {
  EXPECT_EQ(ImportLog("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n").lines,
            "plugin {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n");
  EXPECT_EQ(ImportLog("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n").format, "stream");
}

TEST(DetectTest, OtherTextsAreNoLogs) {
  for (const char* const text : {"", "hello\n", "[1,2]\n", "{\"a\":1}\n", "--> {}\n"}) {
    EXPECT_EQ(Detect(text), nullptr) << text;
  }
}

// Every format, cut at every byte: no crash, and whatever is read is JSON.
TEST(HostileLogTest, EveryPrefixOfEveryLog) {
  const std::string logs[] = {
      "V[12:37:30.010] <<< {\"id\":0,\"method\":\"m\"}\nV[12:37:30.011] >>> {\"id\":0}\n",
      "[DEBUG][2026-01-03 03:41:21] a\t\"rpc.send\"\t{ a = <1>{ 'x\\9' }, [\"b\"] = <table 1> }\n",
      "2026-01-05T10:00:01.123Z [x] Message from client: {\"id\":1,\"method\":\"m\"} {\n",
      "[Trace - 1:02:03 AM] Received response 'm - (5)' in 3ms. Request failed: a (1).\nError "
      "data: {}\n",
      "[{\"timestamp\":\"2026-01-05T10:00:00Z\",\"direction\":\"request\",\"message\":{\"id\":1},"
      "\"response\":{},\"duration\":20}]",
      "CLIENT >> {\"jsonrpc\":\"2.0\",\"id\":\"3\",\"method\":\"m\"}\n"};
  for (const std::string& log : logs) {
    for (const Format& format : Formats()) {
      for (size_t size = 0; size <= log.size(); ++size) {
        Conversation conversation;
        format.reads(std::string_view(log).substr(0, size), &conversation);
        (void)LinesOf(conversation);
      }
    }
  }
}

}  // namespace
}  // namespace midwire::trace::import
