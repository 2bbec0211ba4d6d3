#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/paths.h"
#include "tests/tools/command.h"
#include "tests/trace/script.h"

namespace midwire::tools {
namespace {

using trace::SmallSession;

class ConvertTest : public CommandTest {
 protected:
  std::string tape = trace::Tape(SmallSession());
  // The tape with one bit of the payload of its third record flipped, and its end torn.
  std::string Damaged() const {
    std::string bytes = tape;
    bytes[bytes.find("\"id\":1,\"method\"") + 5] ^= 1;
    return bytes + std::string("\6\0\0\0\x40\0\0\0torn", 12);
  }
};

TEST_F(ConvertTest, ToACassetteAndBackToTheSameTape) {
  std::string in = Save("a.pcapng", tape);
  Ran ran = Run({"convert", in, Path("b.jsonl"), "--times"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out + ran.err, "");
  EXPECT_EQ(Run({"convert", Path("b.jsonl"), Path("c.pcapng")}).code, 0);
  EXPECT_EQ(ReadFile(Path("c.pcapng")), tape);
}

TEST_F(ConvertTest, ToStandardOutput) {
  Ran ran = Run({"convert", Save("a.pcapng", tape), "-", "--to", "cassette"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, trace::ToCassette(tape));
}

TEST_F(ConvertTest, TheOutputMayBeAnOptionAsElsewhere) {
  const std::string in = Save("a.pcapng", tape);
  EXPECT_EQ(Run({"convert", in, "-o", Path("b.jsonl")}).code, 0);
  EXPECT_EQ(Run({"recover", in, "--output", Path("c.pcapng")}).code, 0);
  EXPECT_EQ(Run({"redact", in, "-o", Path("d.pcapng")}).code, 0);
  EXPECT_EQ(ReadFile(Path("b.jsonl")), trace::ToCassette(tape));
  EXPECT_EQ(Run({"convert", in, Path("e.jsonl"), "-o", Path("f.jsonl")}).code, 2);
  const Ran neither = Run({"convert", in});
  EXPECT_EQ(neither.code, 2);
  EXPECT_NE(neither.err.find("missing OUT"), std::string::npos) << neither.err;
}

TEST_F(ConvertTest, ACassetteOfALaterVersionLeavesNoOutput) {
  const std::string in = Save("a.jsonl", "{\"midwire\":\"cassette\",\"version\":9}\n");
  for (const std::string command : {"convert", "recover", "redact"}) {
    const Ran ran = Run({command, in, Path("b.jsonl")});
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_NE(ran.err.find("version 9"), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(Path("b.jsonl"))) << command;
  }
}

TEST_F(ConvertTest, NeverOverwrites) {
  std::string in = Save("a.pcapng", tape), out = Save("b.jsonl", "precious");
  Ran ran = Run({"convert", in, out});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("exists already"), ran.err.npos) << ran.err;
  EXPECT_EQ(ReadFile(out), "precious");
  EXPECT_EQ(Run({"recover", in, in}).code, 2);
  EXPECT_EQ(ReadFile(in), tape);
}

TEST_F(ConvertTest, BadInputIsOneLineAndLeavesNoOutput) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"convert", Path("missing"), Path("o.jsonl")},
                                             {"convert", folder_, Path("o.jsonl")},
                                             {"convert", Save("text", "hello\n"), Path("o.jsonl")},
                                             {"convert", Save("a.pcapng", tape), Path("o")},
                                             {"recover", Save("empty", ""), Path("o.jsonl")}}) {
    Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(Path("o.jsonl")) || std::filesystem::exists(Path("o")));
  }
}

TEST_F(ConvertTest, ADamagedTapeIsConvertedAndReported) {
  Ran ran = Run({"convert", Save("a.pcapng", Damaged()), Path("b.jsonl")});
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("CRC32"), ran.err.npos) << ran.err;
  EXPECT_NE(ReadFile(Path("b.jsonl")).find("\"event\":\"gap\""), std::string::npos);
}

TEST_F(ConvertTest, ATornTapeIsFine) {
  Ran ran = Run({"convert", Save("a.pcapng", tape.substr(0, tape.size() - 5)), Path("b.jsonl")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("unfinished record"), ran.err.npos) << ran.err;
}

TEST_F(ConvertTest, AFullDiskIsAnError) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  Ran ran = Run({"convert", Save("a.pcapng", tape), "-", "--to", "tape"}, "/dev/full");
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_NE(ran.err.find("No space left"), ran.err.npos) << ran.err;
}

TEST_F(ConvertTest, RecoverCountsTheLostBytes) {
  std::string in = Save("a.pcapng", Damaged());
  Ran ran = Run({"recover", in, Path("b.pcapng")});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out.find("7 records written, lost "), 0u) << ran.out;
  EXPECT_NE(ran.out.find("12 bytes of an unfinished record"), ran.out.npos) << ran.out;
  EXPECT_EQ(ReadFile(in), Damaged());
  Ran again = Run({"recover", Path("b.pcapng"), Path("c.pcapng")});
  EXPECT_EQ(again.code, 0) << again.out;
  EXPECT_EQ(again.out, "8 records written, nothing was lost\n");
}

TEST_F(ConvertTest, RecoverOfATornTapeCountsTheBytesAndIsALoss) {
  Ran ran = Run({"recover", Save("a.pcapng", tape.substr(0, tape.size() - 5)), Path("b.pcapng")});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.out.find("7 records written, left out "), 0u) << ran.out;
}

TEST_F(ConvertTest, RecoverOfAWholeTapeIsTheTape) {
  EXPECT_EQ(Run({"recover", Save("a.pcapng", tape), Path("b.pcapng")}).code, 0);
  EXPECT_EQ(ReadFile(Path("b.pcapng")), tape);
  Ran ran = Run({"recover", Path("a.pcapng"), "-", "--to", "tape"});
  EXPECT_EQ(ran.out, tape);
  EXPECT_EQ(ran.err, "8 records written, nothing was lost\n");
}

TEST_F(ConvertTest, AReportThatCannotBeWrittenIsAnError) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const Ran ran = Run({"recover", Save("a.pcapng", tape), Path("b.pcapng")}, "/dev/full");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("No space left"), ran.err.npos) << ran.err;
  EXPECT_EQ(ReadFile(Path("b.pcapng")), tape);
}

TEST_F(ConvertTest, WithStandardDescriptorsClosedTheOutputIsWhole) {
  const std::string in = Save("a.pcapng", tape);
  for (const std::string closed : {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"}) {
    const std::string out = Path("b.pcapng");
    const std::string line = "'" + MidwirePath() + "' recover " + in + " " + out;
    (void)std::system((line + " 2>/dev/null >/dev/null " + closed).c_str());
    EXPECT_EQ(ReadFile(out), tape) << closed;
    std::filesystem::remove(out);
  }
}

TEST_F(ConvertTest, InterruptedItLeavesNothingUnderTheName) {
  ASSERT_EQ(mkfifo(Path("in").c_str(), 0600), 0);
  const pid_t pid = Start({"convert", Path("in"), Path("b.jsonl")});
  {
    std::ofstream in(Path("in"), std::ios::binary);
    // More than the pipe holds, so that the output has been started once it is written.
    for (int i = 0; i < 300; ++i) in << (i == 0 ? tape : std::string(4096, '\0'));
    in.flush();
    EXPECT_FALSE(std::filesystem::exists(Path("b.jsonl")));
    kill(pid, SIGTERM);
    EXPECT_EQ(Wait(pid).code, 128 + SIGTERM);
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_NE(entry.path().extension(), ".jsonl") << entry.path();
  }
}

}  // namespace
}  // namespace midwire::tools
