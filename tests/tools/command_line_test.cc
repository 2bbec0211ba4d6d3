// Help, and errors of the command line.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/tools/command.h"

namespace midwire::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CommandLineTest : public CommandTest {
 protected:
  std::string ErrorOf(std::vector<std::string> arguments) const {
    const Ran ran = Run(std::move(arguments));
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  }
  std::string Help(std::vector<std::string> arguments) const {
    const Ran ran = Run(std::move(arguments));
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
    return ran.out;
  }
  std::vector<std::string> Commands() const {
    std::vector<std::string> commands;
    std::istringstream lines(Help({"--help"}));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  ") && line[2] >= 'a' && line[2] <= 'z' &&
          !line.starts_with("  midwire")) {
        commands.push_back(line.substr(2, line.find(' ', 2) - 2));
      }
    }
    return commands;
  }
};

TEST_F(CommandLineTest, AnUnknownPlaceholderOfATapeIsRefused) {
  const std::string name = Path("{date}.pcapng");
  EXPECT_THAT(ErrorOf({"record", "-o", name, "--", "true"}),
              HasSubstr("--output: no such placeholder: {date}"));
  EXPECT_FALSE(std::filesystem::exists(name));
}

TEST_F(CommandLineTest, ABracketBeginsAFilterAlsoWithoutATrace) {
  EXPECT_THAT(ErrorOf({"show", "(a"}), HasSubstr("cannot read the filter: column 2"));
}

TEST_F(CommandLineTest, CommandsAreInGroups) {
  const std::string help = Help({"--help"});
  EXPECT_THAT(help, HasSubstr("\nRecord and look:\n  record      run a plugin"));
  EXPECT_THAT(help, HasSubstr("\nReplay:\n  replay "));
  EXPECT_THAT(help, HasSubstr("\nFuzz:\n  fuzz "));
  EXPECT_EQ(Help({"help"}), help);
}

TEST_F(CommandLineTest, HelpOfACommand) {
  const std::string help = Help({"clean", "--help"});
  EXPECT_THAT(help, StartsWith("midwire clean: remove old tapes from"));
  EXPECT_THAT(help, HasSubstr("\nUsage:\n  midwire clean [OPTIONS] [FOLDER]\n"));
  EXPECT_THAT(help, HasSubstr("\n      --older TIME  remove tapes"));
  EXPECT_EQ(Help({"help", "clean"}), help);
  EXPECT_THAT(Help({"help", "dialect", "show"}), HasSubstr("midwire dialect show [OPTIONS] NAME"));
}

TEST_F(CommandLineTest, ASubcommandOfACommandHasItsOwnExamples) {
  const std::string help = Help({"help", "dialect", "show"});
  EXPECT_THAT(help, HasSubstr("\n  midwire dialect show mcp\n"));
  EXPECT_THAT(help, Not(HasSubstr("midwire record")));
  EXPECT_THAT(Help({"dialect", "list", "--help"}),
              HasSubstr("\nExample:\n  midwire dialect list\n"));
  EXPECT_THAT(Help({"dialect", "detect", "--help"}),
              HasSubstr("\n  midwire dialect detect session.pcapng\n"));
}

TEST_F(CommandLineTest, UsageHasThePluginsCommandWhereThereIsOne) {
  EXPECT_THAT(Help({"help", "replay"}), HasSubstr("replay [OPTIONS] TRACE -- PLUGIN [ARGS...]\n"));
  EXPECT_THAT(Help({"help", "check"}),
              HasSubstr("check [OPTIONS] [TRACE...] [-- PLUGIN [ARGS...]]\n"));
  EXPECT_THAT(Help({"help", "doctor"}), HasSubstr("doctor [OPTIONS] [[--] PLUGIN [ARGS...]]\n"));
  EXPECT_THAT(Help({"help", "record"}), HasSubstr("record [OPTIONS] [--] PLUGIN [ARGS...]\n"));
}

TEST_F(CommandLineTest, ASecondTraceIsNoPlugin) {
  const std::string trace = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  const std::string second = Save("m2.pcapng", "");
  for (const char* command : {"replay", "reduce"}) {
    EXPECT_THAT(ErrorOf({command, trace, second, "--", "cat"}),
                HasSubstr(std::string(command) + " takes one trace: " + second + " (run it once"));
  }
}

TEST_F(CommandLineTest, HelpOfShowHasTheValuesOfFilters) {
  const std::string help = Help({"help", "show"});
  EXPECT_THAT(help, HasSubstr("with = !=: h2p or ->, p2h or <-\n"));
  EXPECT_THAT(help, HasSubstr("latency>50ms\n"));
  EXPECT_THAT(help, HasSubstr("unanswered, pending "));
}

TEST_F(CommandLineTest, EachCommandHasAnExampleAndNamesItsValues) {
  const std::vector<std::string> commands = Commands();
  EXPECT_GT(commands.size(), 25u);
  for (const std::string& command : commands) {
    const std::string help = Help({command, "--help"});
    EXPECT_THAT(help, HasSubstr("\nExample")) << command;
    EXPECT_THAT(help, Not(HasSubstr("TEXT"))) << command;
    EXPECT_THAT(help, Not(HasSubstr("UINT"))) << command;
  }
}

TEST_F(CommandLineTest, HelpFitsIntoEightyColumns) {
  for (const std::string& command : Commands()) {
    std::istringstream lines(Help({command, "--help"}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80u) << command << ": " << line;
    }
  }
}

TEST_F(CommandLineTest, AnExampleThatIsTooWideCanBeCopied) {
  EXPECT_THAT(Help({"check", "--help"}),
              HasSubstr(" --dialect my-protocol.json --strict --junit \\\n      report.xml\n"));
  EXPECT_THAT(Help({"show", "--help"}),
              HasSubstr("  midwire show -f --restarts session.pcapng\n"
                        "      a plugin that its host starts again and again\n"));
}

TEST_F(CommandLineTest, EachOptionWithAValueHasAWordForIt) {
  for (const std::string& command : Commands()) {
    std::istringstream lines(Help({"completion", "fish", "--", command, "--"}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_THAT(line, HasSubstr("\t")) << command;
    }
  }
  EXPECT_THAT(Help({"record", "--help"}), HasSubstr("--drain TIME "));
  EXPECT_THAT(Help({"record", "--help"}), HasSubstr("-o, --output FILE "));
  EXPECT_THAT(Help({"replay", "--help"}), HasSubstr("--learn[=N] "));
}

TEST_F(CommandLineTest, WhereTheDissectorForWiresharkIs) {
  const std::string out = Help({"wireshark"});
  const std::string script = out.substr(0, out.find('\n'));
  EXPECT_EQ(ReadFile(script), ReadFile(SourceFolder() + "/packaging/wireshark/midwire.lua"));
  // As a word for a shell.
  const bool plain = script.find(' ') == script.npos;
  const std::string word = plain ? script : "'" + script + "'";
  EXPECT_THAT(out, HasSubstr("\n  wireshark -X lua_script:" + word + " session.pcapng\n"));
  EXPECT_THAT(out, HasSubstr("\n  tshark -2 -X lua_script:" + word + " -r session.pcapng\n"));
}

TEST_F(CommandLineTest, Version) {
  EXPECT_THAT(Help({"-V"}), StartsWith("midwire "));
  EXPECT_EQ(Help({"-V"}), Help({"--version"}));
}

TEST_F(CommandLineTest, MisspelledNames) {
  EXPECT_THAT(ErrorOf({"shwo"}), HasSubstr("no such command: \"shwo\" (did you mean \"show\""));
  EXPECT_THAT(ErrorOf({"show", "--boddy"}),
              HasSubstr("no such option: --boddy (did you mean \"--body\""));
  EXPECT_THAT(ErrorOf({"show", "--zzzzzzzz"}),
              HasSubstr("no such option: --zzzzzzzz (see: midwire show --help)"));
  EXPECT_THAT(ErrorOf({"help", "statz"}), HasSubstr("did you mean \"stats\"? see: midwire --help"));
  EXPECT_THAT(ErrorOf({"show", "--boddy"}), HasSubstr("\"--body\"? see: midwire show --help)"));
  EXPECT_THAT(ErrorOf({"show", "-V"}), HasSubstr("no such option: -V (see: midwire show --help)"));
  EXPECT_THAT(ErrorOf({"dialect", "lst"}),
              HasSubstr("no such command: \"lst\" (did you mean \"list\"? see: midwire dialect "));
}

TEST_F(CommandLineTest, AnOptionOfAnotherCommandIsNoMisspelling) {
  EXPECT_THAT(ErrorOf({"show", "app.log", "--host", "tx"}),
              HasSubstr("no such option: --host (an option of fuzz, import, wrap, unwrap; see: "));
}

TEST_F(CommandLineTest, AnOptionBeforeTheCommand) {
  EXPECT_THAT(ErrorOf({"--no-pager", "show", "x"}),
              HasSubstr("error: options stand behind the command: --no-pager (midwire show "
                        "--no-pager ...)"));
  EXPECT_THAT(ErrorOf({"--dialect", "mcp", "check", "x"}), HasSubstr("(midwire check --dialect "));
  EXPECT_THAT(ErrorOf({"-x", "replay", "t", "--", "p"}), HasSubstr("(midwire replay -x ...)"));
  EXPECT_THAT(ErrorOf({"--zzz", "x"}), HasSubstr("no such option: --zzz (see: midwire --help)"));
  EXPECT_EQ(Run({"--version", "show"}).code, 0);
}

TEST_F(CommandLineTest, UsageShowsTheOutputThatIsNeeded) {
  EXPECT_THAT(Help({"bundle", "--help"}),
              HasSubstr("  midwire bundle [OPTIONS] [TRACE] -o FILE\n"));
  EXPECT_THAT(Help({"import", "--help"}),
              HasSubstr("  midwire import [OPTIONS] [LOG...] -o FILE\n"));
}

TEST_F(CommandLineTest, ErrorsAreInOneVoice) {
  EXPECT_THAT(ErrorOf({"show", "--color", "red"}),
              HasSubstr("error: --color: not one of auto, always, never: \"red\" (see: "));
  EXPECT_THAT(ErrorOf({"show", "-n", "x"}), HasSubstr("error: --last: not a whole number: \"x\""));
  EXPECT_THAT(ErrorOf({"show", "-n", "0"}), HasSubstr("error: --last: not in 1 to 1000000: \"0\""));
  EXPECT_THAT(ErrorOf({"convert", "x"}), HasSubstr("error: missing OUT (name a file, "));
  EXPECT_THAT(ErrorOf({"clean", "a", "b"}), HasSubstr("error: one argument too many: \"b\""));
  EXPECT_THAT(ErrorOf({"mock", "a", "--", "b"}), HasSubstr("one argument too many: \"b\""));
  EXPECT_THAT(ErrorOf({"help", "show", "stats"}), HasSubstr("show: has no subcommands: \"stats\""));
  EXPECT_THAT(ErrorOf({"show", "--since"}), HasSubstr("error: --since: needs a value: TIME"));
  EXPECT_THAT(ErrorOf({"dialect"}), HasSubstr("error: no command (see: midwire dialect --help)"));
  EXPECT_THAT(ErrorOf({}), HasSubstr("error: no command (see: midwire --help)"));
}

TEST_F(CommandLineTest, AWrongDeclarationNamesItsOption) {
  const std::string trace = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  const auto error_of = [&](const char* option) {
    return ErrorOf({"diff", trace, trace, option, "x"});
  };
  EXPECT_THAT(error_of("--ignore"), HasSubstr("error: --ignore: not a place in messages: \"x\""));
  EXPECT_THAT(error_of("--chunked"), HasSubstr("error: --chunked: not a place in messages: \"x\""));
  EXPECT_THAT(error_of("--shape"), HasSubstr("error: --shape: not a shape of a place: \"x\""));
  EXPECT_THAT(error_of("--bind"), HasSubstr("error: --bind: not a binding: \"x\" (write "));
}

TEST_F(CommandLineTest, ANumberWithoutAUnit) {
  EXPECT_THAT(ErrorOf({"record", "--drain", "5", "--", "true"}),
              HasSubstr("--drain: a time needs a unit: \"5\" (try 5s or 5ms; see: "));
  EXPECT_THAT(ErrorOf({"clean", "--over", "10"}),
              HasSubstr("--over: a size needs a unit: \"10\" (try 10k or 10M; see: "));
  EXPECT_EQ(Run({"record", "--drain", "0", "-o", Path("t"), "--", "true"}).code, 0);
  setenv("MIDWIRE_SYNC", "7", 1);
  EXPECT_THAT(ErrorOf({"record", "--", "true"}), HasSubstr("--sync: a time needs a unit"));
  unsetenv("MIDWIRE_SYNC");
}

TEST_F(CommandLineTest, ValuesThatDoNotFitAreReportedAlike) {
  const std::string trace = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  EXPECT_THAT(ErrorOf({"record", "--max-size", "1q", "--", "true"}),
              HasSubstr("error: --max-size: not a size: \"1q\" (try 100M)"));
  EXPECT_THAT(ErrorOf({"clean", "--older", "old"}),
              HasSubstr("error: --older: not a duration: \"old\" (try 30d, 12h)"));
  EXPECT_THAT(ErrorOf({"chaos", "--rate", "2", "--", "true"}),
              HasSubstr("error: --rate: not a share of the messages: \"2\" (try 0.25, 25%)"));
  EXPECT_THAT(ErrorOf({"show", trace, "--since", "soon"}),
              HasSubstr("error: --since: not a time: \"soon\" (try 10m (ago), "));
  EXPECT_THAT(ErrorOf({"report", trace, "--max-body", "0", "-o", Path("r.html")}),
              HasSubstr("error: --max-body: not a size above 0: \"0\" (try 4k, 1M)"));
}

TEST_F(CommandLineTest, OptionsAndFiltersHaveTheSameUnits) {
  const std::string trace = SourceFolder() + "/corpora/mcp/sessions/golden.jsonl";
  for (const char* size : {"1B", "2k", "2K", "2KiB", "2kB", "1M", "1MiB", "1MB", "1G", "1GB"}) {
    EXPECT_EQ(Run({"show", trace, std::string("size>") + size}).code, 0) << size;
    EXPECT_EQ(Run({"clean", Path(""), "--over", size}).code, 0) << size;
  }
  for (const char* time : {"5ns", "5us", "5ms", "5s", "5m", "5min", "5h", "5d"}) {
    EXPECT_EQ(Run({"show", trace, std::string("at<") + time}).code, 0) << time;
    EXPECT_EQ(Run({"clean", Path(""), "--older", time}).code, 0) << time;
  }
}

TEST_F(CommandLineTest, TheTableOfExitCodesHasEachCommand) {
  const std::string page = ReadFile(SourceFolder() + "/doc/exit-codes.md");
  const std::string table = page.substr(0, page.find("## Commands that exit as"));
  const std::vector<std::string> commands = Commands();
  for (const std::string& command : commands) {
    EXPECT_THAT(table, HasSubstr("`" + command + "`")) << "a row";
  }
  size_t at = 0;
  while ((at = table.find("\n| `", at)) != table.npos) {
    at += sizeof "\n| `" - 1;
    const std::string name = table.substr(at, table.find_first_of(" `", at) - at);
    EXPECT_THAT(commands, testing::Contains(name));
  }
}

TEST_F(CommandLineTest, ManualPages) {
  EXPECT_EQ(Run({"help", "--man-pages", Path("man")}).code, 0) << "makes the folder";
  const std::string page = ReadFile(Path("man/midwire-clean.1"));
  EXPECT_THAT(page, StartsWith(".TH \"MIDWIRE-CLEAN\" 1 "));
  EXPECT_THAT(page, HasSubstr("\n.TP\n\\fB\\-\\-older\\fR \\fITIME\\fR\nremove tapes"));
  EXPECT_THAT(page, HasSubstr("\n.SH EXAMPLES\n.PP\n.nf\nmidwire clean"));
  EXPECT_THAT(ReadFile(Path("man/midwire.1")), HasSubstr(".SS Record and look\n"));
  Save("file", "");
  EXPECT_EQ(Run({"help", "--man-pages", Path("file")}).code, 3);
}

TEST_F(CommandLineTest, AManualPageHasItsPurposeAndItsExitStatus) {
  EXPECT_EQ(Run({"help", "--man-pages", Path("man")}).code, 0);
  const std::string check = ReadFile(Path("man/midwire-check.1"));
  EXPECT_THAT(check, HasSubstr("\n.SH DESCRIPTION\n.PP\nFind protocol violations in a trace"));
  EXPECT_THAT(check, HasSubstr("\n.SH EXIT STATUS\n.PP\n0 no must is violated"));
  EXPECT_THAT(ReadFile(Path("man/midwire.1")), HasSubstr(".PP\nRecord, show, check, replay and"));
}

}  // namespace
}  // namespace midwire::tools
