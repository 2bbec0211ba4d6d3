#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/paths.h"
#include "tests/sanitized.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using namespace std::string_literals;

constexpr char kCall[] = R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"n":1}})"
                         "\n";
constexpr char kAnswer[] = R"({"jsonrpc":"2.0","id":7,"result":{"ok":true}})"
                           "\n";

class ShowTest : public CommandTest {
 protected:
  Ran Show(const Tape& tape, std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"show", Save("tape.pcapng", tape.bytes())});
    return Run(arguments);
  }
};

// A bit of everything, nothing hostile.
Tape Mixed() {
  Tape tape = Tape::Of({"my-plugin", "--flag", "two words"});
  tape.Us(1200).Host(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"
                     "\n");
  tape.Us(500).Stderr("plugin: loa").Us(3).Stderr("ding\r\nready\n");
  tape.Us(12'345).Plugin(R"({"jsonrpc":"2.0","id":1,"result":{"ok":true}})"
                         "\n");
  tape.Us(10).Host(R"({"jsonrpc":"2.0","method":"initialized"})"
                   "\n");
  tape.Us(10).Plugin("Loading the model...\n");
  tape.Us(10).Host(R"({"jsonrpc":"2.0","id":"a-2","method":"tools/call","params":[1,2]})"
                   "\n");
  tape.Us(200'000).Plugin(
      R"({"jsonrpc":"2.0","id":"a-2","error":{"code":-32601,"message":"no such tool"}})"
      "\n");
  tape.Host(R"([{"jsonrpc":"2.0","id":4,"method":"a"},{"jsonrpc":"2.0","method":"b"}])"
            "\n");
  tape.Us(5).Plugin(R"({"jsonrpc":"2.0","id":99,"result":1})"
                    "\r\n");
  tape.Us(5).Stderr("bye, no newline");
  tape.Us(5).Host(R"({"jsonrpc":"2.0","id":5,"method":"shutdown"})");
  tape.Us(5).Event(trace::EofEvent{"host-to-plugin"});
  return tape.Us(100).Exit(3);
}

// A session of MCP with a tool that fails, and one that is not there.
Tape Mcp() {
  const auto call = [](int id, const std::string& tool) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
           ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\"}}\n";
  };
  Tape tape = Tape::Of({"notes"});
  tape.Host(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{)"
            R"("protocolVersion":"2025-06-18","capabilities":{"roots":{}}}})"
            "\n");
  tape.Us(900).Plugin(R"({"jsonrpc":"2.0","id":0,"result":{)"
                      R"("protocolVersion":"2025-06-18","capabilities":{"tools":{}}}})"
                      "\n");
  tape.Us(5).Host(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                  "\n");
  tape.Us(10).Host(call(1, "read_file")).Us(10).Host(call(2, "write_file"));
  tape.Us(1500).Plugin(
      R"({"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[{"type":"text","text":)"
      R"("the disk is full"}]}})"
      "\n");
  tape.Us(500).Plugin(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})"
                      "\n");
  tape.Us(10).Host(call(3, "no_such"));
  tape.Us(10).Plugin(R"({"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no such tool"}})"
                     "\n");
  return tape.Exit(0);
}

// Every place that a peer controls holds every attack.
Tape Hostile() {
  const std::string evil = "\x1b[31m\x1b]0;t\x07 \u202e\u2066\u200b \xc2\x9b \x9b \r\x7f\b";
  const std::string in_json = R"(\u001b[2J\u202e\u009b)" + evil;
  Tape tape = Tape::Of({"plugin" + evil, evil, ""});
  tape.Host("{\"id\":\"" + in_json + "\",\"method\":\"m" + in_json + "\"}\n");
  tape.Plugin("{\"id\":\"" + in_json + "\",\"error\":{\"code\":1,\"message\":\"" + in_json +
              "\"}}\n");
  tape.Plugin("junk " + evil + "\n");
  tape.Stderr("log " + evil + "\n");
  tape.Event(trace::NoteEvent{evil});
  return tape.Exit(0);
}

bool HoldsControls(const std::string& text) {
  for (const char c : text) {
    if ((c >= 0 && c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return true;
  }
  for (const char* bad : {"\u202e", "\u2066", "\u200b", "\xc2\x9b"}) {
    if (text.find(bad) != text.npos) return true;
  }
  return !wire::IsUtf8(text);
}

TEST_F(ShowTest, ATimelineOfABitOfEverything) {
  const Ran ran = Show(Mixed());
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  ExpectGolden("ordinary.txt", ran.out);
}

TEST_F(ShowTest, BodiesAndStderrInBetween) {
  ExpectGolden("ordinary-body-stderr.txt", Show(Mixed(), {"--body", "--stderr"}).out);
}

TEST_F(ShowTest, JsonLines) {
  const Ran ran = Show(Mixed(), {"--json", "--body", "--stderr"});
  ExpectGolden("ordinary.jsonl", ran.out);
  for (size_t from = 0; from < ran.out.size();) {
    const size_t end = ran.out.find('\n', from);
    EXPECT_TRUE(wire::IsJson(ran.out.substr(from, end - from)));
    from = end + 1;
  }
}

TEST_F(ShowTest, HostileTextComesOutVisible) {
  ExpectGolden("hostile.txt", Show(Hostile(), {"--body", "--stderr"}).out);
}

TEST_F(ShowTest, NothingHostileInAnyOutput) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--body", "--stderr"}, {"--json", "--body", "--stderr"}}) {
    const Ran ran = Show(Hostile(), options);
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out, "");
    EXPECT_FALSE(HoldsControls(ran.out)) << ran.out;
  }
}

TEST_F(ShowTest, NothingHostileInErrorsAboutArguments) {
  const std::string evil = "\x1b[31m\u202e\xc2\x9b\x9b\n\a";
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"show", evil},
                                                    {"show", "--where", evil},
                                                    {"show", "--no" + evil},
                                                    {evil},
                                                    {"show", "--color", evil},
                                                    {"show", "/", "kind=" + evil},
                                                    {"stats", evil}}) {
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 2);
    EXPECT_FALSE(HoldsControls(ran.err)) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(ShowTest, ColoursOnlyWhenAsked) {
  EXPECT_EQ(Show(Mixed()).out.find('\x1b'), std::string::npos);
  EXPECT_NE(Show(Mixed(), {"--color", "always"}).out.find("\x1b[36mrequest\x1b[0m"),
            std::string::npos);
}

TEST_F(ShowTest, AFilterInWordsAndAsAnOption) {
  const Ran words = Show(Mixed(), {"dir=p2h", "not", "kind=junk"});
  EXPECT_EQ(words.out, Show(Mixed(), {"--where", "dir=p2h not kind=junk"}).out);
  EXPECT_EQ(std::count(words.out.begin(), words.out.end(), '\n'), 3) << words.out;
}

TEST_F(ShowTest, FiltersFindTheirLines) {
  const auto numbers = [&](const std::string& filter) {
    const Ran ran = Show(Mixed(), {"--json", "--where", filter});
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::string found;
    for (size_t at = ran.out.find("\"n\":"); at != ran.out.npos;
         at = ran.out.find("\"n\":", at + 1)) {
      found += ran.out.substr(at + 4, ran.out.find(',', at) - at - 4) + " ";
    }
    return found;
  };
  EXPECT_EQ(numbers("method=init*"), "1 2 3 ");
  EXPECT_EQ(numbers("id=1"), "1 2 ");
  EXPECT_EQ(numbers("id=\"a-2\" kind=error"), "5 ");
  EXPECT_EQ(numbers("latency>100ms"), "4 5 ");
  EXPECT_EQ(numbers("text~\"[1,2]\""), "4 ");
  EXPECT_EQ(numbers("method=b or code=-32601"), "5 6 ");
  EXPECT_EQ(numbers("number>=7 size<40B"), "7 ");
  EXPECT_EQ(numbers("method=nothing"), "");
}

TEST_F(ShowTest, AFilterThatCannotBeReadNamesTheColumn) {
  const Ran ran = Show(Mixed(), {"dir=h2p", "latncy>1s"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("column 9, at latncy>1s (did you mean \"latency\"? expected"),
            std::string::npos)
      << ran.err;
}

TEST_F(ShowTest, LabelsAndFailuresAreThoseOfTheDialect) {
  ExpectGolden("mcp.txt", Show(Mcp()).out);
  ExpectGolden("mcp.jsonl", Show(Mcp(), {"--json"}).out);
}

TEST_F(ShowTest, WithoutADialectThereAreNoLabels) {
  const std::string text = Show(Mcp(), {"--dialect", "none"}).out;
  EXPECT_EQ(text.find("read_file"), text.npos);
  EXPECT_EQ(text.find("** dialect"), text.npos);
  EXPECT_EQ(text.find("failed"), text.npos);
}

TEST_F(ShowTest, AFailureOfSeveralLinesIsShownOnOne) {
  Tape tape = Tape::Of({"p"});
  tape.Host(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})"
            "\n");
  tape.Plugin(R"({"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text",)"
              R"("text":"cannot write:\n\n  the disk is full\n"}]}})"
              "\n");
  const std::string text = Show(tape, {"--dialect", "mcp"}).out;
  EXPECT_NE(text.find("failed: cannot write: the disk is full\n"), text.npos) << text;
}

TEST_F(ShowTest, FailedAreErrorsAndWhatTheDialectCallsFailures) {
  const std::string failed = Show(Mcp(), {"failed"}).out;
  EXPECT_EQ(std::count(failed.begin(), failed.end(), '\n'), 2) << failed;
  EXPECT_NE(failed.find("    6    0.002425 <- response"), failed.npos) << failed;
  EXPECT_NE(failed.find("failed: the disk is full"), failed.npos) << failed;
  EXPECT_NE(failed.find("    9    0.002945 <- error"), failed.npos) << failed;
  const std::string both = Show(Mcp(), {"label=write_* or label~such"}).out;
  EXPECT_EQ(std::count(both.begin(), both.end(), '\n'), 4) << both;
}

TEST_F(ShowTest, AWordOfTheFilterIsNoTrace) {
  std::filesystem::create_directories(Path("midwire"));
  Save("midwire/new.pcapng", Mcp().bytes());
  const Ran ran = Run({"show", "failed"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("the disk is full"), std::string::npos) << ran.out;
}

TEST_F(ShowTest, AnUnknownDialectIsRefused) {
  const Ran ran = Show(Mcp(), {"--dialect", "mpc"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("mcp"), std::string::npos) << ran.err;
}

// A call that is answered late, one that is cancelled, one that hangs, and a reverse call.
Tape Hanging() {
  Tape tape = Tape::Of({"notes"});
  tape.Host(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{)"
            R"("protocolVersion":"2025-06-18","capabilities":{}}})"
            "\n");
  tape.Us(10).Plugin(R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}})"
                     "\n");
  tape.Us(10).Host(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"late"}})"
                   "\n");
  tape.Us(10).Plugin(R"({"jsonrpc":"2.0","id":9,"method":"roots/list"})"
                     "\n");
  tape.Us(10).Host(R"({"jsonrpc":"2.0","id":9,"result":{"roots":[]}})"
                   "\n");
  tape.Us(700'000).Plugin(R"({"jsonrpc":"2.0","id":1,"result":{}})"
                          "\n");
  tape.Host(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"stopped"}})"
            "\n");
  tape.Us(10).Host(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                   R"("params":{"requestId":2}})"
                   "\n");
  tape.Us(10).Host(R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"hangs"}})"
                   "\n");
  return tape.Us(900'000).Exit(0);
}

size_t Lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST_F(ShowTest, ARequestSaysThatItHasNoAnswer) {
  ExpectGolden("hanging.txt", Show(Hanging()).out);
  ExpectGolden("hanging.jsonl", Show(Hanging(), {"--json"}).out);
}

TEST_F(ShowTest, UnansweredFindsWhatHangsAndNotWhatWasCancelled) {
  for (const char* word : {"unanswered", "pending"}) {
    const std::string text = Show(Hanging(), {word}).out;
    EXPECT_EQ(Lines(text), 1u) << text;
    EXPECT_NE(text.find("    9    0.700060 -> request"), text.npos) << text;
  }
  EXPECT_EQ(Lines(Show(Hanging(), {"not unanswered kind=request"}).out), 4u);
}

TEST_F(ShowTest, LatencyFindsBothEndsAndCallsWithoutAnAnswer) {
  const std::string text = Show(Hanging(), {"latency>500ms"}).out;
  EXPECT_EQ(Lines(text), 4u) << text;
  EXPECT_LT(text.find("    3 "), text.find("    6 ")) << text;
  EXPECT_LT(text.find("    7 "), text.find("    9 ")) << text;
  EXPECT_EQ(Lines(Show(Hanging(), {"latency<500ms"}).out), 4u);
}

TEST_F(ShowTest, APairIsOneLine) {
  ExpectGolden("pair.txt", Show(Hanging(), {"--pair"}).out);
  ExpectGolden("pair.jsonl", Show(Hanging(), {"--pair", "--json"}).out);
  // Where either end matches.
  EXPECT_EQ(Lines(Show(Hanging(), {"--pair", "kind=response"}).out), 3u);
}

TEST_F(ShowTest, ACommandThatWasCopiedSaysWhereItLookedForItsFiles) {
  const std::string copy = Path("midwire");
  std::filesystem::copy_file(MidwirePath(), copy);
  const auto err_of = [&](const std::string& arguments) {
    EXPECT_NE(std::system((copy + " " + arguments + " >/dev/null 2>" + Path("err")).c_str()), 0);
    return ReadFile(Path("err"));
  };
  for (const auto& [arguments, file] :
       {std::pair("wireshark", "midwire.lua"), std::pair("cov-flags", "midwire-cov.o")}) {
    const std::string err = err_of(arguments);
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    EXPECT_NE(err.find(std::string("a file of midwire is missing: ") + file + ": looked for " +
                       folder_ + "/" + file + ", "),
              std::string::npos)
        << err;
  }
}

TEST_F(ShowTest, ACommandThatWasCopiedHasTheSample) {
  const std::string copy = Path("midwire");
  std::filesystem::copy_file(MidwirePath(), copy);
  for (const std::string arguments : {"show --sample", "stats --sample", "check --sample"}) {
    EXPECT_EQ(std::system((copy + " " + arguments + " >" + Path("copied")).c_str()), 0);
    std::istringstream words(arguments);
    std::string command, option;
    words >> command >> option;
    EXPECT_EQ(ReadFile(Path("copied")), Run({command, option}).out) << arguments;
  }
}

TEST_F(ShowTest, ATreeIndentsReverseCalls) {
  const std::string text = Show(Hanging(), {"--tree"}).out;
  EXPECT_NE(text.find("    4    0.000030 <- request        roots/list "), text.npos) << text;
  EXPECT_NE(text.find("  perhaps during 3\n"), text.npos) << text;
  EXPECT_NE(text.find("    5    0.000040 -> response       roots/list "), text.npos) << text;
  EXPECT_NE(Show(Hanging(), {"--tree", "--json"}).out.find("\"parent\":3,\"perhaps\":true"),
            std::string::npos);
}

TEST_F(ShowTest, TheLastMessages) {
  const std::string text = Show(Hanging(), {"-n", "2"}).out;
  EXPECT_EQ(Lines(text), 5u) << text;  // the dialect, two messages, two events
  EXPECT_NE(text.find("    8    0.700050"), text.npos) << text;
  EXPECT_NE(text.find("hangs"), text.npos) << text;
  EXPECT_EQ(Lines(Show(Hanging(), {"-n", "1", "kind=response"}).out), 1u);
  EXPECT_EQ(Lines(Show(Hanging(), {"-n", "100"}).out), Lines(Show(Hanging()).out));
}

// A long tape is read without rendering all of it: what is printed is the same.
TEST_F(ShowTest, TheLastMessagesOfALongTape) {
  Tape tape = Tape::Of({"p"});
  for (int i = 1; i <= 12'000; ++i) {
    const std::string id = std::to_string(i);
    if (i == 11'990) tape.Us(5'000'000);
    tape.Us(10).Host("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\"}\n");
    tape.Us(10).Plugin("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}\n");
  }
  tape.Exit(0);
  const auto show = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--dialect", "none"});
    return Show(tape, options).out;
  };
  const std::string all = show({}), last = show({"-n", "3"});
  EXPECT_EQ(Lines(last), 3u + 2u) << last;
  EXPECT_TRUE(all.ends_with(last)) << last;
  const std::string since = show({"--since", "2026-01-02T03:04:10Z"});
  EXPECT_EQ(Lines(since), 22u + 2u) << since;
  EXPECT_TRUE(all.ends_with(since)) << since;
}

TEST_F(ShowTest, TimesOfDay) {
  const std::string text = Show(Hanging(), {"--utc", "number=3"}).out;
  EXPECT_TRUE(text.starts_with("    3 2026-01-02 03:04:05.000020 -> request")) << text;
  setenv("TZ", "XXX-2", 1);
  EXPECT_NE(Show(Hanging(), {"--local", "number=3"}).out.find("05:04:05.000020"), text.npos);
  EXPECT_EQ(Lines(Show(Hanging(), {"--since", "2026-01-02T03:04:05Z", "kind=response"}).out), 3u);
  EXPECT_EQ(Lines(Show(Hanging(), {"--since", "2026-01-02 05:04:06"}).out), 1u + 2u);
  EXPECT_EQ(Lines(Show(Hanging(), {"--since", "1h"}).out), 1u);
  unsetenv("TZ");
}

TEST_F(ShowTest, ATraceWithoutTimesSaysSo) {
  Save("plain.jsonl",
       "{\"midwire\":\"cassette\",\"version\":1}\n"
       "{\"from\":\"host\",\"message\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}}\n");
  const Ran utc = Run({"show", Path("plain.jsonl"), "--utc"});
  EXPECT_EQ(utc.out.find("1970"), std::string::npos) << utc.out;
  EXPECT_NE(utc.err.find("has no dates"), std::string::npos) << utc.err;
  EXPECT_NE(Run({"show", Path("plain.jsonl"), "--since", "1h"}).err.find("has no dates"),
            std::string::npos);
  EXPECT_NE(Run({"show", Path("plain.jsonl"), "latency>1s"}).err.find("has no times"),
            std::string::npos);
}

TEST_F(ShowTest, OptionsThatExcludeEachOtherAreRefused) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--pair", "--body"},
                                                  {"--pair", "-f"},
                                                  {"--utc", "--local"},
                                                  {"--json", "--utc"},
                                                  {"--raw", "--direction", "h2p", "-n", "3"},
                                                  {"-f", "unanswered"},
                                                  {"-n", "0"},
                                                  {"--since", "yesterday"},
                                                  {"--since", "10"},
                                                  {"--since", "2026-02-30"}}) {
    const Ran ran = Show(Mixed(), options);
    EXPECT_EQ(ran.code, 2) << options[0];
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(Lines(ran.err), 1u) << ran.err;
  }
}

// The first lines of a long trace must not wait for the answer of its first call.
TEST_F(ShowTest, AnAnswerThatIsFarAwayDelaysNothing) {
  Tape tape = Tape::Of({"p"}).Host(R"({"id":"long","method":"wait"})"
                                   "\n");
  for (int i = 0; i < 100'000; ++i) tape.Plugin("{\"method\":\"tick\"}\n");
  tape.Plugin(R"({"id":"long","result":1})"
              "\n");
  const std::string text = Show(tape.Exit(0)).out;
  EXPECT_NE(text.find("no answer in the next "), text.npos) << text.substr(0, 1000);
  EXPECT_EQ(Lines(text), 100'005u);
  EXPECT_EQ(Show(tape, {"unanswered"}).out, "");
}

TEST_F(ShowTest, RawIsTheExactBytesOfOneStream) {
  std::string h2p = "\x1b\0\xff{\"id\":1"s, p2h = "Content-Length: 2\r\n\r\n{}";
  for (int i = 0; i < 200'000; ++i) h2p += static_cast<char>(i * 31);
  const Tape tape = Tape::Of({"p"}).Host(h2p).Plugin(p2h).Stderr("\x1b[1mlog").Exit(0);
  EXPECT_EQ(Show(tape, {"--raw", "--direction", "h2p"}).out, h2p);
  EXPECT_EQ(Show(tape, {"--raw", "--direction", "p2h"}).out, p2h);
  EXPECT_EQ(Show(tape, {"--raw", "--direction", "stderr"}).out, "\x1b[1mlog");
}

TEST_F(ShowTest, RawWantsADirectionAndNoFilter) {
  EXPECT_EQ(Show(Mixed(), {"--raw"}).code, 2);
  EXPECT_EQ(Show(Mixed(), {"--raw", "--direction", "sideways"}).code, 2);
  EXPECT_EQ(Show(Mixed(), {"--direction", "h2p"}).code, 2);
  EXPECT_EQ(Show(Mixed(), {"--raw", "--direction", "h2p", "kind=error"}).code, 2);
}

TEST_F(ShowTest, ALongFrameIsOneLine) {
  const std::string call =
      R"({"id":1,"method":"big","params":")" + std::string(3'000'000, 'x') + "\"}\n";
  const Ran ran = Show(Tape::Of({"p"}).Host(call).Exit(0));
  EXPECT_NE(ran.out.find("big"), std::string::npos);
  EXPECT_NE(ran.out.find(std::to_string(call.size())), std::string::npos);
  EXPECT_LT(ran.out.size(), 1000u);
}

TEST_F(ShowTest, DamageIsInTheTimelineAndInTheExitCode) {
  std::string bytes = Tape::Of({"p"}).Host(kCall).Plugin(kAnswer).Exit(0).bytes();
  bytes[bytes.find("tools/call")] ^= 1;
  const Ran ran = Run({"show", Save("damaged.pcapng", bytes)});
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.out.find(" !! damage "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("answers no request"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("damaged bytes"), std::string::npos) << ran.err;
  EXPECT_NE(
      Run({"show", "--json", Path("damaged.pcapng")}).out.find("{\"type\":\"damage\",\"offset\":"),
      std::string::npos);
}

TEST_F(ShowTest, DamageInACassetteHasItsLine) {
  const std::string cassette = Save("t.jsonl",
                                    "{\"midwire\":\"cassette\",\"version\":1}\n"
                                    "{\"from\":\"plugin\",\"message\":{}}\n"
                                    "{\"from\":\n");
  const Ran ran = Run({"show", cassette});
  EXPECT_NE(ran.out.find(" bytes at line 3: a line that is not"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("the first at line 3: "), std::string::npos) << ran.err;
  EXPECT_NE(Run({"show", "--json", cassette}).out.find(",\"line\":3,"), std::string::npos);
}

TEST_F(ShowTest, ATornTailIsQuiet) {
  std::string bytes = Tape::Of({"p"}).Host(kCall).Plugin(kAnswer).bytes();
  bytes.resize(bytes.size() - 5);
  const Ran ran = Run({"show", Save("torn.pcapng", bytes)});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out.find("damage"), std::string::npos);
  EXPECT_NE(ran.err.find("unfinished record"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("cut off"), std::string::npos) << ran.err;
}

TEST_F(ShowTest, ASessionWithoutAnEndWasCutOff) {
  const Ran ran = Show(Tape::Of({"p"}).Host(kCall));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("the session was cut off: there is no end event (midwire was killed, the "
                         "disk was full, or it still records)"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(Show(Tape::Of({"p"}).Host(kCall).Exit(0)).err, "");
}

TEST_F(ShowTest, SeveralSessionsInOneFile) {
  const Tape first = Tape::Of({"first"}).Us(10).Host(kCall).Exit(0);
  const Tape second = Tape::Of({"second"}).Us(20).Plugin(kAnswer).Exit(0);
  const Ran ran = Show(Tape(first).File(second.bytes()));
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("    2    0.000020 <- response"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("answers no request"), std::string::npos) << ran.out;
}

TEST_F(ShowTest, WithoutATraceTheNewestTape) {
  std::filesystem::create_directories(Path("midwire"));
  Save("midwire/old.pcapng", Tape::Of({"old"}).Exit(0).bytes());
  Save("midwire/new.pcapng", Tape::Of({"new"}).Host(kCall).Exit(0).bytes());
  Save("midwire/newer.txt", "no tape");
  const timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  utimensat(AT_FDCWD, Path("midwire/old.pcapng").c_str(), long_ago, 0);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"show"}, {"show", "method=tools/call"}}) {
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("tools/call"), std::string::npos);
    EXPECT_NE(ran.err.find("newest trace: " + Path("midwire/new.pcapng")), std::string::npos);
  }
}

TEST_F(ShowTest, WithoutATraceAndWithoutTapes) {
  const Ran ran = Run({"show"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("midwire record"), std::string::npos) << ran.err;
}

TEST_F(ShowTest, AFileThatIsNoTraceIsRefusedInOneLine) {
  for (const std::string& path :
       {Path("missing"), folder_, Save("text", "hello"), Save("empty", "")}) {
    const Ran ran = Run({"show", path});
    EXPECT_EQ(ran.code, 2) << path;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_NE(ran.err.find(path), std::string::npos) << ran.err;
  }
}

TEST_F(ShowTest, WhatATraceIsPackedInIsNamed) {
  for (const auto& [start, remedy] :
       {std::pair("\x1f\x8b\x08"s, "gzip -d"), std::pair("\xfd\x37zXZ\0"s, "xz -d"),
        std::pair("(\xb5/\xfd"s, "zstd -d"), std::pair("BZh9"s, "bzip2 -d"),
        std::pair("PK\3\4"s, "unzip it"), std::pair("<!DOCTYPE html>"s, "in a browser")}) {
    const Ran ran = Run({"show", Save("packed", start + std::string(300, 'x'))});
    EXPECT_EQ(ran.code, 2) << remedy;
    EXPECT_NE(ran.err.find(remedy), std::string::npos) << ran.err;
  }
}

TEST_F(ShowTest, ASecondTraceIsNotTakenForAFilter) {
  const std::string second = Save("second.pcapng", Mixed().bytes());
  const Ran ran = Show(Mixed(), {second});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("show takes one trace"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(second + " ("), std::string::npos) << ran.err;
}

TEST_F(ShowTest, AFilterThatMatchesNothingIsNoted) {
  const std::string note = "midwire: info: nothing matches the filter: method=none\n";
  EXPECT_EQ(Show(Mixed(), {"method=none"}).err, note);
  EXPECT_EQ(Show(Mixed(), {"--pair", "method=none"}).err, note);
  EXPECT_EQ(Show(Mixed(), {"--json", "method=none"}).err, "");
  EXPECT_EQ(Show(Mixed(), {"method=initialize"}).err, "");
  EXPECT_EQ(Show(Mixed(), {"kind=response"}).err, "");
  EXPECT_EQ(Show(Mixed(), {"latency>0"}).err, "");
  EXPECT_EQ(Show(Mixed(), {"kind=event"}).err, "");
}

TEST_F(ShowTest, ATimeAfterTheSessionIsNoted) {
  const std::string mcp = SourceFolder() + "/corpora/mcp/sessions/golden.pcapng";
  EXPECT_EQ(Run({"show", mcp, "--since", "2126-01-01"}).err,
            "midwire: info: nothing came since then: --since 2126-01-01\n");
  EXPECT_EQ(Run({"show", mcp, "--since", "2026-01-01"}).err, "");
}

TEST_F(ShowTest, AFullDiskIsOneLineAndAnExitCode) {
  Save("tape.pcapng", Mixed().bytes());
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"show", Path("tape.pcapng")},
        {"show", Path("tape.pcapng"), "--raw", "--direction", "h2p"},
        {"stats", Path("tape.pcapng")}}) {
    const Ran ran = Run(arguments, "/dev/full");
    EXPECT_EQ(ran.code, 3);
    EXPECT_NE(ran.err.find("cannot write to standard output: No space left"), std::string::npos);
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

// Also where SIGPIPE is ignored, as under Python's subprocess.
TEST_F(ShowTest, AReaderThatGoesAwayIsNoError) {
  Tape tape = Tape::Of({"p"});
  for (int i = 0; i < 20'000; ++i) tape.Host(kCall);
  Save("tape.pcapng", tape.Exit(0).bytes());
  const std::string command = "'" + MidwirePath() + "' show '" + Path("tape.pcapng") + "' 2>'" +
                              Path("err") + "' | head -n1";
  for (const std::string& shell : {command, "trap '' PIPE; " + command}) {
    FILE* pipe = popen(shell.c_str(), "r");
    char line[4096];
    EXPECT_NE(fgets(line, sizeof line, pipe), nullptr);
    EXPECT_EQ(pclose(pipe), 0);
    EXPECT_EQ(ReadFile(Path("err")), "");
  }
}

TEST_F(ShowTest, HelpHasExamples) {
  for (const char* command : {"show", "stats", "completion"}) {
    const Ran ran = Run({command, "--help"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("  midwire " + std::string(command)), std::string::npos) << ran.out;
  }
}

TEST_F(ShowTest, ADeepBodyIsIndentedOnlySoFar) {
  const std::string deep = "{\"method\":\"m\",\"params\":" + std::string(200'000, '[') +
                           std::string(200'000, ']') + "}\n";
  const Ran ran = Show(Tape::Of({"p"}).Host(deep), {"--body"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_LT(ran.out.size(), 2 * deep.size());
  EXPECT_GT(ran.out.size(), deep.size());
}

TEST_F(ShowTest, AHugeBodyIsPrintedAsItStands) {
  std::string huge = "{\"method\":\"m\",\"params\":[";
  while (huge.size() < (8u << 20)) huge += "1,";
  huge += "1]}\n";
  const Ran ran = Show(Tape::Of({"p"}).Host(huge), {"--body"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("        " + huge), std::string::npos);
}

TEST_F(ShowTest, OutOfMemoryIsOneLine) {
  if (IsSanitized()) GTEST_SKIP() << "sanitizers reserve terabytes of addresses";
  const std::string line = R"({"from":"host","message":{"method":"m","params":")" +
                           std::string(7'000'000, 'x') + "\"}}\n";
  const std::string in = Save("a.jsonl", R"({"midwire":"cassette","version":1})"
                                         "\n" +
                                             line);
  const std::string command = "ulimit -v 30000; exec '" + MidwirePath() + "' show --body --json " +
                              in + " >/dev/null 2>" + Path("err");
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << status;
  EXPECT_EQ(ReadFile(Path("err")), "midwire: error: out of memory\n");
}

TEST_F(ShowTest, HelpOntoAFullDiskIsAnError) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  for (const char* argument : {"--help", "--version"}) {
    const Ran ran = Run({argument}, "/dev/full");
    EXPECT_EQ(ran.code, 3) << argument;
    EXPECT_NE(ran.err.find("No space left"), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(ShowTest, RequestsThatThePluginNeverRead) {
  Tape tape = Tape::Of({"p"});
  tape.Host(kCall).Plugin(kAnswer).Host(kCall).Us(5);
  tape.Event(trace::ClosedEvent{"host-to-plugin", static_cast<int64_t>(sizeof kCall - 1)}).Exit(1);
  const Ran ran = Show(tape);
  EXPECT_NE(ran.out.find("never read, unanswered"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("unread: message 3 was never read"), std::string::npos) << ran.out;
  EXPECT_NE(Show(tape, {"--json", "number=3"}).out.find("\"never_read\":true"), std::string::npos);
  EXPECT_EQ(Show(tape, {"--json", "number=1"}).out.find("never_read"), std::string::npos);
}

TEST_F(ShowTest, AReaderThatStops) {
  Tape tape = Tape::Of({"p"});
  tape.Event(trace::StalledEvent{"host-to-plugin", 3000, 65536});
  const Ran ran = Show(tape.Event(trace::ResumedEvent{"host-to-plugin", 7200}).Exit(0));
  EXPECT_NE(ran.out.find("plugin has not read stdin for 3 s, 65536 bytes waiting"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("plugin reads stdin again, after 7.2 s"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace midwire::tools
