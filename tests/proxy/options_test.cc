// Which words of the command line belong to midwire and which to the plugin; and the environment.
#include "tests/paths.h"
#include "tests/proxy/host.h"
#include "tests/proxy/taped.h"

namespace midwire::proxy {
namespace {

class OptionsTest : public RecordTest {
 protected:
  struct Run {
    std::string out, errors;
    Ending ending;
  };
  Run Record(Command words, const std::function<void()>& before_exec = {}) {
    words.insert(words.begin(), {MidwirePath(), "record"});
    Host host({.command = words, .before_exec = before_exec});
    host.CloseIn();
    return {host.ReceiveAll(), host.ReceiveErrors(), host.Wait()};
  }
  const std::string sh_ = "/bin/sh";
};

TEST_F(OptionsTest, EverythingAfterThePluginsNameIsThePlugins) {
  const std::string words = "echo \"$*\"";
  for (const Command& start :
       {Command{"-o", tape()}, Command{"-o", tape(), "--"}, Command{"--output=" + tape()},
        Command{"--no-stderr", "-o" + tape()}}) {
    Command command = start;
    command.insert(command.end(), {sh_, "-c", words, "--", "--help", "-o", "y", "--", "--version"});
    EXPECT_EQ(Record(command).out, "--help -o y -- --version\n");
  }
}

TEST_F(OptionsTest, AnotherNameOfTheTapeIsPrinted) {
  EXPECT_EQ(Record({"-o", tape(), sh_, "-c", "exit"}).errors, "");
  EXPECT_EQ(Record({"-o", tape(), sh_, "-c", "exit"}).errors, "midwire: warning: " + tape() +
                                                                  " exists already: the tape is " +
                                                                  Path("tape-2.pcapng") + "\n");
}

TEST_F(OptionsTest, ATapeThatIsNamedLikeACassetteIsRecordedAndReported) {
  const std::string name = Path("session.jsonl");
  EXPECT_EQ(Record({"-o", name, sh_, "-c", "exit"}).errors,
            "midwire: warning: " + name +
                " is a tape, as nothing else can be recorded; for a cassette: midwire convert " +
                name + " NAME.jsonl\n");
}

TEST_F(OptionsTest, APluginMayBeNamedLikeASubcommandOrAnOption) {
  for (const std::string name : {"record", "show", "-o", "--help"}) {
    const auto plugin_named = [&] {
      std::filesystem::create_symlink(sh_, Path(name));
      setenv("PATH", folder_.c_str(), 1);
    };
    EXPECT_EQ(Record({"-o", tape(), "--", name, "-c", "echo $0"}, plugin_named).out, name + "\n");
    std::filesystem::remove(Path(name));
  }
}

TEST_F(OptionsTest, MistakesAreOneLineAndCode2) {
  const std::vector<Command> mistakes = {
      {},
      {"-o"},
      {"--"},
      {"--nonsense", sh_},
      {"--framing", "morse", sh_},
      {"-o", "{plugin}-{date}.pcapng", sh_},
      {"--drain", "soon", sh_},
      {"--drain", "2 parsecs", sh_},
      {"--drain", "-1s", sh_},
      {"--sync", "", sh_},
      {"--max-size", "big", sh_},
      {"--max-size", "1e99", sh_},
      {"--keep", "x", sh_},
      {"--keep", "1.5", sh_},
      {"--redact", "no-slash", sh_},
      {"--dialect", "codex", sh_},
      {"--redact", "dialect", sh_},
      {"--redact", "dialect", "--dialect", "no-such", sh_},
      {"--redact", "dialect", "--dialect", "json-rpc-2.0", sh_},
      {"-o", "-", sh_},
  };
  for (const Command& words : mistakes) {
    const Run run = Record(words);
    EXPECT_EQ(run.ending, (Ending{2, 0})) << testing::PrintToString(words);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
    EXPECT_TRUE(run.errors.starts_with("midwire: ")) << run.errors;
  }
}

TEST_F(OptionsTest, ForeignTextReachesTheTerminalEscaped) {
  for (const Command& words : {Command{"--drain", "\x1b[31m", sh_}, Command{"/none\x1b[31m"},
                               Command{"-o", "/none\x1b[31m/t", sh_, "-c", "exit 0"}}) {
    const Run run = Record(words);
    EXPECT_NE(run.errors, "");
    EXPECT_EQ(run.errors.find('\x1b'), std::string::npos) << run.errors;
  }
}

TEST_F(OptionsTest, HelpIsMidwiresBeforeThePluginsName) {
  const Run run = Record({"--help"});
  EXPECT_EQ(run.ending, (Ending{0, 0}));
  for (const char* name :
       {"OUTPUT", "FRAMING", "REDACT", "NO_STDERR", "DRAIN", "SYNC", "MAX_SIZE", "KEEP"}) {
    EXPECT_NE(run.out.find(std::string("MIDWIRE_") + name), std::string::npos) << name;
  }
}

TEST_F(OptionsTest, FromTheEnvironment) {
  const Run run = Record({sh_, "-c", "echo word >&2; echo $MIDWIRE_NO_STDERR"}, [this] {
    setenv("MIDWIRE_OUTPUT", Path("{plugin}.pcapng").c_str(), 1);
    setenv("MIDWIRE_NO_STDERR", "1", 1);
    setenv("MIDWIRE_FRAMING", "content-length", 1);
  });
  EXPECT_EQ(run.out, "1\n");
  EXPECT_EQ(run.errors, "word\n");
  const Taped taped = ReadTape(Path("sh.pcapng"));
  EXPECT_EQ(taped.errors(), "");
  EXPECT_EQ(taped.All<trace::SpawnEvent>().at(0).framing[1], wire::Framing::kContentLength);
}

TEST_F(OptionsTest, MistakesInTheEnvironmentAreReported) {
  const Run run = Record({"-o", tape(), sh_}, [] { setenv("MIDWIRE_MAX_SIZE", "huge", 1); });
  EXPECT_EQ(run.ending, (Ending{2, 0}));
  EXPECT_NE(run.errors.find("huge"), std::string::npos);
}

TEST_F(OptionsTest, TheCommandLineBeatsTheEnvironment) {
  Record({"-o", tape(), sh_, "-c", "exit 0"},
         [this] { setenv("MIDWIRE_OUTPUT", Path("other.pcapng").c_str(), 1); });
  EXPECT_TRUE(std::filesystem::exists(tape()));
  EXPECT_FALSE(std::filesystem::exists(Path("other.pcapng")));
}

TEST_F(OptionsTest, DefaultPlace) {
  const Run run = Record({sh_, "-c", "exit 0"}, [this] {
    unsetenv("MIDWIRE_OUTPUT");
    setenv("XDG_STATE_HOME", folder_.c_str(), 1);
  });
  EXPECT_EQ(run.ending, (Ending{0, 0}));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(Path("midwire"))) {
    names.push_back(entry.path().filename());
  }
  ASSERT_EQ(names.size(), 1u);
  EXPECT_TRUE(names[0].starts_with("sh-20")) << names[0];
}

}  // namespace
}  // namespace midwire::proxy
