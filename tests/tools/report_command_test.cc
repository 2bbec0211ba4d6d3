// midwire report: files, limits, selections. What the page shows is tested in tests/browser.
#include <gmock/gmock.h>
#include <libdeflate.h>
#include <sys/stat.h>

#include "tests/tools/command.h"
#include "tests/tools/tape.h"
#include "wire/json/base64.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using wire::Json;

// What one of the data elements of a page holds.
std::string Unpacked(const std::string& page, const std::string& id) {
  const std::string start = "id=\"" + id + "\">";
  const size_t at = page.find(start) + start.size();
  std::string packed;
  EXPECT_TRUE(wire::DecodeBase64(page.substr(at, page.find('<', at) - at), &packed));
  std::string text(1 << 20, '\0');
  size_t size = 0;
  libdeflate_decompressor* unpacker = libdeflate_alloc_decompressor();
  EXPECT_EQ(libdeflate_gzip_decompress(unpacker, packed.data(), packed.size(), text.data(),
                                       text.size(), &size),
            LIBDEFLATE_SUCCESS);
  libdeflate_free_decompressor(unpacker);
  text.resize(size);
  return text;
}

class ReportTest : public CommandTest {
 protected:
  const std::string tape_ = Save(
      "session.pcapng",
      Tape::Of({"python3", "/opt/notes-plugin.py"})
          .Us(100)
          .Host("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"fast\",\"params\":{}}\n")
          .Us(50)
          .Plugin("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n")
          .Stderr("two\nlines\n")
          .Host("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"slow\",\"params\":{}}\n")
          .Us(5000)
          .Plugin("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-3,\"message\":\"no\"}}\n")
          .Exit(0)
          .bytes());

  // The index of the page that these arguments make.
  Json Index(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"-o", Path("report.html"), "--force"});
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    page_ = ReadIfThere(Path("report.html"));
    const Result<Json> index = wire::ParseJson(Unpacked(page_, "index"));
    EXPECT_TRUE(index.ok());
    return index.ok() ? *index : Json();
  }
  static std::vector<int64_t> Column(const Json& index, const char* name) {
    std::vector<int64_t> values;
    const Json* column = index.Find("rows")->Find(name);
    if (column == nullptr) return values;
    for (const Json& value : column->items) values.push_back(value.Integer().value_or(-999));
    return values;
  }

  std::string page_;
};

TEST_F(ReportTest, RowsAreTheLinesOfShow) {
  const Json index = Index({tape_});
  EXPECT_THAT(Column(index, "kind"), ElementsAre(7, 0, 1, 8, 8, 0, 2, 7, 7));
  EXPECT_THAT(Column(index, "number"), ElementsAre(0, 1, 2, 0, 0, 3, 4, 0, 0));
  EXPECT_THAT(Column(index, "pair"), ElementsAre(0, 0, 1, 0, 0, 0, 1, 0, 0));
  EXPECT_THAT(Column(index, "at"), ElementsAre(0, 100000, 50000, 0, 0, 0, 5000000, 0, 0));
  const Json& session = index.Find("sessions")->items.at(0);
  EXPECT_EQ(session.String("title"), "notes-plugin.py") << "as list calls it";
  EXPECT_EQ(session.String("command"), "python3 /opt/notes-plugin.py");
  EXPECT_EQ(session.String("exit"), "exit 0");
  EXPECT_TRUE(session.Find("ended")->boolean);
}

TEST_F(ReportTest, TheTraceCanBeSavedOutOfThePage) {
  const Json index = Index({tape_});
  const Json* save = index.Find("save");
  ASSERT_NE(save, nullptr);
  EXPECT_EQ(save->String("name"), "session.pcapng");
  const std::string blob = Unpacked(page_, "bytes");
  EXPECT_EQ(
      blob.substr(save->Find("from")->Integer().value(), save->Find("length")->Integer().value()),
      ReadFile(tape_));
}

TEST_F(ReportTest, AnExistingFileIsReplacedOnlyByForce) {
  const std::string out = Save("out.html", "old");
  const Ran refused = Run({"report", tape_, "-o", out});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(ReadFile(out), "old");
  EXPECT_EQ(Run({"report", tape_, "-o", out, "--force"}).code, 0);
  EXPECT_THAT(ReadFile(out), HasSubstr("<!DOCTYPE html>"));
}

TEST_F(ReportTest, ATraceIsNeverReplaced) {
  const std::string before = ReadFile(tape_);
  EXPECT_EQ(Run({"report", tape_, "-o", tape_, "--force"}).code, 2);
  const std::string other = Save("other.pcapng", before);
  EXPECT_EQ(Run({"report", tape_, "-o", other, "--force"}).code, 2);
  EXPECT_EQ(ReadFile(other), before);
}

TEST_F(ReportTest, OnlyItsOwnerReadsIt) {
  ASSERT_EQ(Run({"report", tape_, "-o", Path("new.html")}).code, 0);
  ASSERT_EQ(Run({"report", tape_, "-o", Path("forced.html"), "--force"}).code, 0);
  for (const char* const name : {"new.html", "forced.html"}) {
    struct stat file;
    ASSERT_EQ(stat(Path(name).c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777, 0600u) << name;
  }
}

TEST_F(ReportTest, AFilterKeepsBothEndsOfACall) {
  const Json index = Index({tape_, "--where", "latency>1ms kind=error"});
  EXPECT_THAT(Column(index, "number"), ElementsAre(3, 4));
  EXPECT_THAT(Column(index, "pair"), ElementsAre(0, 1));
  EXPECT_EQ(index.Find("save"), nullptr);
  EXPECT_THAT(index.Find("notes")->items.at(0).text, HasSubstr("latency>1ms"));
}

TEST_F(ReportTest, TheLastMessagesAreCounted) {
  EXPECT_THAT(Column(Index({tape_, "--last", "1"}), "kind"), ElementsAre(2, 7, 7));
}

TEST_F(ReportTest, LongBodiesAreCut) {
  const Json index = Index({tape_, "--max-body", "4B"});
  EXPECT_THAT(Column(index, "kept"), ElementsAre(0, 4, 4, 3, 4, 4, 4, 0, 0));
  EXPECT_THAT(Unpacked(page_, "bytes"), Not(HasSubstr("jsonrpc")));
}

TEST_F(ReportTest, FindingsOfACheckNameTheirRows) {
  const std::string bad =
      Save("bad.pcapng", Tape::Of({"p"}).Host("{\"id\":1,\"method\":\"m\"}\n").Exit(0).bytes());
  const Json index = Index({bad, "--check", "--dialect", "json-rpc-2.0"});
  const Json* findings = index.Find("findings");
  ASSERT_NE(findings, nullptr);
  ASSERT_EQ(findings->items.size(), 2u);
  EXPECT_EQ(findings->items[0].Find("row")->Integer(), -1);  // of the process
  EXPECT_EQ(findings->items[1].Find("row")->Integer(), 1);
  const Json& session = index.Find("sessions")->items.at(0);
  EXPECT_EQ(session.Find("checked")->String("dialect"), "json-rpc-2.0");
}

TEST_F(ReportTest, EachSessionHasItsOwnCheckAndFindings) {
  const std::string bad =
      Save("bad.pcapng", Tape::Of({"p"}).Host("{\"id\":1,\"method\":\"m\"}\n").Exit(0).bytes());
  const std::string golden = SourceFolder() + "/corpora/lsp/sessions/golden.pcapng";
  const Json index = Index({golden, bad, "--check"});
  const Json& sessions = *index.Find("sessions");
  EXPECT_EQ(sessions.items.at(0).Find("checked")->String("dialect"), "lsp");
  EXPECT_EQ(sessions.items.at(1).Find("checked")->String("dialect"), "json-rpc-2.0");
  const Json& of_process = index.Find("findings")->items.at(0);
  EXPECT_EQ(of_process.Find("row")->Integer(), -1);
  EXPECT_EQ(of_process.Find("session")->Integer(), 1);
}

TEST_F(ReportTest, SaysHowSureItIsOfTheDialect) {
  const std::string golden = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  EXPECT_EQ(Index({golden}).Find("sessions")->items.at(0).String("sureness"), "certain");
  const Json named = Index({golden, "--dialect", "mcp"});
  EXPECT_EQ(named.Find("sessions")->items.at(0).Find("sureness"), nullptr);
}

TEST_F(ReportTest, WhatALogLacksIsOnThePage) {
  const std::string log = Save("clangd.log",
                               "I[12:37:30.001] clangd version 13.0.0\n"
                               "V[12:37:30.010] <<< {\"id\":1,\"method\":\"a\"}\n\n"
                               "V[12:37:30.011] >>> {\"id\":1,\n\n");
  ASSERT_EQ(Run({"report", log, "-o", Path("r.html")}).code, 3);
  const Result<Json> index = wire::ParseJson(Unpacked(ReadFile(Path("r.html")), "index"));
  ASSERT_TRUE(index);
  EXPECT_THAT(std::string(index->Find("sessions")->items.at(0).String("log")),
              HasSubstr("imported from clangd --log=verbose, which lacks: dates"));
  ASSERT_EQ(index->Find("notes")->items.size(), 1u);
  EXPECT_THAT(index->Find("notes")->items.at(0).text,
              HasSubstr("of the log, could not read 1 message, at line 4: "));
  EXPECT_EQ(index->Find("save"), nullptr) << "a log does not replay";
}

TEST_F(ReportTest, ACrashIsMarked) {
  const std::string crashed =
      Save("crashed.pcapng",
           Tape::Of({"p"}).Event(ExitStatus{.signal = 11}).Event(trace::EndEvent()).bytes());
  const Json session = Index({crashed}).Find("sessions")->items.at(0);
  EXPECT_EQ(session.String("exit"), "exit by SIGSEGV");
  EXPECT_TRUE(session.Find("crashed")->boolean);
}

TEST_F(ReportTest, SaysWhichDialectWasDetected) {
  const std::string golden = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  const Ran several = Run({"report", golden, tape_, "-o", Path("both.html")});
  EXPECT_EQ(
      several.err,
      "midwire: info: golden.jsonl: dialect mcp, revision 2025-06-18, detected (certain: 37 of "
      "37 calls, framing, handshake); use --dialect to name another, or none\n");
}

TEST_F(ReportTest, DifferencesOfAReplayNameTheirRows) {
  const std::string run = Save(
      "run.json",
      R"({"midwire":"report","verb":"replay","same":false,"matched":1,"expected":2,"findings":[)"
      R"({"finding":"differs","n":4,"method":"slow","pointer":"/error/code","expected":"-3","got":"-4"}]})");
  const Json index = Index({tape_, "--replay", run});
  ASSERT_NE(index.Find("findings"), nullptr);
  const Json& finding = index.Find("findings")->items.at(0);
  EXPECT_EQ(finding.String("source"), "replay");
  EXPECT_EQ(finding.String("rule"), "differs");
  EXPECT_EQ(finding.Find("row")->Integer(), 6);
  EXPECT_EQ(finding.String("got"), "-4");
  EXPECT_EQ(index.Find("replayed")->Find("expected")->Integer(), 2);
}

TEST_F(ReportTest, ItemsOfAReplayAreThoseOfItsReport) {
  const std::string run = Save(
      "run.json",
      R"({"midwire":"report","verb":"replay","same":false,"findings":[{"finding":"differs","n":4,)"
      R"("items":{"pointer":"/result","recorded":-1,"came":2,"change_count":3,"changes":[)"
      R"({"change":"moved","item":"\"x\"","from":1,"at":0},{"change":"no such"},7,)"
      R"({"change":"new","item_base64":"/w==","at":1}]}}]})");
  const Json index = Index({tape_, "--replay", run});
  const Json* items = index.Find("findings")->items.at(0).Find("items");
  ASSERT_NE(items, nullptr);
  EXPECT_EQ(items->Find("recorded")->Integer(), 0);
  EXPECT_EQ(items->Find("count")->Integer(), 3);
  ASSERT_EQ(items->Find("changes")->items.size(), 2u);
  EXPECT_EQ(items->Find("changes")->items[0].String("item"), "\"x\"");
  EXPECT_EQ(items->Find("changes")->items[1].String("item"), "\\xff");
}

TEST_F(ReportTest, MessagesThatWereNeverReadAreMarked) {
  constexpr char kNote[] = "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n";
  constexpr char kCall[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n";
  Tape tape = Tape::Of({"p"});
  tape.Host(kCall).Plugin(kNote).Host(kNote).Host(kCall).Plugin(kNote);
  const int64_t unread = sizeof kNote + sizeof kCall - 2;
  tape.Event(trace::ClosedEvent{"host-to-plugin", unread}).Exit(1);
  const Json index = Index({Save("closed.pcapng", tape.bytes())});
  EXPECT_THAT(Column(index, "flags"), ElementsAre(0, 0, 0, 32, 32, 0, 0, 0, 0));
  const Json cut = Index({Path("closed.pcapng"), "--where", "dir=h2p method=m"});
  EXPECT_THAT(Column(cut, "flags"), ElementsAre(0, 32));
}

TEST_F(ReportTest, WhatIsNoReportOfAReplayIsRefused) {
  for (const char* text : {"", "{}", "[1]", R"({"midwire":"report","same":1,"findings":[]})"}) {
    const Ran ran =
        Run({"report", tape_, "--replay", Save("run.json", text), "-o", Path("r.html")});
    EXPECT_EQ(ran.code, 2) << text;
    EXPECT_THAT(ran.err, HasSubstr("not a report of a replay")) << text;
  }
  const Ran ran =
      Run({"report", tape_, "--replay", Path("none"), "--redact", "-o", Path("r.html")});
  EXPECT_THAT(ran.err, HasSubstr("its report is not redacted"));
  EXPECT_THAT(ReadIfThere(Path("r.html")), IsEmpty());
}

TEST_F(ReportTest, TheFindingOfAFuzzedCassetteIsListed) {
  const std::string cassette =
      Save("finding.jsonl",
           R"({"midwire":"cassette","version":1,"finding":{"oracle":"hang","key":"hang x",)"
           R"("pace":"lockstep","text":"no answer to x"}})"
           "\n"
           R"({"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"x"}})"
           "\n");
  const Json index = Index({cassette});
  ASSERT_NE(index.Find("findings"), nullptr);
  const Json& finding = index.Find("findings")->items.at(0);
  EXPECT_EQ(finding.String("source"), "fuzz");
  EXPECT_EQ(finding.String("text"), "no answer to x");
  EXPECT_GE(finding.Find("row")->Integer(), 0);
}

TEST_F(ReportTest, AComparisonPairsTheRowsOfBothTraces) {
  std::string changed = ReadFile(SourceFolder() + "/corpora/mcp/sessions/golden.jsonl");
  const size_t at = changed.find("\"sum\": 42");
  ASSERT_NE(at, std::string::npos);
  changed.replace(at, 9, "\"sum\": 43");
  const std::string golden = SourceFolder() + "/corpora/mcp/sessions/golden.pcapng";
  const Json index = Index({golden, "--compare", Save("changed.jsonl", changed)});
  const Json& changes = *index.Find("compare")->Find("changes");
  ASSERT_EQ(changes.items.size(), 1u);
  const int64_t a = changes.items.at(0).Find("a")->Integer().value();
  const int64_t b = changes.items.at(0).Find("b")->Integer().value();
  const std::vector<int64_t> numbers = Column(index, "number");
  EXPECT_EQ(numbers.at(a), numbers.at(b));
  EXPECT_LT(a, index.Find("sessions")->items.at(1).Find("first")->Integer());
  for (const Json& pair : index.Find("compare")->Find("pairs")->items) {
    ASSERT_GE(pair.items.at(0).Integer(), 0);
    ASSERT_GE(pair.items.at(1).Integer(), 0);
    EXPECT_EQ(numbers.at(*pair.items.at(0).Integer()), numbers.at(*pair.items.at(1).Integer()));
  }
}

TEST_F(ReportTest, AnArrayOfNamedObjectsIsComparedItemByItem) {
  const auto saved = [&](const char* name, const char* tools) {
    return Save(name, R"({"midwire":"cassette","version":1})"
                      "\n"
                      R"({"from":"host","message":{"jsonrpc":"2.0","id":1,"method":"tools/list"}})"
                      "\n"
                      R"({"from":"plugin","message":{"jsonrpc":"2.0","id":1,"result":{"tools":)" +
                          std::string(tools) + "}}}\n");
  };
  const std::string a = saved("a.jsonl", R"([{"name":"x"},{"name":"y"}])");
  const std::string b = saved("b.jsonl", R"([{"name":"new"},{"name":"x"},{"name":"y"}])");
  const Json index = Index({a, "--compare", b});
  const Json* items = index.Find("compare")->Find("changes")->items.at(0).Find("items");
  ASSERT_NE(items, nullptr);
  EXPECT_EQ(items->String("pointer"), "/result/tools");
  EXPECT_EQ(items->Find("changes")->items.at(0).String("change"), "new");
}

TEST_F(ReportTest, SecretsAreNeitherInRowsNorInTheTraceToSave) {
  const std::string secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const std::string tape =
      Save("secret.pcapng",
           Tape::Of({"p"})
               .Host("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":\"" + secret + "\"}\n")
               .Exit(0)
               .bytes());
  Index({tape});
  EXPECT_THAT(Unpacked(page_, "bytes"), HasSubstr(secret));
  const Json index = Index({tape, "--redact"});
  EXPECT_THAT(Unpacked(page_, "bytes"), Not(HasSubstr(secret)));
  EXPECT_NE(index.Find("save"), nullptr);
}

TEST_F(ReportTest, DamageIsNotedOnThePage) {
  std::string bytes = ReadFile(tape_);
  const size_t at = bytes.find("\"result\":1");
  bytes[at + 9] = '2';  // its CRC32 no longer matches
  const Ran ran = Run({"report", Save("damaged.pcapng", bytes), "-o", Path("damaged.html")});
  EXPECT_EQ(ran.code, 3) << ran.err;
  const Result<Json> index = wire::ParseJson(Unpacked(ReadFile(Path("damaged.html")), "index"));
  ASSERT_TRUE(index.ok());
  EXPECT_THAT(index->Find("notes")->items.at(0).text, HasSubstr("could not be read"));
  EXPECT_THAT(Column(*index, "kind"), testing::Contains(9));
}

TEST_F(ReportTest, WhatIsReadTwiceMustBeAFile) {
  const Ran ran = Run({"report", "-", "--last", "3", "-o", Path("r.html")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("save the trace to a file first"));
  EXPECT_THAT(ReadIfThere(Path("r.html")), IsEmpty());
}

}  // namespace
}  // namespace midwire::tools
