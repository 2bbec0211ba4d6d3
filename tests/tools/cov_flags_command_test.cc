// midwire cov-flags, and midwire fuzz with plugins that report their edges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/tools/ill.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What a plugin does with each line before it answers. Four bytes in a row, each of which only
// shows by its edge: no answer differs.
constexpr char kMagic[] = R"cc(
  static void Look(const char* line) {
    const char* word = strstr(line, "\"path\":\"");
    if (word != NULL) {
      word += 8;
      if (word[0] == 'M')
        if (word[1] == 'a')
          if (word[2] == 'g')
            if (word[3] == '!') abort();
    }
  }
)cc";

// A 32-bit number that no input has: neither chance nor feedback alone finds it in so few runs.
constexpr char kNumber[] = R"cc(
  static void Look(const char* line) {
    const char* number = strstr(line, "\"at\":");
    if (number != NULL && (unsigned)atol(number + 5) == 0x5EED1234u) abort();
  }
)cc";

// It answers everything that has an id, with the id as it is spelt.
constexpr char kIncludes[] = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
constexpr char kAnswers[] = R"cc(
  static char line[200000];
  int main() {
    while (fgets(line, sizeof line, stdin) != NULL) {
      Look(line);
      const char* id = strstr(line, "\"id\":");
      if (id == NULL || strstr(line, "\"method\":") == NULL) continue;
      id += 5;
      const int size = id[0] == '"' ? 2 + (int)strcspn(id + 1, "\"") : (int)strcspn(id, ",}");
      printf("{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{}}\n", size, id);
      fflush(stdout);
    }
    return 0;
  }
)cc";

class CovFlagsCommandTest : public IllTest {
 protected:
  void SetUp() override {
    IllTest::SetUp();
    if (MidwirePath().find(' ') != std::string::npos)
      GTEST_SKIP() << "the flags are words for a shell, which splits a path with a blank";
  }
  static bool Has(const std::string& program) {
    return system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
  }
  // The plugin, built by this compiler with these flags.
  std::string Built(const std::string& compiler, const std::string& flags,
                    const char* look = kMagic) const {
    const std::string source = Save("magic.c", std::string(kIncludes) + look + kAnswers);
    const std::string command = compiler + " -O1 -x c " + source + " -x none " + flags + " -o " +
                                Path("magic") + " > " + Path("built") + " 2>&1";
    EXPECT_EQ(system(command.c_str()), 0) << ReadFile(Path("built"));
    return Path("magic");
  }
  // A few runs: what it prints about its feedback, and how many features it saw.
  Ran FuzzMagic(const std::string& plugin) const {
    return Run({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--seed", "1", "--max-runs", "300",
                "--timeout", "10ms", "--oracle", "signal", "--", plugin});
  }
  static int Features(const Ran& ran) {
    const size_t end = ran.out.find(" features");
    if (end == std::string::npos) {
      ADD_FAILURE() << "no number of features: " << ran.out;
      return -1;
    }
    return atoi(ran.out.c_str() + ran.out.rfind(' ', end - 1) + 1);
  }
};

TEST_F(CovFlagsCommandTest, PrintsALineForACompiler) {
  const Ran ran = Run({"cov-flags"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("-fsanitize-coverage=trace-pc-guard,trace-cmp /"));
  EXPECT_THAT(ran.out, HasSubstr("midwire-cov.o\n"));
}

TEST_F(CovFlagsCommandTest, EdgesAndComparesAreFeatures) {
  if (!Has("clang")) GTEST_SKIP() << "no clang";
  const Ran plain = FuzzMagic(Built("clang", ""));
  EXPECT_THAT(plain.err, HasSubstr("feedback: responses"));
  std::filesystem::remove_all(Path("fuzz"));
  std::string flags = Run({"cov-flags"}).out;
  flags.pop_back();
  const Ran ran = FuzzMagic(Built("clang", flags));
  EXPECT_THAT(ran.err, HasSubstr("feedback: edges and compares"));
  EXPECT_GT(Features(ran), Features(plain)) << ran.out << plain.out;
}

TEST_F(CovFlagsCommandTest, ANumberOf32BitsIsFoundInAFewRuns) {
  if (!Has("clang")) GTEST_SKIP() << "no clang";
  std::string flags = Run({"cov-flags"}).out;
  flags.pop_back();
  const Ran ran =
      Run({"fuzz", "--from", Session(), "-o", Path("fuzz"), "--seed", "1", "--max-runs", "2000",
           "--oracle", "signal", "--stop-on-finding", "--", Built("clang", flags, kNumber)});
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("signal"));
}

TEST_F(CovFlagsCommandTest, WithoutAFuzzerThePluginRunsAsUsual) {
  if (!Has("clang")) GTEST_SKIP() << "no clang";
  std::string flags = Run({"cov-flags"}).out;
  flags.pop_back();
  const std::string plugin = Built("clang", flags);
  const std::string command =
      "echo '{\"id\":7,\"method\":\"x\"}' | " + plugin + " > " + Path("heard");
  EXPECT_EQ(system(command.c_str()), 0);
  EXPECT_EQ(ReadFile(Path("heard")), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n");
  // Also where the variable names a file that does not exist.
  EXPECT_EQ(system(("MIDWIRE_COVERAGE_SHM=999999999 sh -c \"" + plugin + " < /dev/null\"").c_str()),
            0);
}

TEST_F(CovFlagsCommandTest, APluginBuiltForAflReportsItsEdges) {
  if (!Has("afl-clang-fast")) GTEST_SKIP() << "no afl-clang-fast";
  const Ran ran = FuzzMagic(Built("afl-clang-fast", ""));
  EXPECT_THAT(ran.err, HasSubstr("feedback: AFL edges"));
}

TEST_F(CovFlagsCommandTest, NoSegmentIsLeftBehind) {
  // The segments of other fuzzers that run at the same time are in use.
  const auto left = [] {
    size_t count = 0;
    for (const std::string& line : Lines(ReadFile("/proc/sysvipc/shm"))) {
      std::istringstream columns(line);
      std::string key, id, mode, size, creator, last, attached;
      columns >> key >> id >> mode >> size >> creator >> last >> attached;
      if (attached == "0") ++count;
    }
    return count;
  };
  const size_t before = left();
  EXPECT_EQ(Fuzz({"--max-runs", "20", "--oracle", "signal"}, "calm").code, 0);
  EXPECT_LE(left(), before);
}

}  // namespace
}  // namespace midwire::tools
