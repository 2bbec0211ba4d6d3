// The midwire command: the table of subcommands. What a subcommand does is in commands/.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/live/shim.h"
#include "io/signals.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace midwire::tools {
namespace {

// More words than a command line has: the plugin's command begins only after `--`.
constexpr int kManyWords = 1 << 20;

constexpr char kLook[] = "Record and look", kPlay[] = "Replay", kCheck[] = "Check",
               kFuzz[] = "Fuzz", kFiles[] = "Files and hosts", kHelp[] = "Help";

constexpr Command kCommands[] = {
    {"record", kLook, "run a plugin and record every byte of both directions", DeclareRecord, 0,
     true},
    {"list", kLook, "list recorded sessions: when, which plugin, how it ended", DeclareList},
    {"show", kLook, "print a trace as a timeline", DeclareShow},
    {"stats", kLook, "print counts, sizes and latencies of a trace", DeclareStats},
    {"view", kLook, "show recorded and running sessions in a browser", DeclareView},
    {"report", kLook, "write a page that shows traces in a browser", DeclareReport},
    {"export", kLook, "write a trace for Perfetto, OpenTelemetry, Mermaid or an issue",
     DeclareExport},
    {"bundle", kLook, "write a ZIP archive of a trace for a bug report", DeclareBundle},
    {"replay", kPlay, "play the host of a trace against a plugin and report differences",
     DeclareReplay, 1},
    {"mock", kPlay, "play the plugin of a trace for a host", DeclareMock},
    {"diff", kPlay, "report differences between two traces", DeclareDiff},
    {"check", kCheck, "find protocol violations in a trace or in a live session", DeclareCheck,
     kManyWords},
    {"dialect", kCheck, "list the built-in protocols, show one, detect that of a trace",
     DeclareDialect},
    {"infer", kCheck, "draft the dialect of an unknown protocol from traces", DeclareInfer},
    {"redact", kCheck, "copy a trace without its secrets", DeclareRedact},
    {"fuzz", kFuzz, "find inputs that make a plugin or a host fail", DeclareFuzz, 0},
    {"findings", kFuzz, "list what fuzz has found, the worst first", DeclareFindings},
    {"reduce", kFuzz, "shrink a trace that makes a plugin fail", DeclareReduce, 1},
    {"chaos", kFuzz, "run a plugin and inject faults into its session", DeclareChaos, 0, true},
    {"corpus", kFuzz, "write seeds and a dictionary for a fuzzer from traces", DeclareCorpus},
    {"cov-flags", kFuzz, "print compiler flags that give midwire fuzz coverage of a plugin",
     DeclareCovFlags},
    {"convert", kFiles, "convert a tape to a cassette or back (--times keeps times)",
     DeclareConvert},
    {"import", kFiles, "make a trace of a log of an editor, a host or another recorder",
     DeclareImport},
    {"recover", kFiles, "copy what is readable in a damaged trace", DeclareRecover},
    {"clean", kFiles, "remove old tapes from the folder that record writes to", DeclareClean},
    {"wrap", kFiles, "put midwire in front of the plugins of a host, in its configuration",
     DeclareWrap, kManyWords},
    {"unwrap", kFiles, "take midwire out of a host's configuration again", DeclareUnwrap},
    {"doctor", kFiles, "examine a plugin, or what is installed and wrapped here", DeclareDoctor, 0},
    {"wireshark", kFiles, "print where the dissector for Wireshark is, and how to use it",
     DeclareWireshark},
    {"help", kHelp, "print the help of a command", DeclareHelp, 0},
    {"completion", kHelp, "print a completion script for bash, zsh or fish", DeclareCompletion, 1},
};

constexpr char kFirstSteps[] = R"(Examples:
  midwire record -- my-plugin --flag     # where the host has: my-plugin --flag
  midwire list
  midwire show
  midwire show --sample
  midwire help record)";

struct DeclaredCommand {
  ArgumentParser parser;
  std::function<int()> run;
};

bool IsWord(const char* argument) { return argument[0] != '-' || argument[1] == '\0'; }

// `--learn 7` becomes `--learn=7`, because the value of a flag follows "=". Without another word
// for the trace, the number is its name.
void JoinLearn(const ArgumentParser& parser, int words, int at, int* argc, char** argv) {
  static std::string joined;
  if (strcmp(argv[at], "--learn") != 0 || at + 1 >= *argc || argv[at + 1][0] == '\0' ||
      strspn(argv[at + 1], "0123456789") != strlen(argv[at + 1])) {
    return;
  }
  for (int i = at + 2; i < *argc && words > 0 && strcmp(argv[i], "--") != 0; ++i) {
    if (IsWord(argv[i])) --words;
    if (parser.TakesValue(argv[i])) ++i;
  }
  if (words > 0) return;
  joined = std::string(argv[at]) + "=" + argv[at + 1];
  argv[at] = joined.data();
  std::copy(argv + at + 2, argv + *argc + 1, argv + at + 1);  // with the null at the end
  --*argc;
}

// How many of the arguments are midwire's own; the rest is the plugin's command.
int CutOffPluginCommand(const ArgumentParser& parser, int words, int argc, char** argv) {
  int own = 2;
  for (; own < argc && strcmp(argv[own], "--") != 0; ++own) {
    if (IsWord(argv[own])) {
      if (words-- == 0) break;
      continue;
    }
    JoinLearn(parser, words, own, &argc, argv);
    if (parser.TakesValue(argv[own])) ++own;
  }
  own = std::min(own, argc);
  const bool dashes = own < argc && strcmp(argv[own], "--") == 0;
  SetPluginCommand({argv + own + (dashes ? 1 : 0), argv + argc}, dashes);
  return own;
}

// A file opened while 0, 1 or 2 is closed would get that number, and a report would be written into
// it. So closed ones are filled with /dev/null, in a mode in which their use fails as if they were
// closed.
void FillStandardDescriptors() {
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      (void)!open("/dev/null", kModes[descriptor]);  // gets the lowest that is free: this one
    }
  }
}

// Before the options are parsed: this also concerns how their errors are reported.
bool NeverColors(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const bool split = strcmp(argv[i], "--color") == 0 && i + 1 < argc;
    if (strcmp(argv[i], "--color=never") == 0 || (split && strcmp(argv[i + 1], "never") == 0)) {
      return true;
    }
  }
  return false;
}

const Command* FindCommand(int argc, char** argv) {
  for (const Command& command : kCommands) {
    if (argc > 1 && strcmp(argv[1], command.name) == 0) return &command;
  }
  return nullptr;
}

// The command that an option stands before, as in `midwire --no-pager show`, or null. Such an
// option is mostly one of the command, and may have a value.
const Command* CommandBehindOption(int argc, char** argv) {
  constexpr std::string_view kOfMidwire[] = {"-h", "--help", "-V", "--version", "--"};
  if (argc < 3 || IsWord(argv[1])) return nullptr;
  if (std::find(std::begin(kOfMidwire), std::end(kOfMidwire), argv[1]) != std::end(kOfMidwire)) {
    return nullptr;
  }
  for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    if (const Command* command = FindCommand(argc - i + 1, argv + i - 1)) return command;
  }
  return nullptr;
}

int Main(int argc, char** argv) {
  // A fuzzed host started this process in place of its plugin.
  if (const char* shim = std::getenv(fuzz::kShimVariable)) return fuzz::RunShim(shim);
  const Command* asked = FindCommand(argc, argv);
  if (asked == nullptr || !asked->keeps_descriptors) FillStandardDescriptors();
  // A file size limit is then an error like a full disk, and is reported. Not set for commands that
  // run a plugin, which would inherit it.
  if (asked == nullptr || asked->words_before_plugin < 0) io::IgnoreSignals({SIGXFSZ});
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = no_color != nullptr && *no_color != '\0';

  CommandLine line("midwire",
                   "Record, show, check, replay and fuzz JSON-RPC sessions between a host and its "
                   "plugin over stdio.",
                   std::string("midwire ") + MIDWIRE_VERSION);
  line.root().Footer(kFirstSteps);
  std::vector<DeclaredCommand> declared;
  for (const Command& command : kCommands) {
    const ArgumentParser parser =
        line.root().AddSubcommand(command.name, command.purpose, command.group);
    declared.push_back({parser, command.declare(parser)});
    if (asked == &command && command.words_before_plugin >= 0) {
      argc = CutOffPluginCommand(parser, command.words_before_plugin, argc, argv);
    }
  }
  StartDiagnostics(/*colors=*/!plain && !NeverColors(argc, argv), StyleOf(2, "never").width);
  if (const Command* behind = CommandBehindOption(argc, argv)) {
    return Fail({"options stand behind the command", argv[1],
                 std::string("midwire ") + behind->name + " " + argv[1] + " ..."});
  }
  if (asked == nullptr && argc > 1 && argv[1][0] != '-')
    return Fail(FindSubcommand(line.root(), argv[1]).error());
  const Result<CommandLine::Parsed> parsed = line.Parse(argc, argv);
  if (!parsed) return Fail(parsed.error());
  if (!parsed->version.empty()) {
    Output output;
    output.Write(parsed->version);
    return output.Finish();
  }
  if (parsed->help) return PrintHelp(*parsed->help, parsed->help->path() == "midwire");
  for (const DeclaredCommand& command : declared) {
    if (command.parser.parsed()) return command.run();
  }
  return Fail({"no command", "", "see: midwire --help"});
}

}  // namespace

}  // namespace midwire::tools

int main(int argc, char** argv) {
  try {
    return midwire::tools::Main(argc, argv);
  } catch (const std::bad_alloc&) {  // the only exception that the code below does not handle
    constexpr char kText[] = "midwire: error: out of memory\n";
    (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
    return midwire::tools::kDataLost;
  }
}
