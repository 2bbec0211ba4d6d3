// --before of midwire fuzz, of reduce, and of replays of findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/ill.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class FuzzBeforeCommandTest : public IllTest {
 protected:
  // A command that counts its runs.
  std::string Counting() const { return "echo >> " + Path("runs"); }
  size_t Runs() const { return Lines(ReadIfThere(Path("runs"))).size(); }

  // Crashes if it finds what a process before it left.
  std::vector<std::string> Tidy() const {
    return {"/bin/sh", "-c", "test -e \"$0\" && kill -SEGV $$; touch \"$0\"; exec \"$1\" calm",
            Path("state"), Peer()};
  }
  Ran FuzzTidy(const std::vector<std::string>& options) const {
    std::vector<std::string> words = {"fuzz",       "--from",    Session(), "-o",
                                      Path("fuzz"), "--seed",    "3",       "--fresh",
                                      "10",         "--timeout", "5s"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("--");
    for (const std::string& word : Tidy()) words.push_back(word);
    return Run(words);
  }
};

TEST_F(FuzzBeforeCommandTest, RunsBeforeEachStartOfThePlugin) {
  const Ran ran = Fuzz(
      {"--max-runs", "200", "--fresh", "20", "--timeout", "5s", "--json", "--before", Counting()},
      "calm");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_GE(Runs(), 5u);
  EXPECT_THAT(Lines(ran.out).back(), HasSubstr("\"starts\":" + std::to_string(Runs()) + ","));
}

TEST_F(FuzzBeforeCommandTest, APluginThatFindsWhatAProcessLeftNeedsIt) {
  EXPECT_NE(FuzzTidy({"--max-runs", "50", "--stop-on-finding"}).code, 0);
  const Ran ran = FuzzTidy({"--max-runs", "50", "--before", "rm -f " + Path("state")});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

TEST_F(FuzzBeforeCommandTest, ThatFailsAtOnceStartsNothing) {
  const Ran ran = Fuzz({"--max-runs", "50", "--before", "echo no such thing >&2; exit 3"}, "calm");
  EXPECT_EQ(ran.code, 2) << ran.out;
  const std::vector<std::string> lines = Lines(ran.err);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines[0], StartsWith("midwire: info: seed 3"));
  EXPECT_EQ(lines[1],
            "midwire: error: --before: the command failed (exit 3): echo no such thing >&2; exit 3 "
            "(no such thing)");
}

TEST_F(FuzzBeforeCommandTest, ThatFailsLaterEndsTheJob) {
  const std::string third = Counting() + "; test $(wc -l < " + Path("runs") + ") -lt 3";
  const Ran ran = Fuzz({"--max-runs", "200", "--fresh", "10", "--before", third}, "calm");
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("--before: the command failed (exit 1)"));
  EXPECT_EQ(Runs(), 3u);
}

TEST_F(FuzzBeforeCommandTest, RunsBeforeEachPlayOfAFindingAndOfAReduction) {
  ASSERT_EQ(Fuzz({"--stop-on-finding", "--timeout", "1s"}, "crash").code, 1);
  const std::string finding = Findings().at(0);
  Ran ran = Command({"replay", finding, "--before", Counting(), "--", Peer(), "crash"});
  EXPECT_THAT(ran.out, StartsWith("still occurs: ")) << ran.err;
  EXPECT_GE(Runs(), 1u);
  const size_t runs = Runs();
  ran = Command({"reduce", finding, "-o", Path("small.jsonl"), "--before", Counting(), "--", Peer(),
                 "crash"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_GT(Runs(), runs + 3);
}

TEST_F(FuzzBeforeCommandTest, AReplayOfAFindingWhoseCommandFailsPlaysNothing) {
  ASSERT_EQ(Fuzz({"--stop-on-finding", "--timeout", "1s"}, "crash").code, 1);
  const Ran ran =
      Command({"replay", Findings().at(0), "--before", "exit 3", "--", Peer(), "crash"});
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("--before: the command failed (exit 3): exit 3"));
}

}  // namespace
}  // namespace midwire::tools
