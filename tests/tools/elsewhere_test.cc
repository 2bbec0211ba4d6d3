// A session that was recorded in one directory, by one person and one process, and is replayed and
// mocked elsewhere: midwire record, convert --portable, replay, mock, diff.
#include <cstdlib>
#include <filesystem>

#include "tests/paths.h"
#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

// Answers each line with where it runs; the answer to the first names a file of the home directory.
constexpr char kPlacePlugin[] =
    R"(read x; uri=$(printf %s "$PWD" | sed 's/ /%20/g'))"
    "\n"
    R"(printf '{"id":1,"result":{"root":"file://%s","log":"cwd is %s, rc is %s/.rc"}}\n' "$uri" )"
    R"("$PWD" "$HOME"; read x; case "$x" in *"$PWD/pot"*) r=true;; *) r=false;; esac; )"
    R"(printf '{"id":2,"result":%s}\n' $r; cat >/dev/null)";

class ElsewhereTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    for (const char* folder : {"ada", "ada/tea", "bob", "bob/my coffee"}) {
      std::filesystem::create_directory(Path(folder));
    }
    Save("plugin", kPlacePlugin);
    if (getenv("HOME")) home_ = getenv("HOME");
  }
  void TearDown() override {
    std::filesystem::current_path(here_);
    setenv("HOME", home_.c_str(), 1);
  }
  void Be(const std::string& person, const std::string& folder) const {
    setenv("HOME", Path(person).c_str(), 1);
    std::filesystem::current_path(Path(person) + "/" + folder);
  }
  int Sh(const std::string& script) const {
    return WEXITSTATUS(std::system(("exec >/dev/null 2>&1; " + script).c_str()));
  }
  std::vector<std::string> Plugin() const { return {"/bin/sh", Path("plugin")}; }

  // A command that prints what a host in that directory sends.
  std::string Host(const std::string& cwd) const {
    std::string uri = cwd;
    if (const size_t blank = uri.find(' '); blank != uri.npos) uri.replace(blank, 1, "%20");
    return R"(printf '%s\n' '{"id":1,"method":"start","params":{"root":"file://)" + uri +
           R"("}}' )" + R"('{"id":2,"method":"has","params":["{cwd}",")" + cwd + R"(/pot"]}')";
  }
  // The tape of a session of Ada in ada/tea.
  std::string Record() const {
    Be("ada", "tea");
    EXPECT_EQ(Sh(Host(Path("ada/tea")) + " | '" + MidwirePath() + "' record -o " +
                 Path("s.pcapng") + " -- /bin/sh " + Path("plugin")),
              0);
    return Path("s.pcapng");
  }
  Ran Replay(std::vector<std::string> options) const {
    options.insert(options.begin(), "replay");
    options.push_back("--");
    for (const std::string& word : Plugin()) options.push_back(word);
    return Run(options);
  }

 private:
  const std::string here_ = std::filesystem::current_path();
  std::string home_;
};

TEST_F(ElsewhereTest, ATapeReplaysInAnotherDirectoryOfAnotherPerson) {
  const std::string tape = Record();
  Be("bob", "my coffee");
  const Ran ran = Replay({tape});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("paths were replaced"), std::string::npos) << ran.out;
}

TEST_F(ElsewhereTest, APathThatIsWrongDiffers) {
  const std::string tape = Record();
  Be("bob", "my coffee");
  Save("plugin", std::string("cd ..\n") + kPlacePlugin);
  EXPECT_EQ(Replay({tape}).code, 1);
}

TEST_F(ElsewhereTest, APortableCassetteHasNoPathOfItsAuthor) {
  const std::string tape = Record(), portable = Path("p.jsonl");
  EXPECT_EQ(Run({"convert", "--portable", tape, portable}).code, 0);
  const std::string text = ReadFile(portable);
  EXPECT_EQ(text.find(folder_ + "/ada"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("root":"file://{cwd}")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("cwd is {cwd}, rc is {home}/.rc")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(["{brace}cwd}","{cwd}/pot"])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("portable":true)"), std::string::npos) << text;
}

TEST_F(ElsewhereTest, APortableCassetteReplaysForOtherUsers) {
  const std::string portable = Path("p.jsonl");
  EXPECT_EQ(Run({"convert", "--portable", Record(), portable}).code, 0);
  EXPECT_EQ(Replay({portable}).code, 0);
  Be("bob", "my coffee");
  const Ran ran = Replay({portable});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(Run({"check", portable, "--dialect", "json-rpc-2.0"}).out.find("my coffee"),
            std::string::npos);
}

TEST_F(ElsewhereTest, MocksOfBothAnswerAHostOfAnotherPerson) {
  const std::string tape = Record(), portable = Path("p.jsonl");
  EXPECT_EQ(Run({"convert", "--portable", tape, portable}).code, 0);
  Be("bob", "my coffee");
  for (const std::string& trace : {tape, portable}) {
    const std::string report = Path("report"), out = Path("answers");
    Sh(Host(Path("bob/my coffee")) + " | '" + MidwirePath() + "' mock " + trace + " --report " +
       report + " >" + out);
    const std::string reported = ReadFile(report), printed = ReadFile(out);
    EXPECT_NE(reported.find("same: "), std::string::npos) << reported << printed;
    EXPECT_NE(printed.find("cwd is " + Path("bob/my coffee") + ", rc is " + Path("bob") + "/.rc"),
              std::string::npos)
        << printed;
    EXPECT_NE(printed.find("file://" + Path("bob/my%20coffee")), std::string::npos) << printed;
  }
}

TEST_F(ElsewhereTest, APortableCassetteGoesThroughATapeAndBack) {
  const std::string portable = Path("p.jsonl");
  EXPECT_EQ(Run({"convert", "--portable", Record(), portable}).code, 0);
  EXPECT_EQ(Run({"convert", portable, Path("t.pcapng")}).code, 0);
  EXPECT_EQ(Run({"convert", Path("t.pcapng"), Path("back.jsonl")}).code, 0);
  EXPECT_EQ(ReadFile(Path("back.jsonl")), ReadFile(portable));
  Be("bob", "my coffee");
  EXPECT_EQ(Replay({Path("t.pcapng")}).code, 0);
}

TEST_F(ElsewhereTest, WhatCannotBePortableIsOneLineAndNoFile) {
  const std::string portable = Path("p.jsonl"), out = Path("o.jsonl"), tape = Record();
  EXPECT_EQ(Run({"convert", "--portable", tape, portable}).code, 0);
  const std::string bare = Save("bare.jsonl",
                                "{\"midwire\":\"cassette\",\"version\":1}\n"
                                "{\"from\":\"host\",\"message\":{\"method\":\"a\"}}\n");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"convert", "--portable", portable, out},
                                             {"convert", "--portable", bare, out},
                                             {"convert", "--portable", tape, Path("o.pcapng")}}) {
    const Ran ran = Run(arguments);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(out) || std::filesystem::exists(Path("o.pcapng")));
  }
}

TEST_F(ElsewhereTest, AMapReadsOnePathAsAnother) {
  const std::string trace = Save("s.jsonl", R"({"midwire":"cassette","version":1}
{"from":"host","message":{"id":1,"method":"greet","params":["/opt/sdk/bin"]}}
{"from":"plugin","message":{"id":1,"result":"/opt/sdk"}}
)");
  Save("plugin",
       R"(read x; case "$x" in *'"/usr/lib/sdk/bin"'*) echo '{"id":1,"result":"/usr/lib/sdk"}';;
                    esac; cat >/dev/null)");
  EXPECT_EQ(Replay({trace, "--timeout", "100ms"}).code, 1);
  const Ran ran = Replay({trace, "--map", "/opt/sdk=/usr/lib/sdk"});
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_EQ(ran.err, "");
}

TEST_F(ElsewhereTest, AMapThatNamesNothingIsOneLine) {
  const std::string tape = Record();
  for (const Ran& ran :
       {Replay({tape, "--map", "/no/such=/x"}), Run({"diff", tape, tape, "--map", "/no/such=/x"}),
        Run({"mock", tape, "--map", "/no/such=/x"})}) {
    EXPECT_EQ(ran.err.find("midwire: warning: --map: the trace has no path \"/no/such\"\n"), 0u)
        << ran.err;
  }
  for (const char* wrong : {"/a", "=/a", "/a=", "/=/a", "//=/a"}) {
    const Ran ran = Replay({tape, "--map", wrong});
    EXPECT_EQ(ran.code, 2) << wrong;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(ElsewhereTest, ADeclarationThatNamesNothingIsOneLine) {
  const std::string tape = Record();
  const auto with = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"diff", tape, tape});
    return Run(options).err;
  };
  EXPECT_EQ(with({"--ignore", "/resutl"}),
            "midwire: warning: --ignore: no message has \"/resutl\" (check the method and the "
            "pointer)\n");
  EXPECT_EQ(with({"--volatile", "no/such"}),
            "midwire: warning: --volatile: no message is of \"no/such\" (check the method)\n");
  EXPECT_EQ(with({"--ignore", "/result", "--ignore", "/id"}), "");
  EXPECT_NE(Replay({tape, "--ignore", "/resutl"}).err.find("/resutl"), std::string::npos);
}

TEST_F(ElsewhereTest, ADiffOfTwoPeopleIsTheSame) {
  const std::string tape = Record(), portable = Path("p.jsonl"), live = Path("bob.pcapng");
  EXPECT_EQ(Run({"convert", "--portable", tape, portable}).code, 0);
  Be("bob", "my coffee");
  EXPECT_EQ(Replay({tape, "--record", live}).code, 0);
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {tape, live}, {live, tape}, {portable, live}, {live, portable}, {portable, tape}}) {
    const Ran ran = Run({"diff", a, b});
    EXPECT_EQ(ran.code, 0) << a << " " << b << "\n" << ran.out << ran.err;
  }
}

TEST_F(ElsewhereTest, AnUpdateElsewhereStaysPortable) {
  const std::string portable = Path("p.jsonl");
  EXPECT_EQ(Run({"convert", "--portable", Record(), portable}).code, 0);
  Be("bob", "my coffee");
  std::string changed = kPlacePlugin;
  changed.replace(changed.find("cwd is"), 6, "it is ");
  Save("plugin", changed);
  EXPECT_EQ(Replay({portable, "--update"}).code, 0);
  EXPECT_NE(ReadFile(portable).find("it is  {cwd}, rc is {home}/.rc"), std::string::npos)
      << ReadFile(portable);
  Be("ada", "tea");
  EXPECT_EQ(Replay({portable}).code, 0);
}

TEST_F(ElsewhereTest, AServerThatWatchesItsParentLivesThroughTheRecordedPauses) {
  const std::string server = PeersFolder() + "/watches_parent";
  // The host runs until the server has ended.
  const std::string host =
      R"(say() { printf 'Content-Length: %d\r\n\r\n%s' ${#1} "$1"; }
      say '{"id":1,"method":"initialize","params":{"processId":'$$'}}'; sleep 0.4
      say '{"id":2,"method":"shutdown"}'; sleep 0.1; say '{"method":"exit"}'
      exec >&-; read x < ')" +
      Path("end") + "'";
  Save("host", host);
  EXPECT_EQ(Sh("mkfifo '" + Path("end") + "'; /bin/sh '" + Path("host") + "' | { '" +
               MidwirePath() + "' record -o '" + Path("lsp.pcapng") + "' -- '" + server +
               "'; s=$?; echo > '" + Path("end") + "'; exit $s; }"),
            0);
  const Ran ran = Run({"replay", Path("lsp.pcapng"), "--timing", "recorded", "--", server});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(Run({"replay", Path("lsp.pcapng"), "--", server}).code, 0);
}

}  // namespace
}  // namespace midwire::tools
