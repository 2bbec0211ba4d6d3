#include <gtest/gtest.h>

#include <string>

#include "tests/tools/command.h"
#include "tests/tools/tape.h"
#include "tools/showing/tally_listener.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

std::string RequestLine(const std::string& id, const std::string& method) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}\n";
}
std::string AnswerLine(const std::string& id) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":null}\n";
}
std::string FailureLine(const std::string& id) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-1,\"message\":\"no\"}}\n";
}

class StatsTest : public CommandTest {
 protected:
  Ran Stats(const Tape& tape, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"stats", Save("tape.pcapng", tape.bytes())});
    return Run(arguments);
  }
  wire::Json Json(const Tape& tape) const {
    const Ran ran = Stats(tape, {"--json"});
    Result<wire::Json> json = wire::ParseJson(ran.out);
    EXPECT_TRUE(json) << ran.out << ran.err;
    return json ? *json : wire::Json();
  }
};

// The member at a path of names and indices, or null.
const wire::Json& At(const wire::Json& json, std::vector<std::string> path) {
  static const wire::Json kNothing;
  const wire::Json* at = &json;
  for (const std::string& step : path) {
    if (at->is(wire::Json::Type::kArray)) {
      const size_t index = std::stoul(step);
      if (index >= at->items.size()) return kNothing;
      at = &at->items[index];
    } else {
      at = at->Find(step);
      if (at == nullptr) return kNothing;
    }
  }
  return *at;
}
int64_t Number(const wire::Json& json, std::vector<std::string> path) {
  return At(json, std::move(path)).Integer().value_or(-1);
}

// Ten calls, 1 ms to 10 ms; one failure; one unanswered request each way.
Tape TenCalls() {
  Tape tape = Tape::Of({"my-plugin", "--flag"});
  for (int i = 1; i <= 10; ++i) {
    const std::string id = std::to_string(i);
    tape.Host(RequestLine(id, "tools/call")).Us(1000 * i);
    tape.Plugin(i == 5 ? FailureLine(id) : AnswerLine(id));
  }
  tape.Host("{\"jsonrpc\":\"2.0\",\"method\":\"initialized\"}\n");
  tape.Plugin("{\"method\":\"progress\"}\r\n").Plugin("Loading...\n");
  tape.Plugin(RequestLine("\"cb-1\"", "host/ask")).Host(RequestLine("99", "slow"));
  tape.Plugin(AnswerLine("12345")).Stderr("twelve bytes");
  return tape.Us(500).Exit(0);
}

TEST_F(StatsTest, TablesOfASession) {
  const Ran ran = Stats(TenCalls());
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  ExpectGolden("stats.txt", ran.out);
}

TEST_F(StatsTest, SeveralTraces) {
  const std::string one = Save("one.pcapng", TenCalls().bytes());
  const std::string two = Save("two.pcapng", Tape::Of({"p"}).Exit(0).bytes());
  const Ran ran = Run({"stats", one, two});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("trace      " + one + "\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\n\ntrace      " + two + "\n"), std::string::npos);
  EXPECT_NE(Run({"stats", "--json", one, two}).out.find("\n{\"trace\":\"" + two),
            std::string::npos);
  EXPECT_EQ(Run({"stats", one, Path("none")}).code, 2);
}

TEST_F(StatsTest, JsonOfASession) { ExpectGolden("stats.json", Stats(TenCalls(), {"--json"}).out); }

TEST_F(StatsTest, StatsListAndFiltersCountTheSameAsFailed) {
  Tape tape = Tape::Of({"p"});
  const std::string call = R"(,"method":"tools/call","params":{"name":"read"}})";
  tape.Host(R"({"jsonrpc":"2.0","id":1)" + call + "\n").Us(10).Plugin(FailureLine("1"));
  tape.Host(R"({"jsonrpc":"2.0","id":2)" + call + "\n").Us(10);
  tape.Plugin("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"isError\":true}}\n").Exit(0);
  const std::string path = Save("t.pcapng", tape.bytes());
  const std::string shown = Run({"show", path, "failed"}).out;
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 2) << shown;
  EXPECT_NE(Run({"list", folder_, "--json"}).out.find("\"failed\":2,"), std::string::npos);
  EXPECT_NE(Stats(tape, {"--json"}).out.find("\"errors\":1,\"failed\":2,"), std::string::npos);
}

TEST_F(StatsTest, ARowALabelAndErrorsAmongWhatFailed) {
  const auto call = [](const std::string& id, const std::string& tool) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id +
           ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\"}}\n";
  };
  Tape tape = Tape::Of({"p"});
  tape.Host(call("1", "read")).Us(10).Plugin(FailureLine("1")).Host(call("2", "write")).Us(20);
  tape.Plugin("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"isError\":true}}\n");
  tape.Host(call("3", "read")).Us(30).Plugin(AnswerLine("3")).Exit(0);
  const wire::Json json = Json(tape);
  EXPECT_EQ(At(json, {"dialect", "dialect"}).text, "mcp");
  EXPECT_EQ(Number(json, {"methods", "0", "errors"}), 1);
  EXPECT_EQ(Number(json, {"methods", "0", "failed"}), 2);
  EXPECT_EQ(Number(json, {"directions", "p2h", "failed"}), 2);
  EXPECT_EQ(Number(json, {"directions", "p2h", "kinds", "error"}), 1);
  EXPECT_EQ(At(json, {"methods", "0", "labels", "0", "label"}).text, "read");
  EXPECT_EQ(Number(json, {"methods", "0", "labels", "0", "requests"}), 2);
  EXPECT_EQ(Number(json, {"methods", "0", "labels", "0", "errors"}), 1);
  EXPECT_EQ(Number(json, {"methods", "0", "labels", "1", "failed"}), 1);
  EXPECT_EQ(Number(json, {"methods", "0", "labels", "1", "latency_ns", "max"}), 20'000);
  const std::string text = Stats(tape).out;
  EXPECT_TRUE(text.starts_with("dialect    mcp")) << text;
  EXPECT_NE(text.find(", detected ("), std::string::npos) << text;
  EXPECT_NE(text.find("\n  write "), text.npos) << text;
  EXPECT_EQ(Stats(tape, {"--dialect", "none"}).out.find("write"), std::string::npos);
}

TEST_F(StatsTest, ACancelledRequestIsNotUnanswered) {
  Tape tape = Tape::Of({"p"});
  tape.Host(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}})"
            "\n");
  tape.Host(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}})"
            "\n");
  tape.Host(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
            "\n");
  const wire::Json json = Json(tape.Exit(0));
  EXPECT_EQ(Number(json, {"directions", "h2p", "unanswered"}), 1);
  EXPECT_EQ(Number(json, {"directions", "h2p", "cancelled"}), 1);
  EXPECT_EQ(Number(json, {"methods", "0", "cancelled"}), 1);
  EXPECT_EQ(Number(json, {"methods", "0", "labels", "0", "cancelled"}), 1);
  EXPECT_EQ(At(json, {"unanswered"}).items.size(), 1u);
  EXPECT_EQ(Number(json, {"unanswered", "0", "n"}), 2);
  EXPECT_NE(Stats(tape).out.find("requests cancelled"), std::string::npos);
}

TEST_F(StatsTest, MethodsComeInRecordedOrder) {
  Tape tape = Tape::Of({"p"}).Host(RequestLine("1", "z")).Host(RequestLine("2", "b"));
  tape.Plugin(RequestLine("3", "c")).Host(RequestLine("4", "b"));
  const wire::Json json = Json(tape.Exit(0));
  std::string order;
  for (const wire::Json& row : At(json, {"methods"}).items) order += row.String("method");
  EXPECT_EQ(order, "zbc");
  order = "";
  for (const wire::Json& row : At(json, {"unanswered"}).items) order += row.String("method");
  EXPECT_EQ(order, "zbcb");
}

TEST_F(StatsTest, ManyLabelsAreListedInPart) {
  Tape tape = Tape::Of({"p"});
  for (size_t i = 0; i < kMaxLabels + 50; ++i) {
    tape.Host("{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"t" +
              std::to_string(i) + "\"}}\n");
  }
  const wire::Json json = Json(tape.Exit(0));
  EXPECT_EQ(At(json, {"methods", "0", "labels"}).items.size(), kMaxLabels);
  EXPECT_NE(Stats(tape).out.find("(1,004 other labels)"), std::string::npos) << Stats(tape).out;
}

TEST_F(StatsTest, LatenciesByNearestRank) {
  const wire::Json json = Json(TenCalls());
  EXPECT_EQ(At(json, {"methods", "0", "method"}).text, "tools/call");
  EXPECT_EQ(Number(json, {"methods", "0", "latency_ns", "p50"}), 5'000'000);
  EXPECT_EQ(Number(json, {"methods", "0", "latency_ns", "p90"}), 9'000'000);
  EXPECT_EQ(Number(json, {"methods", "0", "latency_ns", "p99"}), 10'000'000);
  EXPECT_EQ(Number(json, {"methods", "0", "latency_ns", "max"}), 10'000'000);
  EXPECT_EQ(Number(json, {"methods", "0", "errors"}), 1);
}

TEST_F(StatsTest, BytesAreThoseOfTheStreams) {
  const Tape tape =
      Tape::Of({"p"}).Host(RequestLine("1", "a")).Plugin("junk\n").Plugin(AnswerLine("1"));
  const wire::Json json = Json(Tape(tape).Exit(0));
  EXPECT_EQ(Number(json, {"directions", "h2p", "bytes"}), RequestLine("1", "a").size());
  EXPECT_EQ(Number(json, {"directions", "p2h", "bytes"}), AnswerLine("1").size() + 5);
  EXPECT_EQ(Number(json, {"directions", "p2h", "junk_bytes"}), 5);
  EXPECT_EQ(Number(json, {"methods", "0", "bytes"}), RequestLine("1", "a").size());
  EXPECT_EQ(Number(json, {"methods", "0", "answer_bytes"}), AnswerLine("1").size());
}

TEST_F(StatsTest, AnEmptySessionHasNoMethods) {
  const Ran ran = Stats(Tape::Of({"p"}).Exit(127));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("ended      exit 127"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("p50"), std::string::npos);
}

TEST_F(StatsTest, ACutOffSessionSaysSo) {
  const Ran ran = Stats(Tape::Of({"p"}));
  EXPECT_NE(ran.out.find("no exit event, cut off"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("the session was cut off"), std::string::npos) << ran.err;
}

TEST_F(StatsTest, DamageIsCountedAndInTheExitCode) {
  std::string bytes = TenCalls().bytes();
  bytes[bytes.find("Loading")] ^= 1;
  const Ran ran = Run({"stats", "--json", Save("damaged.pcapng", bytes)});
  EXPECT_EQ(ran.code, 3);
  const Result<wire::Json> json = wire::ParseJson(ran.out);
  ASSERT_TRUE(json);
  EXPECT_EQ(Number(*json, {"damaged_places"}), 1);
  EXPECT_GT(Number(*json, {"damaged_bytes"}), 11);
}

TEST_F(StatsTest, SessionsAddUp) {
  const Tape second = Tape::Of({"second"}).Host(RequestLine("1", "a")).Exit(1);
  const Tape first = Tape::Of({"first"}).Host(RequestLine("1", "a")).Exit(0);
  const wire::Json json = Json(Tape(first).File(second.bytes()));
  EXPECT_EQ(Number(json, {"session_count"}), 2);
  EXPECT_EQ(At(json, {"sessions", "1", "exit"}).text, "exit 1");
  EXPECT_EQ(Number(json, {"methods", "0", "requests"}), 2);
  EXPECT_EQ(Number(json, {"directions", "h2p", "unanswered"}), 2);
  EXPECT_EQ(At(json, {"unanswered"}).items.size(), 2u);
}

TEST_F(StatsTest, ManyMethodsShareARow) {
  Tape tape = Tape::Of({"p"});
  for (size_t i = 0; i < kMaxMethods + 100; ++i)
    tape.Host(RequestLine("1", "m" + std::to_string(i)));
  const wire::Json json = Json(tape.Exit(0));
  EXPECT_EQ(At(json, {"methods"}).items.size(), kMaxMethods);
  EXPECT_EQ(Number(json, {"other_methods", "requests"}), 100);
  EXPECT_NE(Stats(tape).out.find("(all other methods)"), std::string::npos);
}

TEST_F(StatsTest, ManyUnansweredAreListedInPart) {
  Tape tape = Tape::Of({"p"});
  for (size_t i = 0; i < 250; ++i) tape.Host(RequestLine(std::to_string(i), "m"));
  const Ran ran = Stats(tape.Exit(0));
  EXPECT_TRUE(ran.out.ends_with("and 150 more\n")) << ran.out;
}

TEST_F(StatsTest, ManyAnswersComeFromAHistogram) {
  Tape tape = Tape::Of({"p"});
  for (size_t i = 0; i < trace::Latencies::kExactSamples + 1; ++i) {
    tape.Host(RequestLine("1", "m")).Us(1000).Plugin(AnswerLine("1"));
  }
  const Ran ran = Stats(tape.Exit(0));
  EXPECT_NE(ran.out.find("~1.0"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("within 1.6 %"), std::string::npos);
}

TEST_F(StatsTest, HostileMethodsAndIdsComeOutVisible) {
  const std::string evil = "\x1b[2J\u202e\xc2\x9b\x9b";
  const Tape tape = Tape::Of({evil}).Host(RequestLine("\"" + evil + "\"", evil)).Exit(0);
  for (const Ran& ran : {Stats(tape), Stats(tape, {"--json"})}) {
    EXPECT_EQ(ran.out.find_first_of("\x1b\x9b"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("\u202e"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\\u202e"), std::string::npos) << ran.out;
  }
}

TEST_F(StatsTest, ReadersThatStopAreSummedUp) {
  Tape tape = Tape::Of({"p"});
  tape.Event(trace::StalledEvent{"host-to-plugin", 3000, 9});
  tape.Event(trace::ResumedEvent{"host-to-plugin", 7200});
  tape.Event(trace::StalledEvent{"host-to-plugin", 3000, 9}).Us(2'000'000);
  tape.Event(trace::StalledEvent{"stderr", 3000, 9}).Exit(0);
  const std::string out = Stats(tape).out;
  EXPECT_NE(out.find("not read   plugin: stdin, for 12.2"), std::string::npos) << out;
  EXPECT_NE(out.find("not read   host: stderr, for 3.0"), std::string::npos) << out;
  EXPECT_EQ(out.find("host: stdout"), std::string::npos) << out;
  const wire::Json json = Json(tape);
  EXPECT_EQ(Number(json, {"sessions", "0", "stalled_h2p", "ms"}), 12'200);
  EXPECT_EQ(Number(json, {"sessions", "0", "stalled_h2p", "count"}), 2);
}

}  // namespace
}  // namespace midwire::tools
