#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/paths.h"
#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

class CompletionTest : public CommandTest {
 protected:
  // What bash offers for these words, the last of which is being typed; sorted, one per line.
  std::string Complete(const std::vector<std::string>& words) const {
    std::string script = "midwire() { '" + MidwirePath() +
                         "' \"$@\"; }\nsource <(midwire completion) || exit 1\ncd '" + folder_ +
                         "' || exit 1\nCOMP_WORDS=(";
    for (const std::string& word : words) script += "'" + word + "' ";
    script +=
        ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_midwire 2> /dev/null\n"
        "printf '%s\\n' \"${COMPREPLY[@]}\" | sort > '" +
        Path("out") + "'\n";
    Save("script", script);
    EXPECT_EQ(system(("bash --norc '" + Path("script") + "'").c_str()), 0);
    return ReadFile(Path("out"));
  }
};

TEST_F(CompletionTest, TheScriptIsValidBash) {
  const Ran ran = Run({"completion"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(system(("bash -n '" + Path("out") + "'").c_str()), 0);
}

TEST_F(CompletionTest, Subcommands) {
  EXPECT_EQ(Complete({"midwire", "s"}), "show\nstats\n");
  EXPECT_NE(Complete({"midwire", ""}).find("record\n"), std::string::npos);
}

TEST_F(CompletionTest, CommandsOfDialects) {
  EXPECT_EQ(Complete({"midwire", "ch"}), "chaos\ncheck\n");
  EXPECT_EQ(Complete({"midwire", "i"}), "import\ninfer\n");
  EXPECT_EQ(Complete({"midwire", "reda"}), "redact\n");
  EXPECT_EQ(Complete({"midwire", "check", "--s"}), "--sample\n--sarif\n--strict\n");
  EXPECT_EQ(Complete({"midwire", "infer", "--c"}), "--closed\n");
  EXPECT_EQ(Complete({"midwire", "redact", "--secret-k"}), "--secret-key\n");
  EXPECT_EQ(Complete({"midwire", "redact", "--to", ""}), "cassette\ntape\n");
  EXPECT_EQ(Complete({"midwire", "check", "--color", ""}), "always\nauto\nnever\n");
}

TEST_F(CompletionTest, DialectsAreBuiltInOrFiles) {
  Save("my.json", "{}");
  EXPECT_EQ(Complete({"midwire", "check", "--dialect", "m"}), "mcp\nmy.json\n");
  EXPECT_EQ(Complete({"midwire", "redact", "--dialect", "ainb"}), "ainb-v2\n");
  EXPECT_EQ(Complete({"midwire", "record", "--dialect", "scriptl"}), "scriptling\n");
}

TEST_F(CompletionTest, OptionsOfASubcommand) {
  EXPECT_EQ(Complete({"midwire", "show", "--st"}), "--stderr\n");
  EXPECT_EQ(Complete({"midwire", "stats", "--j"}), "--json\n");
  EXPECT_EQ(Complete({"midwire", "stats", "--st"}), "\n");
}

TEST_F(CompletionTest, ValuesOfAnOption) {
  EXPECT_EQ(Complete({"midwire", "show", "--color", "a"}), "always\nauto\n");
  EXPECT_EQ(Complete({"midwire", "show", "--color", "=", "n"}), "never\n");
  EXPECT_EQ(Complete({"midwire", "show", "--direction", ""}), "h2p\np2h\nstderr\n");
}

TEST_F(CompletionTest, FilesWithBlanksStayWhole) {
  Save("my tape.pcapng", "");
  EXPECT_EQ(Complete({"midwire", "show", "my"}), "my tape.pcapng\n");
}

TEST_F(CompletionTest, FieldsOfTheFilterAfterTheTrace) {
  EXPECT_EQ(Complete({"midwire", "show", "tape.pcapng", "la"}), "label=\nlatency=\n");
}

TEST_F(CompletionTest, HostsAndEditorsOfWrap) {
  EXPECT_EQ(Complete({"midwire", "wrap", "--host", "claude-d"}), "claude-desktop\n");
  EXPECT_EQ(Complete({"midwire", "unwrap", "--host", "claude-d"}), "claude-desktop\n");
  EXPECT_EQ(Complete({"midwire", "wrap", "--snippet", "nvim-"}), "nvim-new\n");
}

TEST_F(CompletionTest, ServersOfAConfiguration) {
  const std::string config =
      Save("mcp.json", R"({"mcpServers":{"git":{"command":"g"},"go":{"url":"u"}}})");
  EXPECT_EQ(Complete({"midwire", "wrap", config, ""}), "git\ngo\n");
  EXPECT_EQ(Complete({"midwire", "unwrap", config, "gi"}), "git\n");
  EXPECT_EQ(Complete({"midwire", "wrap", Path("none.json"), ""}), "\n");
}

TEST_F(CompletionTest, ItemsOfAList) {
  EXPECT_EQ(Complete({"midwire", "chaos", "--faults", "d"}), "delay\ndrop\ndup\n");
  EXPECT_EQ(Complete({"midwire", "chaos", "--faults", "drop,ki"}), "drop,kill\n");
  EXPECT_EQ(Complete({"midwire", "fuzz", "--oracle", "+han"}), "+hang\n");
  EXPECT_EQ(Complete({"midwire", "fuzz", "--oracle", "+hang,-sig"}), "+hang,-signal\n");
}

TEST_F(CompletionTest, UsualValues) {
  EXPECT_EQ(Complete({"midwire", "record", "--framing", ""}), "auto\ncontent-length\nline\n");
  EXPECT_EQ(Complete({"midwire", "replay", "--timing", ""}), "asap\nrecorded\n");
  EXPECT_EQ(Complete({"midwire", "reduce", "--keep", ""}), "crash\nexit=\nfinding=\n");
}

TEST_F(CompletionTest, ALaterTermOfTheFilterInQuotes) {
  EXPECT_EQ(Complete({"midwire", "show", "t.pcapng", "\"kind=error or me"}),
            "kind=error or method=\n");
  EXPECT_EQ(Complete({"midwire", "show", "t.pcapng", "\"(dir!=p2"}), "(dir!=p2h\n");
  EXPECT_EQ(Complete({"midwire", "show", "t.pcapng", "fai"}), "failed\n");
  EXPECT_EQ(Run({"completion", "fish", "--", "show", "t", "'kind=error not kind=ju"}).out,
            "kind=error not kind=junk\n");
}

TEST_F(CompletionTest, CommandsOfACommand) {
  EXPECT_EQ(Complete({"midwire", "dialect", "d"}), "detect\n");
  EXPECT_EQ(Complete({"midwire", "dialect", "show", "ms"}), "\n");
  EXPECT_EQ(Complete({"midwire", "dialect", "show", "mcp"}), "mcp\n");
  EXPECT_EQ(Complete({"midwire", "help", "rec"}), "record\nrecover\n");
}

TEST_F(CompletionTest, RecordedTapes) {
  std::filesystem::create_directories(Path("midwire"));
  const std::string tape = Save("midwire/weather.pcapng", "");
  EXPECT_EQ(Complete({"midwire", "show", Path("midwire/w")}), tape + "\n" + tape + "\n")
      << "as a tape, and as a file";
  EXPECT_EQ(Complete({"midwire", "replay", Path("m")}).find("weather.jsonl"), std::string::npos);
}

TEST_F(CompletionTest, MethodsAndLabelsOfTheTrace) {
  const std::string sample = SourceFolder() + "/corpora/mcp/sessions/golden.pcapng";
  const std::string methods = Complete({"midwire", "show", sample, "method", "=", "tools/"});
  EXPECT_NE(("\n" + methods).find("\ntools/call\n"), std::string::npos) << methods;
  EXPECT_EQ(methods.find("resources/"), std::string::npos) << methods;
  EXPECT_NE(Complete({"midwire", "show", sample, "label", "="}), "\n");
  EXPECT_EQ(Complete({"midwire", "show", sample, "kind", "=", "re"}), "request\nresponse\n");
}

TEST_F(CompletionTest, ZshAndFishGetWholeWords) {
  const Ran ran = Run({"completion", "zsh", "--", "show", "--color=n"});
  EXPECT_EQ(ran.out, "--color=never\n");
  EXPECT_NE(Run({"completion", "fish", "--", "sta"}).out.find("stats\tprint counts"),
            std::string::npos);
  EXPECT_EQ(Run({"completion", "fish", "--", "record", "-o", ""}).out, ":files\n");
  EXPECT_EQ(Run({"completion", "zsh", "--", "corpus", "-o", ""}).out, ":folders\n");
}

TEST_F(CompletionTest, EachShellHasAScript) {
  EXPECT_NE(Run({"completion", "zsh"}).out.find("#compdef midwire"), std::string::npos);
  EXPECT_NE(Run({"completion", "fish"}).out.find("complete -c midwire"), std::string::npos);
  EXPECT_EQ(Run({"completion", "tcsh"}).code, 2);
}

TEST_F(CompletionTest, ThePluginsCommandAndFilesAfterRecord) {
  EXPECT_NE(("\n" + Complete({"midwire", "record", "--", "bas"})).find("\nbash\n"),
            std::string::npos);
  Save("some file", "");
  EXPECT_EQ(Complete({"midwire", "record", "--", "bash", "some"}), "some file\n");
}

// Every new option of a subcommand is offered: the help and the script must name the same.
TEST_F(CompletionTest, EveryOptionOfTheHelpIsOffered) {
  for (const char* command : {"record", "show", "stats", "check", "chaos", "corpus", "convert",
                              "recover", "completion"}) {
    const std::string help = Run({command, "--help"}).out;
    const std::string offered = "\n" + Complete({"midwire", command, "--"});
    size_t options = 0;
    for (size_t at = help.find("    --"); at != help.npos; at = help.find("    --", at + 1)) {
      const size_t end = help.find_first_of(" ,=[\n", at + 4);
      const std::string name = help.substr(at + 4, end - at - 4);
      if (name.size() <= 2) continue;
      ++options;
      EXPECT_NE(offered.find("\n" + name + "\n"), std::string::npos) << command << " " << name;
    }
    EXPECT_GT(options + (std::string(command) == "completion"), 0u) << help;
  }
}

}  // namespace
}  // namespace midwire::tools
