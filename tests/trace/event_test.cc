#include "trace/event.h"

#include <gtest/gtest.h>

#include "trace/tape_encoder.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::trace {
namespace {

// Through JSON and back, then to JSON again: equal texts are equal events.
std::string Again(const Event& event) {
  Result<Event> parsed = ParseEvent(ToJson(event));
  return parsed ? ToJson(*parsed) : parsed.error().Text();
}

TEST(EventTest, EveryKindComesBack) {
  SpawnEvent spawn;
  spawn.argv = {"plugin", "", "--\xFF\xFE", "naïve \"x\""};
  spawn.cwd = "/tmp/\x80";
  spawn.home = "/home/ada\x80";
  spawn.pid = 7;
  spawn.version = "0.1.0";
  spawn.framing[1] = wire::Framing::kContentLength;
  spawn.merged_stderr = true;
  spawn.part = 3;
  for (const Event& event :
       {Event(spawn), Event(SignalEvent{15}), Event(EofEvent{"plugin-to-host"}),
        Event(ClosedEvent{"host-to-plugin"}), Event(ClosedEvent{"stderr", 9}),
        Event(StalledEvent{"host-to-plugin", 3000, 65536}), Event(ResumedEvent{"stderr", 7200}),
        Event(HeldEvent{"plugin-to-host"}),
        Event(CannotStartEvent{"p\xff", "/bin:/x\xfe", "No such file or directory", 2}),
        Event(ExitStatus{.code = 255}), Event(ExitStatus{.signal = 11}), Event(EndEvent{}),
        Event(EndEvent{"tape.2.pcapng"}), Event(GapEvent{12, "why"}),
        Event(HeaderEvent{R"({"event":"header","x":[1]})"}),
        Event(ChaosEvent{.fault = "drop", .direction = "host-to-plugin", .number = 2}),
        Event(ChaosEvent{.fault = "corrupt",
        .direction = "plugin-to-host",
        .number = 1,
        .message = 4,
        .ms = 7,
        .sent = "{\xff\n",
        .has_sent = true,
        .sent_cut = true}),
        Event(NoteEvent{"x"})}) {
    EXPECT_EQ(Again(event), ToJson(event));
    EXPECT_TRUE(wire::IsJson(ToJson(event))) << ToJson(event);
  }
  Result<Event> back = ParseEvent(ToJson(spawn));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(std::get<SpawnEvent>(*back).argv, spawn.argv);
  EXPECT_EQ(std::get<SpawnEvent>(*back).cwd, spawn.cwd);
  EXPECT_EQ(std::get<SpawnEvent>(*back).home, spawn.home);
  EXPECT_EQ(std::get<SpawnEvent>(*back).framing[1], wire::Framing::kContentLength);
}

TEST(EventTest, ReadsAsTheHeaderSays) {
  EXPECT_EQ(ToJson(ExitStatus{.signal = 11}), R"({"event":"exit","signal":"SEGV","number":11})");
  EXPECT_EQ(ToJson(SignalEvent{15}), R"({"event":"signal","signal":"TERM","number":15})");
  EXPECT_EQ(Describe(GapEvent{0, "why"}), "gap: something is missing here (why)");
  EXPECT_EQ(Describe(ExitStatus{.signal = 11}), "exit by SIGSEGV");
  EXPECT_EQ(Describe(ExitStatus{.code = 3}), "exit 3");
  EXPECT_EQ(Describe(SpawnEvent{.argv = {"my-plugin", "--flag"}, .pid = 12}),
            "spawn my-plugin --flag (pid 12)");
}

TEST(EventTest, APeerThatDoesNotReadIsOneLine) {
  EXPECT_EQ(ToJson(StalledEvent{"host-to-plugin", 3000, 65536}),
            R"({"event":"stalled","stream":"host-to-plugin","ms":3000,"unread":65536})");
  EXPECT_EQ(Describe(StalledEvent{"host-to-plugin", 3000, 65536}),
            "plugin has not read stdin for 3 s, 65536 bytes waiting");
  EXPECT_EQ(Describe(StalledEvent{"stderr", 2950, 1}),
            "host has not read stderr for 2.9 s, 1 byte waiting");
  EXPECT_EQ(Describe(StalledEvent{"stderr", 2950, 0}), "host has not read stderr for 2.9 s");
  EXPECT_EQ(Describe(ResumedEvent{"plugin-to-host", 7200}), "host reads stdout again, after 7.2 s");
  EXPECT_EQ(Describe(ClosedEvent{"host-to-plugin", 12}),
            "host-to-plugin closed by its reader, 12 bytes unread");
  EXPECT_EQ(ToJson(ClosedEvent{"stderr"}), R"({"event":"closed","stream":"stderr"})");
}

TEST(EventTest, APluginThatCannotBeStartedIsOneLine) {
  EXPECT_EQ(Describe(CannotStartEvent{"p", "/bin", "No such file or directory", 2}),
            "cannot start p: No such file or directory, PATH=/bin");
  EXPECT_EQ(Describe(CannotStartEvent{"/p", "", "Permission denied", 13}),
            "cannot start /p: Permission denied");
}

TEST(EventTest, WhatChaosDidIsOneLine) {
  const ChaosEvent event = {.fault = "truncate",
                            .direction = "host-to-plugin",
                            .number = 3,
                            .message = 5,
                            .sent = "{\"id\":1",
                            .has_sent = true};
  EXPECT_EQ(ToJson(event),
            R"({"event":"chaos","fault":"truncate","direction":"host-to-plugin","number":3,)"
            R"("message":5,"sent":"{\"id\":1"})");
  EXPECT_EQ(Describe(event), "chaos: truncate message 5 (3 of host-to-plugin), sent: {\"id\":1");
  EXPECT_EQ(Describe(ChaosEvent{.fault = "delay", .direction = "d", .message = 2, .ms = 30}),
            "chaos: delay message 2 30 ms (0 of d)");
}

TEST(EventTest, TheLongestChaosFitsARecord) {
  const std::string sent(kMaxChaosSent, '\1');
  EXPECT_LT(ToJson(ChaosEvent{.fault = "corrupt", .sent = sent, .has_sent = true}).size(),
            kMaxSegment);
}

TEST(EventTest, NewerKindsBecomeNotes) {
  Result<Event> event = ParseEvent(R"({"event":"teleport","to":"moon"})");
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(std::get<NoteEvent>(*event).text, R"({"event":"teleport","to":"moon"})");
}

TEST(EventTest, HeaderIsKeptToTheByte) {
  const std::string json = R"({ "ignore":["\/a"], "event":"header", "n":1.50 })";
  Result<Event> event = ParseEvent(json);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(std::get<HeaderEvent>(*event).json, json);
  EXPECT_EQ(ToJson(*event), json);
  EXPECT_EQ(Describe(*event), "header " + json);
  // A line of a terminal has no room for all of it.
  const std::string finding = R"({"oracle":"panic","key":"k","text":"exit 1","severity":"error",)"
                              R"("kind":"crash","ancestry":")" +
                              std::string(200, 'x') + "\"}";
  const Event longer(HeaderEvent{R"({"event":"header","finding":)" + finding + R"(,"ignore":[]})"});
  EXPECT_EQ(Describe(longer), "header with finding (error, crash, panic: exit 1), ignore");
}

TEST(EventTest, HostileMembersCountAsMissing) {
  Result<Event> event = ParseEvent(
      R"({"event":"spawn","argv":[1,{"base64":"!"},null],"pid":"x","framing":7,"part":1e99})");
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(std::get<SpawnEvent>(*event).argv, std::vector<std::string>({"", "", ""}));
  EXPECT_EQ(std::get<SpawnEvent>(*event).part, 1);
  EXPECT_EQ(std::get<ExitStatus>(*ParseEvent(R"({"event":"exit","code":99999999999})")).code, -1);
  for (const char* text : {"", "[]", "{}", R"({"event":1})", "{\"event\":\"x\""}) {
    EXPECT_FALSE(ParseEvent(text).ok()) << text;
  }
}

TEST(EventTest, ArgumentsTooLongForARecordAreCut) {
  for (const std::vector<std::string>& argv :
       {std::vector<std::string>(100'000, ""),
        std::vector<std::string>(20, std::string(9000, '\1')),
        std::vector<std::string>{"plugin", std::string(2'000'000, '\xFF')}}) {
    std::string tape;
    AppendEvent(0, SpawnEvent{.argv = argv}, &tape);
    EXPECT_LT(tape.size(), kMaxSegment + 200);
    EXPECT_NE(tape.find("\"argv_cut\":true"), tape.npos);
  }
  std::string tape;
  AppendEvent(0, NoteEvent{std::string(1'000'000, '\1')}, &tape);
  EXPECT_LT(tape.size(), kMaxSegment + 200);
}

}  // namespace
}  // namespace midwire::trace
