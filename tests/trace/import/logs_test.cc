// What becomes of logs of editors and hosts. The fixtures are written after real logs.
#include <gmock/gmock.h>

#include "tests/trace/import/imported.h"

namespace midwire::trace::import {
namespace {

using testing::HasSubstr;

TEST(ClangdLogTest, ArrowsAreMessagesAndOtherLinesAreLeftOut) {
  const ImportedLog log = ImportLog(
      "I[12:37:30.001] clangd version 13.0.0\n"
      "V[12:37:30.010] <<< {\"id\":0,\"method\":\"initialize\"}\n\n"
      "I[12:37:30.010] <-- initialize(0)\n"
      "V[12:37:30.011] >>> {\"id\":0,\"result\":null}\n\n");
  EXPECT_EQ(log.format, "clangd");
  EXPECT_EQ(log.lines,
            "host @45450010 {\"id\":0,\"method\":\"initialize\"}\n"
            "plugin @45450011 {\"id\":0,\"result\":null}\n");
  EXPECT_EQ(log.conversation.left_out(), 2u);
  EXPECT_EQ(log.conversation.unread(), 0u);
}

TEST(ClangdLogTest, AMessageOnSeveralLinesIsJoined) {
  const ImportedLog log = ImportLog(
      "V[01:02:03.004] >>> {\n  \"id\": 0,\n  \"result\": \"a \\\" b\"\n}\n"
      "V[01:02:03.004] <<< {\"id\":1,\"method\":\"m\"}\n");
  EXPECT_THAT(log.lines, HasSubstr("{\"id\":0,\"result\":\"a \\\" b\"}\n"));
}

TEST(ClangdLogTest, AfterMidnightTimesGoOn) {
  const ImportedLog log = ImportLog(
      "V[23:59:59.999] <<< {\"id\":1,\"method\":\"m\"}\nV[00:00:00.001] >>> "
      "{\"id\":1,\"result\":1}\n");
  EXPECT_EQ(
      log.lines,
      "host @86399999 {\"id\":1,\"method\":\"m\"}\nplugin @86400001 {\"id\":1,\"result\":1}\n");
}

TEST(ClangdLogTest, ACutMessageIsCountedAndNamed) {
  const ImportedLog log = ImportLog(
      "V[12:37:30.010] <<< {\"id\":0,\"method\":\"initialize\"}\nV[12:37:30.011] >>> "
      "{\"id\":0,\"res");
  EXPECT_EQ(log.conversation.messages(), 1u);
  EXPECT_EQ(log.conversation.unread(), 1u);
  EXPECT_EQ(log.conversation.first_unread(), "line 2: the message is not a complete JSON text");
}

TEST(NeovimLogTest, TablesBecomeJsonAndStderrStays) {
  const ImportedLog log = ImportLog(
      "[START][2026-01-03 03:41:20] LSP logging initiated\n"
      "[DEBUG][2026-01-03 03:41:21] .../rpc.lua:286\t\"rpc.send\"\t{  id = 1,  method = \"m\",  "
      "params "
      "= {    list = { 1, \"b\" },    [\"a/b\"] = vim.empty_dict(),    none = vim.NIL,    l = {}  "
      "}}\n"
      "[DEBUG][2026-01-03 03:41:22] .../rpc.lua:408\t\"rpc.receive\"\t{  id = 1,  result = true  "
      "}\n"
      "[ERROR][2026-01-03 03:41:22] "
      ".../rpc.lua:734\t\"rpc\"\t\"server\"\t\"stderr\"\t\"warn\\n\"\n");
  EXPECT_EQ(log.format, "neovim");
  EXPECT_EQ(log.lines,
            "host @1767411681000 {\"id\":1,\"method\":\"m\",\"params\":{\"list\":[1,\"b\"],"
            "\"a/b\":{},\"none\":null,\"l\":[]}}\n"
            "plugin @1767411682000 {\"id\":1,\"result\":true}\n"
            "stderr @1767411682000 warn\n");
}

TEST(NeovimLogTest, AnAnswerWithoutAMemberWasNull) {
  const ImportedLog log = ImportLog(
      "[DEBUG][2026-01-03 03:41:21] a\t\"rpc.receive\"\t{  id = 3,  jsonrpc = \"2.0\"}\n"
      "[DEBUG][2026-01-03 03:41:21] a\t\"rpc.send\"\t{  id = 4,  method = \"m\"}\n");
  EXPECT_THAT(log.lines, HasSubstr("{\"id\":3,\"jsonrpc\":\"2.0\",\"result\":null}\n"));
  EXPECT_THAT(log.lines, HasSubstr("{\"id\":4,\"method\":\"m\"}\n"));
}

TEST(NeovimLogTest, ATableThatIsPrintedOnceIsRepeated) {
  const ImportedLog log =
      ImportLog("[DEBUG][2026-01-03 03:41:21] a\t\"rpc.send\"\t{ a = <1>{ 1 }, b = <table 1> }\n");
  EXPECT_THAT(log.lines, HasSubstr("{\"a\":[1],\"b\":[1]}\n"));
}

TEST(NeovimLogTest, WhatHasNoJsonIsNotGuessed) {
  for (const char* const table :
       {"{ f = <function 1> }", "{ 1, a = 2 }", "{ a = ", "{ a = <table 7> }", "{ a = \"\\999\" }",
        "{ a = \"\\255\" }", "{ = 1 }"}) {
    const ImportedLog log =
        ImportLog(std::string("[DEBUG][2026-01-03 03:41:21] a\t\"rpc.send\"\t") + table + "\n");
    EXPECT_EQ(log.conversation.messages(), 0u) << table << log.lines;
    EXPECT_EQ(log.conversation.unread(), 1u) << table;
  }
}

TEST(NeovimLogTest, DeepTablesEndTheReadingNotTheStack) {
  const ImportedLog log = ImportLog("[DEBUG][2026-01-03 03:41:21] a\t\"rpc.send\"\t" +
                                    std::string(1'000'000, '{') + "\n");
  EXPECT_EQ(log.conversation.unread(), 1u);
}

// A message whose tables each have the one before twice: one of `levels` is 2^levels times as long.
std::string DoubledTables(int levels, const std::string& more = "") {
  std::string tables = "<1>{ \"" + std::string(5000, 'a') + "\" }";
  for (int i = 2; i <= levels; ++i) {
    const std::string before = "<table " + std::to_string(i - 1) + ">";
    tables += ", <" + std::to_string(i) + ">{ " + before + ", " + before + " }";
  }
  return "[DEBUG][2026-01-03 03:41:21] a\t\"rpc.send\"\t{ " + tables + more + " }\n";
}
constexpr char kTooManyCopies[] =
    ": tables that it prints once and names again make the log longer than 16 MiB and 4 times its "
    "size";

TEST(NeovimLogTest, RepeatedTablesOfAllLinesHaveOneLimit) {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += DoubledTables(9);
  const ImportedLog log = ImportLog(lines);
  EXPECT_LT(log.lines.size(), 20u << 20);
  EXPECT_GT(log.conversation.messages(), 1u);
  EXPECT_EQ(log.conversation.messages() + log.conversation.unread(), 40u);
  EXPECT_EQ(log.conversation.first_unread(),
            "line " + std::to_string(log.conversation.messages() + 1) + kTooManyCopies);
}

TEST(NeovimLogTest, RepeatedTablesOfALineThatIsUnreadCountToo) {
  const ImportedLog log = ImportLog(DoubledTables(10, ", <function 1>") + DoubledTables(10));
  EXPECT_EQ(log.conversation.messages(), 0u);
  EXPECT_EQ(log.conversation.first_unread(),
            "line 1: the message is not a complete Lua table that has JSON");
}

TEST(NeovimLogTest, BehindTheLimitLinesWithoutRepeatedTablesAreRead) {
  const ImportedLog log =
      ImportLog(DoubledTables(20) + "[DEBUG][2026-01-03 03:41:21] a\t\"rpc.send\"\t{ 1 }\n");
  EXPECT_THAT(log.lines, HasSubstr("[1]\n"));
  EXPECT_EQ(log.conversation.first_unread(), std::string("line 1") + kTooManyCopies);
}

// A table that is repeated in each line, as capabilities are in those of real servers.
TEST(NeovimLogTest, ALongLogMayRepeatItsTables) {
  const std::string table = "<1>{ \"" + std::string(100'000, 'a') + "\" }";
  std::string lines;
  for (int i = 0; i < 100; ++i) {
    lines += "[DEBUG][2026-01-03 03:41:21] a\t\"rpc.send\"\t{ " + table + ", <table 1> }\n";
  }
  EXPECT_EQ(ImportLog(lines).conversation.messages(), 100u);
}

TEST(ClaudeDesktopLogTest, MessagesOfBothSidesAndStderr) {
  const ImportedLog log = ImportLog(
      "2026-01-05T10:00:00.123Z [info] [notes] Initializing server... { metadata: undefined }\n"
      "2026-01-05T10:00:01.123Z [info] [notes] Message from client: {\"id\":1,\"method\":\"m\"} { "
      "metadata: undefined }\n"
      "Traceback: {1}\n"
      "2026-01-05T10:00:02.123Z [notes] [info] Message from server: {\"id\":1,\"result\":{}}\n");
  EXPECT_EQ(log.format, "claude-desktop");
  EXPECT_EQ(log.lines,
            "host @1767607201123 {\"id\":1,\"method\":\"m\"}\n"
            "stderr @1767607201123 Traceback: {1}\n"
            "plugin @1767607202123 {\"id\":1,\"result\":{}}\n");
}

TEST(ClaudeDesktopLogTest, AMessageWithADateThatNoTimeHasIsAMessage) {
  for (const char* const date :
       {"2300-01-01T00:00:00.000Z", "2262-04-11T23:47:16.999Z", "2262-04-11T23:00:00-02:00",
        "2026-99-99T99:99:99.000Z", "2026-01-05T25:00:00.000Z"}) {
    const ImportedLog log = ImportLog(
        "2026-01-05T10:00:01.123Z [x] Message from client: {\"id\":1,\"method\":\"m\"}\n" +
        std::string(date) + " [x] Message from server: {\"id\":1,\"result\":1}\n");
    EXPECT_EQ(log.lines,
              "host @1767607201123 {\"id\":1,\"method\":\"m\"}\n"
              "plugin @1767607201123 {\"id\":1,\"result\":1}\n")
        << date;
    EXPECT_EQ(log.conversation.undated(), 1u) << date;
  }
}

TEST(ClaudeDesktopLogTest, WithoutADateThatCanBeReadItIsStillThatLog) {
  const ImportedLog log =
      ImportLog("2026-99-99T99:99:99.000Z [x] Message from client: {\"id\":1,\"method\":\"m\"}\n");
  EXPECT_EQ(log.format, "claude-desktop");
  EXPECT_EQ(log.lines, "host {\"id\":1,\"method\":\"m\"}\n");
}

TEST(VsCodeLogTest, ALogChannelWithADateThatNoTimeHas) {
  const ImportedLog log =
      ImportLog("2026-99-99 21:18:04.090 [trace] Sending notification 'm'.\nParams: {}\n");
  EXPECT_EQ(log.format, "vscode-log");
  EXPECT_EQ(log.lines, "host {\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{}}\n");
  EXPECT_EQ(log.conversation.undated(), 1u);
}

TEST(VsCodeLogTest, MessagesAreRebuiltFromTheirHeadings) {
  const ImportedLog log = ImportLog(
      "[Trace - 11:36:30 PM] Sending request 'initialize - (0)'.\nParams: {\n    \"a\": 1\n}\n\n\n"
      "[Trace - 11:36:31 PM] Received response 'initialize - (0)' in 210ms.\nResult: {}\n\n\n"
      "[Trace - 11:36:31 PM] Sending notification 'initialized'.\nNo parameters provided.\n\n\n"
      "[Trace - 11:36:32 PM] Received request 'roots - (x1)'.\nParams: []\n\n\n"
      "[Trace - 11:36:32 PM] Sending response 'roots - (x1)'. Processing request took 1ms\n"
      "No result returned.\n\n\n");
  EXPECT_EQ(log.format, "vscode");
  EXPECT_EQ(
      log.lines,
      "host @84990000 {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
      "{\"a\":1}}\n"
      "plugin @84990210 {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n"
      "host @84991000 {\"jsonrpc\":\"2.0\",\"method\":\"initialized\"}\n"
      "plugin @84992000 {\"jsonrpc\":\"2.0\",\"id\":\"x1\",\"method\":\"roots\",\"params\":[]}\n"
      "host @84992001 {\"jsonrpc\":\"2.0\",\"id\":\"x1\",\"result\":null}\n");
}

TEST(VsCodeLogTest, AnAnswerComesAsLongAfterItsRequestAsItSays) {
  const ImportedLog log = ImportLog(
      "[Trace - 1:00:00 AM] Sending request 'a - (1)'.\n\n"
      "[Trace - 1:00:00 AM] Sending request 'b - (2)'.\n\n"
      "[Trace - 1:00:00 AM] Received response 'b - (2)' in 5ms.\nResult: 2\n\n"
      "[Trace - 1:00:00 AM] Received response 'a - (1)' in 12ms.\nResult: 1\n\n"
      "[Trace - 1:00:00 AM] Sending request 'c - (3)'.\n\n");
  EXPECT_EQ(log.lines,
            "host @3600000 {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n"
            "host @3600000 {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"b\"}\n"
            "plugin @3600005 {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":2}\n"
            "plugin @3600012 {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n"
            "host @3600012 {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"c\"}\n");
}

TEST(VsCodeLogTest, AFailedRequestHasItsCodeAndData) {
  const ImportedLog log = ImportLog(
      "[Trace - 1:02:03 AM] Received response 'm - (5)' in 3ms. Request failed: no (such) file "
      "(-32601).\nError data: {\n    \"a\": 1\n}\n\n\n");
  EXPECT_EQ(
      log.lines,
      "plugin @3723000 {\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-32601,\"message\":\"no "
      "(such) file\",\"data\":{\"a\":1}}}\n");
}

TEST(VsCodeLogTest, WithoutVerboseThereAreNoParams) {
  const ImportedLog log = ImportLog("[Trace - 11:36:30 PM] Sending notification 'exit'.\n");
  EXPECT_THAT(log.lines, HasSubstr("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"));
  EXPECT_EQ(log.conversation.bare(), 1u);
}

TEST(VsCodeLogTest, ARequestWithoutParamsIsWholeInAVerboseTrace) {
  const ImportedLog log = ImportLog(
      "[Trace - 1:02:03 AM] Sending request 'shutdown - (5)'.\n\n\n"
      "[Trace - 1:02:03 AM] Received response 'shutdown - (5)' in 3ms.\nNo result returned.\n");
  EXPECT_THAT(log.lines, HasSubstr("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"shutdown\"}\n"));
  EXPECT_EQ(log.conversation.bare(), 0u);
}

TEST(VsCodeLogTest, AMessageOfSeveralLinesIsStillTheErrors) {
  const ImportedLog log = ImportLog(
      "[Trace - 1:02:03 AM] Received response 'm - (5)' in 3ms. Request failed: no\n  at x (y) "
      "(-32603).\nError data: [\")\"]\n\n\n");
  EXPECT_THAT(log.lines, HasSubstr("\"error\":{\"code\":-32603,\"message\":\"no\\n  at x (y)\","
                                   "\"data\":[\")\"]}"));
}

TEST(VsCodeLogTest, ErrorDataOfTheHostIsNoResult) {
  const ImportedLog log = ImportLog(
      "[Trace - 1:02:03 AM] Sending response 'm - (5)'. Processing request took 1ms\n"
      "Error data: {}\n\n\n");
  EXPECT_THAT(log.lines, HasSubstr("\"error\":{\"code\":0,\"message\":\"\",\"data\":{}}"));
}

TEST(VsCodeLogTest, AnAnswerToNothingIsKept) {
  const ImportedLog log = ImportLog(
      "[Trace - 1:02:03 AM] Received response 7 without active response promise.\nResult: []\n");
  EXPECT_EQ(log.lines, "plugin @3723000 {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[]}\n");
}

TEST(VsCodeLogTest, ALogChannelHasDates) {
  const ImportedLog log = ImportLog(
      "2026-01-05 10:00:01.123 [info] Server: Params: [x] Start requested.\n"
      "2026-01-05 10:00:01.123 [trace] Sending request 'm - (0)'.\nParams: {\n    \"a\": 1\n}\n"
      "2026-01-05 10:00:01.223 [error] what the server wrote to stderr\n"
      "2026-01-05 10:00:01.323 [trace] Received response 'm - (0)' in 200ms.\n"
      "No result returned.\n");
  EXPECT_EQ(log.format, "vscode-log");
  EXPECT_EQ(
      log.lines,
      "host @1767607201123 {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"m\",\"params\":{\"a\":1}}\n"
      "plugin @1767607201323 {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":null}\n");
  EXPECT_EQ(log.conversation.left_out(), 2u);
}

TEST(VsCodeLogTest, InALogChannelOfOldClientsJsonIsAnEntryOfItsOwn) {
  const ImportedLog log = ImportLog(
      "2026-01-05 10:00:01.123 [info] [Trace - 10:00:01 AM] Sending request 'm - (0)'.\n"
      "2026-01-05 10:00:01.123 [info] Params: {\n    \"a\": 1\n}\n\n\n"
      "2026-01-05 10:00:01.124 [info] [Trace - 10:00:01 AM] Sending notification 'exit'.\n"
      "2026-01-05 10:00:01.124 [info] No parameters provided.\n\n\n");
  EXPECT_EQ(log.format, "vscode-log");
  EXPECT_EQ(
      log.lines,
      "host @1767607201123 {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"m\",\"params\":{\"a\":1}}\n"
      "host @1767607201124 {\"jsonrpc\":\"2.0\",\"method\":\"exit\"}\n");
  EXPECT_EQ(log.conversation.bare(), 0u);
}

TEST(VsCodeLogTest, JsonTracesInALogChannel) {
  const ImportedLog log = ImportLog(
      "2026-01-05 10:00:01.123 [trace] {\"isLSPMessage\":true,\"type\":\"send-notification\","
      "\"message\":{\"method\":\"exit\"},\"timestamp\":1767607201123}\n");
  EXPECT_EQ(log.format, "vscode-json");
  EXPECT_EQ(log.lines, "host @1767607201123 {\"method\":\"exit\"}\n");
}

TEST(VsCodeLogTest, JsonTracesHaveTheWholeMessage) {
  const ImportedLog log = ImportLog(
      "[LSP   - 11:36:30 PM] "
      "{\"isLSPMessage\":true,\"type\":\"send-request\",\"message\":{\"id\":0,"
      "\"method\":\"m\"},\"timestamp\":1767607201123}\n"
      "[LSP   - 11:36:30 PM] "
      "{\"isLSPMessage\":true,\"type\":\"receive-response\",\"message\":{\"id\":0,"
      "\"result\":[]},\"timestamp\":1767607201124}\n");
  EXPECT_EQ(log.format, "vscode-json");
  EXPECT_EQ(log.lines,
            "host @1767607201123 {\"id\":0,\"method\":\"m\"}\nplugin @1767607201124 "
            "{\"id\":0,\"result\":[]}\n");
}

}  // namespace
}  // namespace midwire::trace::import
