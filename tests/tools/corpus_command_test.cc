#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/paths.h"
#include "tests/tools/command.h"
#include "tests/tools/tape.h"

namespace midwire::tools {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr char kAsk[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"buy\"}\n";

class CorpusCommandTest : public CommandTest {
 protected:
  std::string Till(const std::string& name, const std::string& result) const {
    return Save(name, Tape::Of({"till"})
                          .Host(kAsk)
                          .Us(5)
                          .Plugin("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}\n")
                          .Exit(0)
                          .bytes());
  }
  // What is below a folder: paths, one a line.
  std::string Tree(const std::string& name) const {
    std::vector<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(Path(name))) {
      if (entry.is_regular_file()) paths.push_back(fs::relative(entry.path(), Path(name)));
    }
    std::sort(paths.begin(), paths.end());
    std::string all;
    for (const std::string& path : paths) all += path + "\n";
    return all;
  }
};

TEST_F(CorpusCommandTest, SeedsMessagesAndADictionary) {
  const Ran ran = Run({"corpus", Till("a.pcapng", "\"sold\""), "-o", Path("made/here"), "--dict",
                       Path("made/fuzz.dict")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 seed, 2 messages, a dictionary of "));
  EXPECT_EQ(Tree("made"),
            "fuzz.dict\nhere/messages/host.buy.request.json\nhere/messages/plugin.buy.result.json\n"
            "here/seeds/a.wire\n");
  EXPECT_EQ(ReadFile(Path("made/here/seeds/a.wire")), kAsk);
  EXPECT_THAT(ReadFile(Path("made/fuzz.dict")), HasSubstr("\n\"\\\"sold\\\"\"\n"));
}

TEST_F(CorpusCommandTest, TheSameAgainWritesNothing) {
  const std::string tape = Till("a.pcapng", "1");
  ASSERT_EQ(Run({"corpus", tape, "-o", Path("made")}).code, 0);
  const std::string before = Tree("made");
  const Ran again = Run({"corpus", tape, "-o", Path("made")});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("of the files existed already"));
  EXPECT_EQ(Tree("made"), before);
}

TEST_F(CorpusCommandTest, AForeignFileStaysAndNothingIsWritten) {
  fs::create_directories(Path("made/messages"));
  const std::string mine = Save("made/messages/plugin.buy.result.json", "mine");
  const Ran ran = Run({"corpus", Till("a.pcapng", "1"), "-o", Path("made")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("another file is in the way"));
  EXPECT_EQ(Tree("made"), "messages/plugin.buy.result.json\n");
  EXPECT_EQ(ReadFile(mine), "mine");
}

TEST_F(CorpusCommandTest, ALinkThatLeadsNowhereIsAForeignFile) {
  fs::create_symlink(Path("elsewhere"), Path("words"));
  const Ran ran =
      Run({"corpus", Till("a.pcapng", "1"), "-o", Path("made"), "--dict", Path("words")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_FALSE(fs::exists(Path("elsewhere")));
  EXPECT_FALSE(fs::exists(Path("made")));
}

TEST_F(CorpusCommandTest, ThePluginsRoleOfSeveralTraces) {
  const Ran ran = Run({"corpus", Till("a.pcapng", "1"), Till("b.pcapng", "22"), "-o", Path("made"),
                       "--role", "plugin"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ReadFile(Path("made/seeds/a.wire")), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n");
  EXPECT_EQ(ReadFile(Path("made/seeds/b.wire")), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":22}\n");
}

TEST_F(CorpusCommandTest, WordsOfADialectThatIsNamed) {
  const std::string dialect = Save("d.json", R"({"dialect":"d","methods":{
      "sell":{"from":"host","kind":"request"}}})");
  const Ran ran = Run({"corpus", Till("a.pcapng", "1"), "-o", Path("made"), "--dict", Path("words"),
                       "--dialect", dialect});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ReadFile(Path("words")), HasSubstr("sell"));
}

TEST_F(CorpusCommandTest, WordsOfTheDetectedDialect) {
  const std::string golden = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  const Ran ran = Run({"corpus", golden, "-o", Path("made"), "--dict", Path("words")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("dialect mcp, detected (certain: "));
  EXPECT_THAT(ReadFile(Path("words")), HasSubstr("notifications/cancelled"));
}

TEST_F(CorpusCommandTest, MistakesLeaveNothingBehind) {
  const std::string tape = Till("a.pcapng", "1");
  EXPECT_EQ(Run({"corpus", Path("missing"), "-o", Path("made")}).code, 2);
  EXPECT_EQ(Run({"corpus", tape, "-o", Path("made"), "--role", "server"}).code, 2);
  EXPECT_EQ(Run({"corpus", tape, "-o", Path("made"), "--dialect", "mcp"}).code, 2);
  EXPECT_EQ(Run({"corpus", tape, "-o", Path("made"), "--dict", Path("w"), "--dialect", "no"}).code,
            2);
  EXPECT_EQ(
      Run({"corpus", Save("empty.pcapng", Tape::Of({"x"}).Exit(0).bytes()), "-o", Path("made")})
          .code,
      2);
  EXPECT_FALSE(fs::exists(Path("made")));
}

TEST_F(CorpusCommandTest, AFileWhereAFolderIsToBeIsInTheWay) {
  fs::create_directory(Path("made"));
  Save("made/seeds", "a file where a folder is to be");
  for (const char* folder : {"made", "made/seeds", "made/seeds/below"}) {
    const Ran ran = Run({"corpus", Till("a.pcapng", "1"), "-o", Path(folder)});
    EXPECT_EQ(ran.code, 2) << folder;
    EXPECT_EQ(ran.out, "") << "no summary";
    EXPECT_THAT(ran.err, HasSubstr("in the way, nothing was written: " + Path("made/seeds")));
    EXPECT_EQ(Tree("made"), "seeds\n");
  }
}

TEST_F(CorpusCommandTest, AFolderThatCannotBeMadeIsNamedWithoutAFileInIt) {
  const std::string folder = Path(std::string(300, 'a'));
  const Ran ran = Run({"corpus", Till("a.pcapng", "1"), "-o", folder});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("nothing was written: " + folder + "/seeds (File name too long)"));
}

TEST_F(CorpusCommandTest, ADictionaryWhereTheCorpusIsToBe) {
  const std::string tape = Till("a.pcapng", "1");
  fs::create_directory(Path("folder"));
  for (const char* words : {"made", "made/seeds", "made/seeds/a.wire", "made/x/../seeds/a.wire",
                            "made/messages/host.buy.request.json/words", "folder", "words/"}) {
    const Ran ran = Run({"corpus", tape, "-o", Path("made"), "--dict", Path(words)});
    EXPECT_EQ(ran.code, 2) << words;
    EXPECT_THAT(ran.err, HasSubstr("nothing was written")) << words;
    EXPECT_FALSE(fs::exists(Path("made"))) << words;
  }
}

TEST_F(CorpusCommandTest, AnUnwritableFolderIsReportedBeforeATraceIsRead) {
  const std::string tape = Till("a.pcapng", "1");
  for (const std::string& folder : {Path(std::string(300, 'x')), tape + "/made", tape}) {
    const Ran ran = Run({"corpus", Path("missing"), "-o", folder});
    EXPECT_EQ(ran.code, 2) << folder;
    EXPECT_THAT(ran.err, HasSubstr("nothing was written")) << folder;
  }
}

TEST_F(CorpusCommandTest, OfSeveralTracesTheBadOneIsNamed) {
  const std::string good = Till("a.pcapng", "1");
  const std::string later =
      Save("later.jsonl", "{\"midwire\":\"cassette\",\"version\":2}\n{\"from\":\"host\"}\n");
  const std::string damaged =
      Save("damaged.pcapng", ReadFile(Till("b.pcapng", "2")) + "damage, of some length");
  for (const std::string& bad : {later, damaged}) {
    const Ran ran = Run({"corpus", good, bad, "-o", Path("made")});
    EXPECT_EQ(ran.code, 3) << bad;
    EXPECT_THAT(ran.err, HasSubstr(bad));
  }
}

TEST_F(CorpusCommandTest, TracesOfSeveralDialectsGiveTheWordsOfAll) {
  const std::string corpora = SourceFolder() + "/corpora/";
  const Ran ran =
      Run({"corpus", corpora + "mcp/sessions/golden.jsonl", corpora + "lsp/sessions/golden.jsonl",
           Till("a.pcapng", "1"), "-o", Path("made"), "--dict", Path("words")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, ContainsRegex("dialect lsp, detected .*; dialect mcp, detected .certain: "));
  EXPECT_THAT(ReadFile(Path("words")), HasSubstr("notifications/cancelled"));
  EXPECT_THAT(ReadFile(Path("words")), HasSubstr("textDocument/prepareRename"));
}

TEST_F(CorpusCommandTest, ADamagedTraceGivesWhatCanBeRead) {
  std::string bytes = ReadFile(Till("a.pcapng", "1"));
  bytes += "damage, of some length";
  const Ran ran = Run({"corpus", Save("b.pcapng", bytes), "-o", Path("made")});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(Tree("made"), HasSubstr("seeds/b.wire"));
}

TEST_F(CorpusCommandTest, HelpHasExamples) {
  EXPECT_THAT(Run({"corpus", "--help"}).out, HasSubstr("midwire corpus session.pcapng -o corpus"));
}

}  // namespace
}  // namespace midwire::tools
