// midwire bundle: what is in the archive, and what is not.
#include <gmock/gmock.h>
#include <minizip/unzip.h>
#include <sys/stat.h>

#include <map>

#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr char kGithubToken[] = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

class BundleTest : public CommandTest {
 protected:
  const std::string tape_ =
      Save("session.pcapng",
           Tape::Of({"python3", "/opt/notes-plugin.py"})
               .Host("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"login\",\"params\":{\"token\":\"" +
                     std::string(kGithubToken) + "\"}}\n")
               .Us(50)
               .Plugin("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n")
               .Plugin("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n")
               .Exit(0)
               .bytes());

  // The files of an archive, by name.
  static std::map<std::string, std::string> Unpacked(const std::string& path) {
    std::map<std::string, std::string> files;
    const unzFile archive = unzOpen64(path.c_str());
    EXPECT_NE(archive, nullptr) << path;
    if (archive == nullptr) return files;
    for (int next = unzGoToFirstFile(archive); next == UNZ_OK; next = unzGoToNextFile(archive)) {
      char name[100];
      unz_file_info64 info;
      EXPECT_EQ(unzGetCurrentFileInfo64(archive, &info, name, sizeof name, nullptr, 0, nullptr, 0),
                UNZ_OK);
      std::string bytes(info.uncompressed_size, '\0');
      EXPECT_EQ(unzOpenCurrentFile(archive), UNZ_OK);
      EXPECT_EQ(unzReadCurrentFile(archive, bytes.data(), static_cast<unsigned>(bytes.size())),
                static_cast<int>(bytes.size()));
      EXPECT_EQ(unzCloseCurrentFile(archive), UNZ_OK);  // compares the CRC
      files[name] = bytes;
    }
    unzClose(archive);
    return files;
  }
};

TEST_F(BundleTest, HasWhatAReportNeedsAndNoSecret) {
  const Ran ran = Run({"bundle", tape_, "-o", Path("bug.zip"), "--dialect", "json-rpc-2.0"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto files = Unpacked(Path("bug.zip"));
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files) {
    names.push_back(name);
    EXPECT_THAT(bytes, Not(HasSubstr(kGithubToken))) << name;
  }
  EXPECT_THAT(names, ElementsAre("README.md", "check.txt", "redacted.txt", "report.html",
                                 "session.jsonl", "session.pcapng", "versions.txt"));
  EXPECT_THAT(files.at("README.md"), HasSubstr("midwire replay session.jsonl -- PLUGIN"));
  EXPECT_THAT(files.at("check.txt"), HasSubstr("broken: 1 must"));
  EXPECT_THAT(files.at("versions.txt"), HasSubstr("python3 /opt/notes-plugin.py"));
  EXPECT_THAT(files.at("versions.txt"), HasSubstr("Linux"));
  EXPECT_THAT(files.at("report.html"), HasSubstr("<!DOCTYPE html>"));
  EXPECT_THAT(files.at("redacted.txt"), HasSubstr("message 1 /params/token"));
}

TEST_F(BundleTest, ItsTraceCanBeShownAndReplayed) {
  ASSERT_EQ(Run({"bundle", tape_, "-o", Path("bug.zip")}).code, 0);
  const auto files = Unpacked(Path("bug.zip"));
  EXPECT_THAT(Run({"show", Save("got.pcapng", files.at("session.pcapng"))}).out,
              HasSubstr("login"));
  EXPECT_EQ(Run({"diff", Path("got.pcapng"), Save("got.jsonl", files.at("session.jsonl"))}).code,
            0);
}

TEST_F(BundleTest, WhatIsReplacedIsPrintedFirst) {
  const Ran ran = Run({"bundle", tape_, "-o", Path("bug.zip")});
  EXPECT_THAT(ran.out, HasSubstr("secret  message 1 /params/token: "));
  EXPECT_THAT(ran.out, HasSubstr("1 secret in 1 place"));
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr(kGithubToken)));
}

TEST_F(BundleTest, SaysOnceWhichDialectWasDetected) {
  const std::string golden = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  const Ran ran = Run({"bundle", golden, "-o", Path("bug.zip")});
  const std::string what = "dialect mcp, revision 2025-06-18, detected (certain: ";
  const size_t at = ran.err.find(what);
  ASSERT_NE(at, ran.err.npos) << ran.err;
  EXPECT_EQ(ran.err.find(what, at + 1), ran.err.npos);
  EXPECT_THAT(Unpacked(Path("bug.zip")).at("versions.txt"), HasSubstr("protocol      " + what));
}

TEST_F(BundleTest, AnAuditWritesNothing) {
  const Ran ran = Run({"bundle", tape_, "--audit"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("message 1 /params/token"));
  EXPECT_THAT(ran.out,
              HasSubstr("\nnote    session.pcapng names the working folder /; session.jsonl "));
  EXPECT_EQ(Run({"bundle", tape_, "--audit", "-o", Path("bug.zip")}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(Path("bug.zip")));
}

TEST_F(BundleTest, EqualTracesGiveEqualArchives) {
  const std::string plain = Save("plain.pcapng", Tape::Of({"p"}).Host("{}\n").Exit(0).bytes());
  ASSERT_EQ(Run({"bundle", plain, "-o", Path("a.zip")}).code, 0);
  ASSERT_EQ(Run({"bundle", plain, "-o", Path("b.zip")}).code, 0);
  EXPECT_EQ(ReadFile(Path("a.zip")), ReadFile(Path("b.zip")));
}

TEST_F(BundleTest, AnExistingFileIsReplacedOnlyByForceAndATraceNever) {
  const std::string out = Save("out.zip", "old");
  EXPECT_EQ(Run({"bundle", tape_, "-o", out}).code, 2);
  EXPECT_EQ(ReadFile(out), "old");
  EXPECT_EQ(Run({"bundle", tape_, "-o", out, "--force"}).code, 0);
  EXPECT_THAT(ReadFile(out), testing::StartsWith("PK"));
  const std::string before = ReadFile(tape_);
  EXPECT_EQ(Run({"bundle", tape_, "-o", tape_, "--force"}).code, 2);
  EXPECT_EQ(ReadFile(tape_), before);
}

TEST_F(BundleTest, OnlyItsOwnerReadsIt) {
  ASSERT_EQ(Run({"bundle", tape_, "-o", Path("bug.zip")}).code, 0);
  ASSERT_EQ(Run({"bundle", tape_, "-o", Path("forced.zip"), "--force"}).code, 0);
  for (const char* const name : {"bug.zip", "forced.zip"}) {
    struct stat file;
    ASSERT_EQ(stat(Path(name).c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777, 0600u) << name;
  }
}

TEST_F(BundleTest, DamageIsStatedAndExits3) {
  std::string bytes = ReadFile(tape_);
  bytes[bytes.find("\"result\":1") + 9] = '2';  // its CRC32 no longer matches
  const Ran ran = Run({"bundle", Save("damaged.pcapng", bytes), "-o", Path("bug.zip")});
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_TRUE(std::filesystem::exists(Path("bug.zip")));
}

TEST_F(BundleTest, MistakesAreNamed) {
  EXPECT_THAT(Run({"bundle", tape_}).err, HasSubstr("-o bug.zip"));
  EXPECT_THAT(Run({"bundle", "-", "-o", Path("b.zip")}).err, HasSubstr("save the trace"));
  EXPECT_THAT(Run({"bundle", Path("none"), "-o", Path("b.zip")}).err, HasSubstr("none"));
}

}  // namespace
}  // namespace midwire::tools
