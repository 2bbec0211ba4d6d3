#include "trace/session.h"

#include <gtest/gtest.h>

#include "tests/trace/script.h"

namespace midwire::trace {
namespace {

// Writes down what a session reports, one line each.
class EventLog : public SessionHandler {
 public:
  void OnMessage(const RecordedMessage& recorded) override {
    Say("#" + std::to_string(recorded.number), recorded);
  }
  void OnElement(const RecordedMessage& recorded) override { Say("  element", recorded); }
  void OnJunk(const RecordedJunk& recorded) override {
    text += "junk(" + std::string(wire::Name(recorded.junk->reason)) + ") " +
            std::string(ShortName(recorded.direction)) + " @" + std::to_string(recorded.time_ns) +
            " " + std::to_string(recorded.junk->size) + "\n";
  }
  void OnStderr(int64_t time, std::string_view bytes) override {
    text += "stderr @" + std::to_string(time) + " " + std::string(bytes) + "\n";
  }
  void OnEvent(int64_t time, const Event& event) override {
    text += "event @" + std::to_string(time) + " " + Describe(event) + "\n";
  }
  void OnSectionEnd(const wire::Exchanges& exchanges) override {
    text += "section, open " +
            std::to_string(exchanges.open_count(wire::Direction::kHostToPlugin)) + "\n";
  }
  std::string text;

 private:
  void Say(const std::string& start, const RecordedMessage& recorded) {
    text += start + " " + std::string(ShortName(recorded.direction)) + " @" +
            std::to_string(recorded.first_ns) + ".." + std::to_string(recorded.time_ns) + " " +
            std::string(wire::Name(recorded.message->kind)) + " " + recorded.message->method;
    if (recorded.request) text += " answers #" + std::to_string(recorded.request->number);
    text += "\n";
  }
};

std::string EventsOf(const std::string& tape, size_t keep_bytes = wire::kKeepBytes) {
  auto reader = OpenTrace(std::make_unique<StringSource>(tape));
  EventLog log;
  Session session(&log, keep_bytes);
  EXPECT_TRUE(Play(reader->get(), &session).ok());
  return log.text;
}

TEST(SessionTest, TheExpectedFramingIsForStreamsOfUnknownFraming) {
  const std::string log = "{\"level\":3}\n";
  for (const wire::Framing known : {wire::Framing::kAuto, wire::Framing::kLine}) {
    EventLog events;
    Session session(&events);
    session.Expect(wire::Framing::kContentLength);
    session.OnRecord(Happened(SpawnEvent{.argv = {"p"}, .framing = {known, known}}, 1).record());
    session.OnRecord(Plugin(log, 2).record());
    const bool line = known == wire::Framing::kLine;
    EXPECT_EQ(events.text.find("#1 p2h") != std::string::npos, line);
    EXPECT_EQ(events.text.find("junk(text) p2h") != std::string::npos, !line);
  }
}

TEST(SessionTest, NumbersPairsAndTimes) {
  std::string tape =
      Tape({Host("{\"id\":1,\"method\":\"a\"}\n{\"id\"", 10), Host(":2,\"method\":\"b\"}", 20),
            Plugin("{\"id\":1,\"result\":0}\n", 25), Host("\n", 30),
            Plugin("{\"id\":9,\"error\":{\"code\":1}}\n{\"id\":2,\"result\":0}\n", 40)});
  std::string expected =
      "#1 h2p @10..10 request a\n"
      "#2 p2h @25..25 response  answers #1\n"
      "#3 h2p @10..30 request b\n"
      "#4 p2h @40..40 error \n"
      "#5 p2h @40..40 response  answers #3\n";
  EXPECT_EQ(EventsOf(tape), expected);
  EXPECT_EQ(EventsOf(tape, 0), expected);
}

TEST(SessionTest, SameIdOpenInBothDirections) {
  EXPECT_EQ(
      EventsOf(Tape(
          {Host("{\"id\":1,\"method\":\"a\"}\n", 1), Plugin("{\"id\":1,\"method\":\"b\"}\n", 2),
           Host("{\"id\":1,\"result\":0}\n", 3), Plugin("{\"id\":1,\"result\":0}\n", 4)})),
      "#1 h2p @1..1 request a\n#2 p2h @2..2 request b\n"
      "#3 h2p @3..3 response  answers #2\n#4 p2h @4..4 response  answers #1\n");
}

TEST(SessionTest, ElementsOfABatchArePairedOneByOne) {
  EXPECT_EQ(EventsOf(Tape({Host("[{\"id\":1,\"method\":\"a\"},{\"id\":2,\"method\":\"b\"}]\n", 1),
                           Plugin("[{\"id\":2,\"result\":0}]\n", 2),
                           Plugin("{\"id\":1,\"result\":0}\n", 3)})),
            "#1 h2p @1..1 batch \n  element h2p @1..1 request a\n  element h2p @1..1 request b\n"
            "#2 p2h @2..2 batch \n  element p2h @2..2 response  answers #1\n"
            "#3 p2h @3..3 response  answers #1\n");
}

TEST(SessionTest, HeadAndBodyAreOneStream) {
  EXPECT_EQ(EventsOf(Tape({Framed(Stream::kPluginToHost, "{\"method\":\"x\"}", 7)})),
            "#1 p2h @7..7 notification x\n");
}

TEST(SessionTest, TheFramingOfTheSpawnEventIsObeyed) {
  SpawnEvent spawn{.argv = {"p"}};
  spawn.framing[1] = wire::Framing::kLine;
  EXPECT_EQ(
      EventsOf(Tape({Happened(spawn), Plugin("Content-Length: 2\r\n\r\n{}\n", 1)})),
      "event @0 spawn p\njunk(text) p2h @1 19\njunk(blank) p2h @1 2\n#1 p2h @1..1 invalid \n");
}

TEST(SessionTest, AStreamsEndEndsItsLastLine) {
  EXPECT_EQ(EventsOf(Tape({Plugin("{\"method\":\"x\"}", 1), Happened(EofEvent{"plugin-to-host"}, 2),
                           Log("late", 3), Happened(EndEvent{}, 4)})),
            "#1 p2h @1..1 notification x\nevent @2 end of plugin-to-host\nstderr @3 late\n"
            "event @4 end of the recording\n");
}

TEST(SessionTest, TheEndOfTheRecordingEndsALastLineToo) {
  EXPECT_EQ(EventsOf(Tape({Host("{\"method\":\"x\"}", 1), Happened(EndEvent{}, 2)})),
            "#1 h2p @1..1 notification x\nevent @2 end of the recording\n");
}

TEST(SessionTest, ALineGoesOnInTheNextPart) {
  EXPECT_EQ(EventsOf(Tape(
                {Host("{\"method\":", 1), Happened(EndEvent{"b.pcapng"}, 2), Host("\"x\"}\n", 3)})),
            "event @2 continues in b.pcapng\n#1 h2p @1..3 notification x\n");
}

TEST(SessionTest, AGapCutsWhatIsPending) {
  std::string half = "Content-Length: 100\r\n\r\n{\"half";
  std::string whole = "Content-Length: 14\r\n\r\n{\"method\":\"x\"}";
  std::string tape = Tape({Plugin(half, 1)});
  size_t at = tape.size();
  tape += Tape({Plugin("lost", 2)}).substr(Tape({}).size());
  tape[at + 50] ^= 1;  // in the payload
  tape += Tape({Plugin(whole, 3)}).substr(Tape({}).size());
  EXPECT_EQ(EventsOf(tape), "junk(truncated) p2h @1 29\n#1 p2h @3..3 notification x\n");
  EXPECT_EQ(EventsOf(Tape({Plugin(half, 1), Happened(GapEvent{4, "z"}, 2), Plugin(whole, 3)})),
            "junk(truncated) p2h @1 29\nevent @2 gap: 4 bytes lost here (z)\n"
            "#1 p2h @3..3 notification x\n");
}

TEST(SessionTest, AnotherSectionForgetsIdsAndCountsOn) {
  EXPECT_EQ(EventsOf(Tape({Host("{\"id\":1,\"method\":\"a\"}\n", 1), Host("{\"id\"", 2)}) +
                     Tape({Plugin("{\"id\":1,\"result\":0}\n", 3)})),
            "#1 h2p @1..1 request a\njunk(truncated) h2p @2 5\nsection, open 1\n"
            "#2 p2h @3..3 response \n");
}

TEST(SessionTest, AnEventThatCannotBeReadIsANote) {
  std::string events = EventsOf(Tape({{Stream::kEvents, "", "{not", 5}}));
  EXPECT_NE(events.find("event @5 note: an event that cannot be read"), events.npos) << events;
}

}  // namespace
}  // namespace midwire::trace
