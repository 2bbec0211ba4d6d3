#include "fuzz/chaos/chaos.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace midwire::fuzz {
namespace {

using testing::HasSubstr;
using wire::Direction;

constexpr Direction kHost = Direction::kHostToPlugin, kPlugin = Direction::kPluginToHost;

// What was sent in each direction: bytes, "[5]" for a pause before them, "|" at the end of a write;
// and the events.
class Out : public ChaosHandler {
 public:
  void Send(Direction direction, std::string_view bytes, int64_t pause_ms) override {
    std::string& to = sent[static_cast<int>(direction)];
    if (pause_ms != 0) to += "[" + std::to_string(pause_ms) + "]";
    (to += bytes) += "|";
    plain[static_cast<int>(direction)] += bytes;
  }
  void Close(Direction direction) override { sent[static_cast<int>(direction)] += "closed"; }
  void Kill(Direction direction) override { sent[static_cast<int>(direction)] += "killed"; }
  void OnFault(const trace::ChaosEvent& event) override { events.push_back(event); }

  std::string sent[2], plain[2];
  std::vector<trace::ChaosEvent> events;
};

// Chaos with one fault for every message that the filter selects.
class ChaosTalk {
 public:
  explicit ChaosTalk(Fault fault, std::string_view on = "", uint64_t seed = 1)
      : ChaosTalk({.seed = seed, .rate = 1, .faults = {fault}}, on) {}
  explicit ChaosTalk(ChaosOptions options, std::string_view on = "")
      : filter_(std::move(*trace::Filter::Compile(on))), chaos(std::move(options), &filter_) {}

  ChaosTalk& Host(std::string_view bytes) { return Send(kHost, bytes); }
  ChaosTalk& Plugin(std::string_view bytes) { return Send(kPlugin, bytes); }
  ChaosTalk& Send(Direction direction, std::string_view bytes) {
    chaos.Feed(direction, bytes, &out);
    return *this;
  }
  ChaosTalk& End() {
    chaos.Finish(kHost, &out);
    chaos.Finish(kPlugin, &out);
    return *this;
  }
  const std::string& ToPlugin() const { return out.sent[0]; }
  const std::string& ToHost() const { return out.sent[1]; }

 private:
  trace::Filter filter_;

 public:
  Chaos chaos;
  Out out;
};

constexpr char kA[] = "{\"method\":\"a\"}\n", kB[] = "{\"method\":\"b\"}\n",
               kC[] = "{\"method\":\"c\"}\n";
std::string Writes(std::initializer_list<std::string_view> pieces) {
  std::string all;
  for (const std::string_view piece : pieces) (all += piece) += "|";
  return all;
}

// A session of lines: requests, junk, headers, a batch, half a line at the end.
std::string LongSession() {
  std::string all = "starting up\n";
  for (int i = 0; i < 60; ++i) {
    const std::string body = "{\"id\":" + std::to_string(i) + ",\"method\":\"m" +
                             std::to_string(i % 7) + "\",\"params\":[\"" +
                             std::string(static_cast<size_t>(i * 3), 'x') + "\"]}";
    switch (i % 10) {
      case 4:
        all += body + " \t" + body + "{}\r\n";
        break;
      case 7:
        all += "noise Content-Length: nine\r\nX-Y: z\r\n" + body + "\n  \n";
        break;
      case 9:
        all += "not a message\n[" + body + "]\n[INFO] ready\n";
        break;
      default:
        all += body + "\n";
    }
  }
  return all + "{\"id\":1,";
}

// A session with headers, the first after text on the same line.
std::string LongSessionWithHeaders() {
  std::string all = "starting up ";
  for (int i = 0; i < 60; ++i) {
    const std::string body =
        "{\"id\":" + std::to_string(i) + ",\"method\":\"" + std::string(i, 'm') + "\"}";
    all += (i % 5 == 3 ? "X: y\r\ncontent-length:" : "Content-Length: ") +
           std::to_string(body.size()) + "\r\n\r\n" + body + (i % 7 == 2 ? "log line " : "");
  }
  return all + "Content-Length: 100\r\n\r\n{\"id\"";
}

TEST(ChaosTest, AtRateZeroChunksPassUnchanged) {
  ChaosTalk run({.rate = 0});
  const std::string session = LongSession();
  std::string chunks;
  for (size_t at = 0; at < session.size(); at += 37) {
    run.Host(session.substr(at, 37));
    chunks += session.substr(at, 37) + "|";
  }
  EXPECT_EQ(run.End().ToPlugin(), chunks);
  EXPECT_TRUE(run.out.events.empty());
}

TEST(ChaosTest, MessagesThatTheFilterDoesNotSelectAreUnchanged) {
  ChaosTalk run(Fault::kDrop, "method=b");
  run.Host(std::string("hello\n") + kA + kB + kC).End();
  EXPECT_EQ(run.out.plain[0], std::string("hello\n") + kA + kC);
  ASSERT_EQ(run.out.events.size(), 1u);
  EXPECT_EQ(Describe(run.out.events[0]), "chaos: drop message 2 (2 of host-to-plugin)");
}

TEST(ChaosTest, AnAnswerHasTheMethodOfItsRequest) {
  ChaosTalk run(Fault::kDrop, "method=b dir=p2h");
  run.Host("{\"id\":1,\"method\":\"a\"}\n{\"id\":2,\"method\":\"b\"}\n");
  run.Plugin("{\"id\":2,\"result\":0}\n{\"id\":1,\"result\":0}\n").End();
  EXPECT_EQ(run.out.plain[1], "{\"id\":1,\"result\":0}\n");
  ASSERT_EQ(run.out.events.size(), 1u);
  EXPECT_EQ(run.out.events[0].number, 1);
  EXPECT_EQ(run.out.events[0].message, 3);
}

TEST(ChaosTest, TheFiltersNumberIsThatOfTheDirection) {
  ChaosTalk run(Fault::kDrop, "number=2");
  run.Host(kA).Plugin(kB).Plugin(kC).Host(kA).End();
  EXPECT_EQ(run.ToPlugin() + run.ToHost(), Writes({kA, kB}));
}

TEST(ChaosTest, Dup) { EXPECT_EQ(ChaosTalk(Fault::kDup).Host(kA).ToPlugin(), Writes({kA, kA})); }

TEST(ChaosTest, DelayIsDataAndWithinItsBound) {
  ChaosTalk run({.rate = 1, .faults = {Fault::kDelay}, .delay_ms = 3});
  for (int i = 0; i < 50; ++i) run.Host(kA);
  EXPECT_THAT(run.ToPlugin(), testing::ContainsRegex("^(\\[[123]\\]\\{[^|]*\n\\|){50}$"));
  for (const char* pause : {"[1]", "[2]", "[3]"}) EXPECT_THAT(run.ToPlugin(), HasSubstr(pause));
}

TEST(ChaosTest, StallIsOnePauseOfItsLength) {
  ChaosTalk run({.rate = 1, .faults = {Fault::kStall}, .stall_ms = 777});
  EXPECT_EQ(run.Host(kA).ToPlugin(), "[777]" + Writes({kA}));
  EXPECT_EQ(run.out.events.at(0).ms, 777);
}

TEST(ChaosTest, ReorderPutsAMessageBehindTheNext) {
  ChaosTalk run(Fault::kReorder, "method=a");
  run.Host(kA);
  EXPECT_EQ(run.ToPlugin(), "");
  EXPECT_EQ(run.chaos.waiting(kHost), 1u);
  EXPECT_EQ(run.chaos.kept(kHost), std::string(kA).size());
  run.Host(std::string(kB).substr(0, 5));
  EXPECT_EQ(run.ToPlugin(), "");
  run.Host(kB + 5).Host(kC);
  EXPECT_EQ(run.ToPlugin(), Writes({kB, kA, kC}));
  EXPECT_EQ(run.chaos.kept(kHost), 0u);
}

TEST(ChaosTest, ReorderOfAllPassesThemOneByOne) {
  EXPECT_EQ(ChaosTalk(Fault::kReorder).Host(kA).Host(kB).Host(kC).End().ToPlugin(),
            Writes({kA, kB, kC}));
}

TEST(ChaosTest, CoalesceIsOneWriteOfTwo) {
  ChaosTalk run(Fault::kCoalesce, "method=a");
  EXPECT_EQ(run.Host(kA).Host(kB).Host(kC).ToPlugin(), std::string(kA) + kB + "|" + kC + "|");
}

TEST(ChaosTest, AWaitingMessageCanBeReleased) {
  for (const Fault fault : {Fault::kReorder, Fault::kCoalesce}) {
    ChaosTalk run(fault, "method=a");
    run.Host(kA).Host("{\"met");
    run.chaos.Release(kHost, &run.out);
    EXPECT_EQ(run.ToPlugin(), Writes({kA}));
    EXPECT_EQ(run.chaos.waiting(kHost), 0u);
    run.Host("hod\":1}\n").End();
    EXPECT_EQ(run.out.plain[0], std::string(kA) + "{\"method\":1}\n");
  }
}

TEST(ChaosTest, AWaitingMessageIsSentAtTheEnd) {
  EXPECT_EQ(ChaosTalk(Fault::kReorder).Host(kA).End().ToPlugin(), Writes({kA}));
}

TEST(ChaosTest, AMessageThatIsDroppedStillCountsAsTheNext) {
  ChaosOptions options = {.rate = 1, .faults = {Fault::kDrop, Fault::kReorder}};
  for (options.seed = 0; options.seed < 20; ++options.seed) {
    ChaosTalk run(options);
    run.Host(kA).Host(kB);
    if (run.chaos.count(Fault::kReorder) != 1 || run.out.events.at(0).fault != "reorder") continue;
    EXPECT_EQ(run.ToPlugin(), Writes({kA}));
    return;
  }
  FAIL() << "no seed does it";
}

TEST(ChaosTest, SplitLosesNothing) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    ChaosTalk run(Fault::kSplit, "", seed);
    run.Host(kA);
    EXPECT_EQ(run.out.plain[0], kA);
    EXPECT_THAT(run.ToPlugin(), HasSubstr("|[5]"));
  }
}

TEST(ChaosTest, TruncateCutsTheBodyAndKeepsTheFrame) {
  ChaosTalk lines(Fault::kTruncate);
  lines.Host(kA);
  EXPECT_LT(lines.out.plain[0].size(), std::string(kA).size());
  EXPECT_TRUE(lines.out.plain[0].ends_with("\n"));
  EXPECT_EQ(lines.out.events.at(0).sent, lines.out.plain[0]);
  ChaosTalk headers(Fault::kTruncate);
  headers.Host("Content-Length: 14\r\n\r\n{\"method\":\"a\"}");
  EXPECT_TRUE(headers.out.plain[0].starts_with("Content-Length: 14\r\n\r\n{"));
  EXPECT_LT(headers.out.plain[0].size(), 22u + 14u);
}

TEST(ChaosTest, CorruptChangesOnlyBytesOfTheBody) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    ChaosTalk run(Fault::kCorrupt, "", seed);
    const std::string frame = "Content-Length: 14\r\n\r\n{\"method\":\"a\"}";
    const std::string& sent = run.Host(frame).out.plain[0];
    ASSERT_EQ(sent.size(), frame.size());
    EXPECT_EQ(sent.substr(0, 22), frame.substr(0, 22));
    EXPECT_NE(sent, frame) << seed;
  }
}

TEST(ChaosTest, JunkIsALineBeforeTheMessage) {
  ChaosTalk run(Fault::kJunk);
  run.Plugin(kA);
  EXPECT_EQ(run.out.plain[1], run.out.events.at(0).sent + kA);
  EXPECT_TRUE(run.out.events.at(0).sent.ends_with("\n"));
}

TEST(ChaosTest, CloseEndsOnlyItsDirection) {
  ChaosTalk run(Fault::kClose, "method=b");
  run.Host(std::string(kA) + kB + kC).Host(kA).Plugin(kA).End();
  EXPECT_EQ(run.ToPlugin(), Writes({kA}) + "closed");
  EXPECT_EQ(run.ToHost(), Writes({kA}));
}

TEST(ChaosTest, KillComesInTheMessagesPlace) {
  ChaosTalk run(Fault::kKill, "method=b");
  EXPECT_EQ(run.Host(std::string(kA) + kB + kC).ToPlugin(), Writes({kA}) + "killed" + Writes({kC}));
}

TEST(ChaosTest, APluginIsKilledOnce) {
  ChaosTalk run(Fault::kKill);
  EXPECT_EQ(run.Host(std::string(kA) + kB).Plugin(kC).ToPlugin(), "killed" + Writes({kB}));
  EXPECT_EQ(run.ToHost(), Writes({kC}));
  EXPECT_EQ(run.chaos.count(Fault::kKill), 1u);
}

TEST(ChaosTest, AMessageThatIsTooShortForAFaultHasNone) {
  ChaosTalk run(Fault::kTruncate);
  run.Host("Content-Length: 1\r\n\r\n{").End();
  EXPECT_EQ(run.out.plain[0], "Content-Length: 1\r\n\r\n{");
  EXPECT_TRUE(run.out.events.empty());
}

TEST(ChaosTest, AFrameAboveTheCapPassesUnfaultedInAnyChunking) {
  const std::string big = "{\"x\":\"" + std::string(2 * kMaxFaulted, 'x') + "\"}\n";
  for (const size_t chunk : {size_t{60'000}, big.size() + 20}) {
    ChaosTalk run(Fault::kReorder, "not method=c");
    const std::string all = kA + big + kC;
    size_t most = 0;
    for (size_t at = 0; at < all.size(); at += chunk) {
      run.Host(all.substr(at, chunk));
      most = std::max(most, run.chaos.kept(kHost));
    }
    EXPECT_EQ(run.out.plain[0], all);
    EXPECT_EQ(run.chaos.count(Fault::kReorder), 1u);
    EXPECT_LE(most, kMaxFaulted + 100);
  }
}

TEST(ChaosTest, AMessageDoesNotWaitForABrokenOneThatIsTooLong) {
  const std::string broken = "{\"x\":\"" + std::string(2 * kMaxFaulted, 'x') + "\n";
  for (const size_t chunk : {size_t{60'000}, broken.size() + 200}) {
    ChaosTalk run(Fault::kReorder, "method=a");
    const std::string all = kA + broken + kB;
    for (size_t at = 0; at < all.size(); at += chunk) run.Host(all.substr(at, chunk));
    EXPECT_TRUE(run.End().out.plain[0] == all) << chunk;
  }
}

TEST(ChaosTest, FaultsDependOnSeedAndNumberNotOnChunks) {
  for (const std::string& session : {LongSession(), LongSessionWithHeaders()}) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
      const ChaosOptions options = {.seed = seed, .rate = 0.3};
      ChaosTalk whole(options);
      whole.Host(session).Plugin(session).End();
      for (const size_t chunk : {size_t{1}, size_t{13}, size_t{256}}) {
        ChaosTalk run(options);
        for (size_t at = 0; at < session.size(); at += chunk) {
          run.Plugin(session.substr(at, chunk));  // and the other direction first
          run.Host(session.substr(at, chunk));
        }
        run.End();
        ASSERT_EQ(run.out.plain[0], whole.out.plain[0]) << seed << " " << chunk;
        ASSERT_EQ(run.out.plain[1], whole.out.plain[1]) << seed << " " << chunk;
        EXPECT_EQ(run.out.events.size(), whole.out.events.size());
        EXPECT_GT(whole.out.events.size(), 10u);
      }
    }
  }
}

// Random pieces of messages: for any stream, chunking makes no difference.
TEST(ChaosTest, ChunksOfHostileStreamsMakeNoDifference) {
  constexpr std::string_view kWords[] = {"{",       "}",
                                         "[",       "]",
                                         "\"",      "\\",
                                         "\n",      "\r\n",
                                         " ",       "{}",
                                         "[]",      "{\"id\":1",
                                         ",",       ":",
                                         {"\0", 1}, "Content-Length: 5\r\n\r\n",
                                         "X: y",    "[{}]\n",
                                         "x",       "\xff",
                                         "12",      "{\"method\":\"a\"}\n"};
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    std::string stream;
    for (size_t i = random.Below(60); i > 0; --i) stream += kWords[random.Below(std::size(kWords))];
    const ChaosOptions options = {.seed = seed, .rate = 0.4};
    ChaosTalk whole(options), bytes(options);
    whole.Host(stream).End();
    for (const char& byte : stream) bytes.Host({&byte, 1});
    ASSERT_EQ(bytes.End().out.plain[0], whole.out.plain[0]) << seed;
    ChaosTalk none(options, "method=nothing");
    for (const char& byte : stream) none.Host({&byte, 1});
    ASSERT_EQ(none.End().out.plain[0], stream) << seed;
  }
}

TEST(ChaosTest, WithoutFaultsASessionIsUnchanged) {
  for (const std::string& session : {LongSession(), LongSessionWithHeaders()}) {
    for (const size_t chunk : {size_t{1}, size_t{13}, session.size()}) {
      ChaosTalk run(ChaosOptions{.rate = 0.5}, "kind=junk");  // kept, and then not selected
      for (size_t at = 0; at < session.size(); at += chunk) run.Host(session.substr(at, chunk));
      EXPECT_EQ(run.End().out.plain[0], session);
    }
  }
}

TEST(ChaosTest, AnotherSeedMakesOtherFaultsAndTheRateIsWhatItSays) {
  std::map<std::string, int> of_kind;
  std::string first;
  size_t faults = 0, others = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    ChaosTalk run({.seed = seed, .rate = 0.25});
    for (int i = 0; i < 100; ++i) run.Host(kA);
    run.End();
    faults += run.out.events.size();
    for (const auto& event : run.out.events) ++of_kind[event.fault];
    if (seed == 0) first = run.ToPlugin();
    others += run.ToPlugin() != first;
  }
  EXPECT_EQ(others, 99u);
  EXPECT_NEAR(static_cast<double>(faults), 2500, 200);
  EXPECT_EQ(of_kind.size(), GentleFaults().size());
  for (const auto& [kind, count] : of_kind) EXPECT_GT(count, 150) << kind;
}

TEST(ChaosTest, FaultsAreReadInAnyOrder) {
  const auto faults = ParseFaults("kill,drop,drop");
  ASSERT_TRUE(faults.ok());
  EXPECT_EQ(*faults, (std::vector<Fault>{Fault::kDrop, Fault::kKill}));
  EXPECT_EQ(ParseFaults("all")->size(), kFaults);
  EXPECT_EQ(GentleFaults().size(), kFaults - 3);
  for (const char* wrong : {"", "drop,", "dorp", "drop, dup"}) {
    EXPECT_FALSE(ParseFaults(wrong).ok()) << wrong;
  }
  EXPECT_THAT(ParseFaults("dorp").error().Text(), HasSubstr("dorp"));
  EXPECT_THAT(ParseFaults("dorp").error().Text(), HasSubstr("coalesce"));
}

TEST(ChaosTest, ALongReplacementIsCutInItsEvent) {
  ChaosTalk run(Fault::kTruncate, "", 3);
  std::string body = "{\"x\":\"" + std::string(300'000, 'x') + "\"}\n";
  run.Host(body);
  ASSERT_EQ(run.out.events.size(), 1u);
  EXPECT_LE(run.out.events[0].sent.size(), trace::kMaxChaosSent);
  EXPECT_EQ(run.out.events[0].sent_cut, run.out.plain[0].size() > trace::kMaxChaosSent);
}

}  // namespace
}  // namespace midwire::fuzz
