#include "fuzz/seeds.h"

#include <gtest/gtest.h>

#include "tests/trace/conversation.h"
#include "trace/tape_encoder.h"

namespace midwire::fuzz {
namespace {

using wire::Direction;

// A recording, one line per message: "-> BODY" from the host, "<- BODY" from the plugin, "=> BODY"
// from the host with a Content-Length header; "eof", the end of the plugin's stdin, or "eof later",
// a second later; "signal", one that it gets; "exit CODE"; "next" begins another trace.
Seeds Collected(std::initializer_list<std::string_view> lines,
                const wire::Dialect* dialect = nullptr, Direction role = Direction::kHostToPlugin) {
  Seeds seeds(role);
  SeedCollector collector(&seeds, dialect);
  auto session = std::make_unique<trace::Session>(&collector);
  const auto end = [&] {
    session->OnEnd();
    collector.EndSession();
    session = std::make_unique<trace::Session>(&collector);
  };
  for (const std::string_view line : lines) {
    if (line == "next") {
      end();
      continue;
    }
    if (line.starts_with("eof") || line.starts_with("exit ") || line == "signal") {
      const trace::Event event =
          line.starts_with("eof") ? trace::Event(trace::EofEvent{"host-to-plugin"})
          : line == "signal"      ? trace::Event(trace::SignalEvent{})
                                  : trace::Event(ExitStatus{.code = line.back() - '0'});
      const std::string json = trace::ToJson(event);
      session->OnRecord({.stream = trace::Stream::kEvents,
                         .hint = trace::Hint::kJson,
                         .time_ns = line == "eof later" ? 1'000'000'000 : 0,
                         .body = json});
      continue;
    }
    const bool header = line.starts_with("=> ");
    if (!header && !line.starts_with("-> ") && !line.starts_with("<- ")) {
      ADD_FAILURE() << "not a line of a recording: " << line;
      continue;
    }
    const std::string body(line.substr(3));
    const std::string bytes = header ? WithLength(body) : body + "\n";
    const bool host = line[1] == '>';
    session->OnRecord({.stream = host ? trace::Stream::kHostToPlugin : trace::Stream::kPluginToHost,
                       .hint = trace::Hint::kJson,
                       .body = bytes});
  }
  end();
  return seeds;
}

std::string TextOf(const Seeds& seeds) {
  std::string text = "opening " + seeds.opening.Bytes();
  for (const Input& input : seeds.inputs) text += "\ninput " + input.Bytes();
  return text + "\nclosing " + seeds.closing.Bytes();
}

constexpr char kInitialize[] = R"(-> {"id":1,"method":"initialize"})";
constexpr char kInitialized[] = R"(-> {"method":"initialized"})";
constexpr char kOpen[] = R"(-> {"id":2,"method":"open"})";
constexpr char kShutdown[] = R"(-> {"id":3,"method":"shutdown"})";
constexpr char kExit[] = R"(-> {"method":"exit"})";

TEST(SeedsTest, TheSlowestAnswerIsNotTheFirstOne) {
  Seeds seeds(Direction::kHostToPlugin);
  SeedCollector collector(&seeds, nullptr);
  trace::Session session(&collector);
  const auto send = [&](int64_t ms, trace::Stream stream, const std::string& body) {
    session.OnRecord({.stream = stream, .time_ns = ms * 1'000'000, .body = body + "\n"});
  };
  using enum trace::Stream;
  send(1, kHostToPlugin, R"({"id":1,"method":"open"})");
  send(901, kPluginToHost, R"({"id":1,"result":1})");
  send(1000, kHostToPlugin, R"({"id":2,"method":"open"})");
  send(1030, kPluginToHost, R"({"id":2,"result":1})");
  send(1100, kHostToPlugin, R"({"id":3,"method":"open"})");
  send(1101, kPluginToHost, R"({"id":3,"result":1})");
  EXPECT_EQ(seeds.slowest_ns, 30'000'000);
}

TEST(SeedsTest, TheFirstMessageOfEachMethodIsASingle) {
  const Seeds seeds = Collected(
      {kInitialize, kInitialized, kOpen, R"(-> {"id":7,"method":"open","params":[]})", kShutdown});
  std::string singles;
  for (const auto& [method, input] : seeds.singles) singles += method + " " + input.Bytes();
  EXPECT_EQ(singles,
            "initialize {\"id\":1,\"method\":\"initialize\"}\n"
            "initialized {\"method\":\"initialized\"}\n"
            "open {\"id\":2,\"method\":\"open\"}\n");
}

TEST(SeedsTest, AMethodAnsweredAfterALaterRequestIsLate) {
  const auto late = [](std::initializer_list<std::string_view> lines) {
    return testing::PrintToString(Collected(lines).late);
  };
  constexpr char kWait[] = R"(-> {"id":1,"method":"wait"})", kGo[] = R"(-> {"id":2,"method":"go"})";
  constexpr char kWaited[] = R"(<- {"id":1,"result":1})", kWent[] = R"(<- {"id":2,"result":2})";
  EXPECT_EQ(late({kWait, kGo, kWent, kWaited}), R"({ "wait" })");
  EXPECT_EQ(late({kWait, kGo, kWaited, kWent}), "{}");
  EXPECT_EQ(late({kWait, kGo, kWent}), R"({ "wait" })");
  EXPECT_EQ(late({kWait, kGo, kWaited}), "{}");
  EXPECT_EQ(late({kWait, kWaited, "next", kGo, kWent}), "{}");
}

TEST(SeedsTest, AMethodAfterWhichThePluginEndedByItselfEndsIt) {
  const auto ends = [](std::initializer_list<std::string_view> lines) {
    return testing::PrintToString(Collected(lines).ends);
  };
  constexpr char kQuit[] = R"(-> {"id":9,"method":"quit"})";
  EXPECT_EQ(ends({kOpen, kQuit, "exit 0"}), R"({ "quit" })");
  EXPECT_EQ(ends({kOpen, kQuit, "eof", "exit 0"}), "{}") << "its stdin was closed";
  EXPECT_EQ(ends({kOpen, kQuit, "exit 3"}), "{}") << "it failed";
  EXPECT_EQ(ends({kQuit, kOpen, kQuit, "exit 0"}), "{}") << "it went on once";
  EXPECT_EQ(ends({kOpen, kQuit, "exit 0", "next", kQuit, kOpen}), "{}") << "in another session";
}

TEST(SeedsTest, AMethodMayEndAPluginWhoseStdinIsClosedAtOnce) {
  const auto may_end = [](std::initializer_list<std::string_view> lines) {
    std::string text;
    for (const auto& [method, part] : Collected(lines).may_end) text += method + " " + part.bytes;
    return text;
  };
  constexpr char kQuit[] = R"(-> {"id":9,"method":"quit"})";
  EXPECT_EQ(may_end({kOpen, kQuit, "eof", "exit 0"}), "quit {\"id\":9,\"method\":\"quit\"}\n");
  EXPECT_EQ(may_end({kOpen, kQuit, "eof", "exit 3"}), "") << "it failed";
  EXPECT_EQ(may_end({kOpen, kQuit, "exit 0"}), "") << "it surely does";
  EXPECT_EQ(may_end({kQuit, kOpen, kQuit, "eof", "exit 0"}), "") << "it went on once";
  EXPECT_EQ(may_end({kOpen, kShutdown, "eof", "exit 0"}), "") << "it closes the session anyway";
  EXPECT_EQ(may_end({kOpen, kQuit, "eof later", "exit 0"}), "") << "it was running still";
}

TEST(SeedsTest, AMethodThatEndsThePluginIsNotMutated) {
  constexpr char kQuit[] = R"(-> {"id":9,"method":"quit"})";
  EXPECT_EQ(TextOf(Collected({kOpen, kQuit, "exit 0"})),
            "opening \ninput {\"id\":2,\"method\":\"open\"}\n"
            "\nclosing {\"id\":9,\"method\":\"quit\"}\n");
}

TEST(SeedsTest, AnExitAtTheEndOfStdinIsKnown) {
  EXPECT_TRUE(Collected({kOpen, "eof", "exit 0"}).exits_at_eof);
  EXPECT_FALSE(Collected({kOpen, "eof", "exit 1"}).exits_at_eof);
  EXPECT_FALSE(Collected({kOpen, "exit 0"}).exits_at_eof);
}

TEST(SeedsTest, TheStatusesAtTheEndOfStdinAreThoseThatNothingElseCaused) {
  const auto codes = [](std::initializer_list<std::string_view> lines) {
    return testing::PrintToString(Collected(lines).eof_codes);
  };
  EXPECT_EQ(codes({kOpen, "eof", "exit 3", "next", kOpen, "eof", "exit 0"}), "{ 0, 3 }");
  EXPECT_EQ(codes({kOpen, "exit 3"}), "{}") << "before its end";
  EXPECT_EQ(codes({kOpen, "eof", "signal", "exit 0"}), "{}") << "it got a signal";
  EXPECT_EQ(codes({kOpen, kShutdown, kExit, "eof", "exit 0"}), "{}") << "it was told to end";
}

TEST(SeedsTest, OpeningAndClosingAreNotMutated) {
  EXPECT_EQ(TextOf(Collected({kInitialize, R"(<- {"id":1,"result":{}})", kInitialized, kOpen,
                              R"(<- {"id":2,"result":{}})", kShutdown, kExit})),
            "opening {\"id\":1,\"method\":\"initialize\"}\n{\"method\":\"initialized\"}\n"
            "\ninput {\"id\":2,\"method\":\"open\"}\n"
            "\nclosing {\"id\":3,\"method\":\"shutdown\"}\n{\"method\":\"exit\"}\n");
}

TEST(SeedsTest, ASessionWithoutThemIsAllInput) {
  EXPECT_EQ(TextOf(Collected({kOpen, R"(-> {"method":"note"})"})),
            "opening \ninput {\"id\":2,\"method\":\"open\"}\n{\"method\":\"note\"}\n\nclosing ");
}

TEST(SeedsTest, AnOpeningAloneIsNoInput) {
  const Seeds seeds = Collected({kInitialize, kInitialized});
  EXPECT_TRUE(seeds.inputs.empty());
  EXPECT_EQ(seeds.opening.parts.size(), 2u);
}

TEST(SeedsTest, TheDialectDefinesTheOpening) {
  const auto dialect = trace::DialectOf(R"("lifecycle":{"first":["hello"],"last":["bye"]})");
  ASSERT_TRUE(dialect);
  const Seeds seeds = Collected(
      {R"(-> {"id":1,"method":"hello"})", kInitialize, R"(-> {"id":4,"method":"bye"})"}, &*dialect);
  EXPECT_EQ(TextOf(seeds),
            "opening {\"id\":1,\"method\":\"hello\"}\n"
            "\ninput {\"id\":1,\"method\":\"initialize\"}\n"
            "\nclosing {\"id\":4,\"method\":\"bye\"}\n");
}

TEST(SeedsTest, AShutdownFollowedByMoreIsNoClosing) {
  EXPECT_EQ(TextOf(Collected({kShutdown, kOpen})),
            "opening \ninput {\"id\":3,\"method\":\"shutdown\"}\n{\"id\":2,\"method\":\"open\"}\n"
            "\nclosing ");
}

TEST(SeedsTest, EachTraceIsAnInputAndTheFirstOpeningCounts) {
  const Seeds seeds = Collected({kInitialize, kOpen, "next", R"(-> {"id":7,"method":"initialize"})",
                                 R"(-> {"id":8,"method":"read"})"});
  EXPECT_EQ(TextOf(seeds),
            "opening {\"id\":1,\"method\":\"initialize\"}\n"
            "\ninput {\"id\":2,\"method\":\"open\"}\n"
            "\ninput {\"id\":8,\"method\":\"read\"}\n"
            "\nclosing ");
}

TEST(SeedsTest, JunkIsPartOfAnInput) {
  const Seeds seeds = Collected({kOpen, "-> what is this"});
  EXPECT_EQ(TextOf(seeds),
            "opening \ninput {\"id\":2,\"method\":\"open\"}\nwhat is this\n\nclosing ");
}

TEST(SeedsTest, TheHostsAnswersAreKeptByTheMethodTheyAnswer) {
  const Seeds seeds = Collected(
      {kOpen, R"(<- {"id":"p","method":"ask"})", R"(-> {"id":"p","result":{"yes":true}})"});
  ASSERT_EQ(seeds.answers.size(), 1u);
  EXPECT_EQ(seeds.answers.at("ask"), R"({"id":"p","result":{"yes":true}})");
  EXPECT_TRUE(seeds.peer_ids.contains("\"p\""));
}

TEST(SeedsTest, FramingFlagsAndMethodsAreTheRecordings) {
  const Seeds seeds = Collected({R"(=> {"id":1,"method":"open"})"});
  EXPECT_EQ(seeds.framing, wire::Framing::kContentLength);
  EXPECT_EQ(seeds.usual_flags, wire::kNoVersion);
  EXPECT_TRUE(seeds.methods.contains("open"));
  EXPECT_EQ(Collected({R"(-> {"jsonrpc":"2.0","id":1,"method":"open"})"}).usual_flags, 0);
}

TEST(SeedsTest, SeedsOfAPluginAreItsMessages) {
  const Seeds seeds = Collected({kOpen, R"(<- {"id":2,"result":{}})", R"(<- {"method":"said"})"},
                                nullptr, Direction::kPluginToHost);
  EXPECT_EQ(TextOf(seeds),
            "opening \ninput {\"id\":2,\"result\":{}}\n{\"method\":\"said\"}\n\nclosing ");
}

TEST(SeedsTest, NoMoreSessionsThanTheCap) {
  Seeds seeds(Direction::kHostToPlugin);
  SeedCollector collector(&seeds, nullptr);
  for (size_t i = 0; i < kMaxSeedSessions + 10; ++i) {
    trace::Session session(&collector);
    session.OnRecord({.stream = trace::Stream::kHostToPlugin,
                      .hint = trace::Hint::kJson,
                      .body = "{\"id\":1,\"method\":\"a\"}\n"});
    session.OnEnd();
    collector.EndSession();
  }
  EXPECT_EQ(seeds.inputs.size(), kMaxSeedSessions);
}

TEST(SeedsTest, MessagesBeyondTheLimitAreCounted) {
  Seeds seeds(Direction::kHostToPlugin);
  SeedCollector collector(&seeds, nullptr);
  trace::Session session(&collector);
  std::string sent;
  for (size_t i = 0; i < kMaxParts + 3; ++i) sent += "{\"method\":\"a\"}\n";
  session.OnRecord({.stream = trace::Stream::kHostToPlugin, .body = sent});
  session.OnEnd();
  EXPECT_EQ(seeds.left_out, 3u);
}

TEST(MakeSeedsTest, ADialectMakesAnInputPerMethodAndOneOfAll) {
  const auto dialect = trace::DialectOf(R"("framing":{"kind":"content-length"},"methods":{
      "open":{"from":"host","kind":"request"},"note":{"from":"host","kind":"notification"},
      "notify":{"from":"plugin","kind":"notification"},"x/*":{"from":"host","kind":"request"},
      "bye":{"from":"host","kind":"request"}},"lifecycle":{"last":["bye"]})");
  ASSERT_TRUE(dialect);
  Seeds seeds(Direction::kHostToPlugin);
  MakeSeeds(&*dialect, &seeds);
  EXPECT_EQ(seeds.framing, wire::Framing::kContentLength);
  ASSERT_EQ(seeds.inputs.size(), 3u);
  EXPECT_EQ(seeds.inputs[0].Bytes(),
            "Content-Length: 45\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"note\",\"params\":{}}");
  EXPECT_EQ(seeds.inputs[2].parts.size(), 2u);
  EXPECT_TRUE(seeds.methods.contains("open"));
  EXPECT_FALSE(seeds.methods.contains("notify"));
}

TEST(MakeSeedsTest, WithoutADialectTheInputIsAPing) {
  Seeds seeds(Direction::kHostToPlugin);
  MakeSeeds(nullptr, &seeds);
  ASSERT_EQ(seeds.inputs.size(), 1u);
  EXPECT_EQ(seeds.inputs[0].Bytes(),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{}}\n");
}

}  // namespace
}  // namespace midwire::fuzz
