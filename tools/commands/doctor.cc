// midwire doctor: what is installed, where tapes go and what is wrapped; what is odd about a
// plugin.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "io/process/launcher.h"
#include "proxy/tape_name.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/probing/try_plugin.h"
#include "tools/probing/why_not_started.h"
#include "tools/reporting/temporary_folder.h"
#include "tools/sample.h"
#include "tools/terminal.h"
#include "tools/wrapping/listing.h"
#include "view/text/folded.h"
#include "wire/json/ascii.h"
#include "wire/json/escape.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

using Answer = Received::Answer;

// Slower starts are reported: hosts wait a few seconds to a minute, and users less.
constexpr int64_t kSlowNs = 2'000'000'000;

struct DoctorArguments {
  std::vector<std::string> shown_only;
  std::string wait = "10s";
};

std::string Milliseconds(int64_t ns) { return std::to_string(ns / 1'000'000) + " ms"; }

std::string EndText(const ExitStatus& status) {
  return status.signal != 0 ? "killed by signal " + std::to_string(status.signal)
                            : "exit " + std::to_string(status.code);
}

std::string TapesSummary() {
  const auto folder = proxy::DefaultFolder();
  if (!folder) return wire::Escaped(folder.error().Text());
  std::error_code error;
  size_t count = 0;
  uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(*folder, error)) {
    if (file.path().extension() != ".pcapng") continue;
    ++count;
    std::error_code gone;
    const uintmax_t size = file.file_size(gone);
    if (!gone) bytes += size;
  }
  std::string text = wire::Escaped(*folder);
  if (error) return text + ": does not exist yet; the first session makes it";
  text += ": " + std::to_string(count) + (count == 1 ? " tape, " : " tapes, ");
  text += std::to_string(bytes / 1000) + " kB";
  if (access(folder->c_str(), W_OK) != 0) text += "; NOT writable: sessions are not recorded";
  return text;
}

// 0 or 1: whether something is odd.
int Overview(Output* output) {
  const std::string own = OwnPath();
  const std::string found = io::FindExecutable("midwire");
  output->Write(std::string("midwire  ") + MIDWIRE_VERSION + ", " + wire::Escaped(own) + "\n");
  std::error_code error;
  if (found.empty()) {
    output->Write(
        "         not in PATH: hosts need the absolute path, which midwire wrap writes\n");
  } else if (!std::filesystem::equivalent(found, own, error)) {
    output->Write("         another one is first in PATH: " + wire::Escaped(found) + "\n");
  }
  output->Write("tapes    " + TapesSummary() + "\n");
  for (char** at = environ; *at != nullptr; ++at) {
    if (std::string_view(*at).starts_with("MIDWIRE_")) {
      output->Write("set      " + WithoutSecrets(*at) + "\n");
    }
  }
  const std::string hosts = HostsText();
  output->Write(hosts.empty() ? "hosts    none that midwire knows is configured here\n"
                              : "\n" + hosts);
  return kFine;
}

// Lines of the report on a plugin.
class PluginReport {
 public:
  static constexpr size_t kColumn = 9;  // where the texts begin
  explicit PluginReport(Output* output) : output_(output) {}
  void Line(const std::string& about, const std::string& text) {
    std::string line = about;
    line.resize(kColumn, ' ');
    view::AppendFolded(text, kColumn, kColumn, width_, &line);
    output_->Write(line + "\n");
  }
  void Odd(const std::string& text) {
    Line("odd", text);
    odd_ = true;
  }
  void Note(const std::string& text) {
    Line("note", text);
    noted_ = true;
  }
  bool odd() const { return odd_; }
  bool noted() const { return noted_; }

 private:
  Output* output_;
  const size_t width_ = StyleOf(1, "auto").width;
  bool odd_ = false, noted_ = false;
};

// False: it cannot be found.
bool ReportCommand(const std::string& name, PluginReport* report) {
  const std::string shown = wire::Escaped(name);
  const std::string path = io::FindExecutable(name);
  if (path.empty()) {
    const char* in = std::getenv("PATH");
    report->Odd("command not found: " + shown + " is not in PATH, which is " +
                wire::Escaped(in != nullptr ? in : "not set"));
    return false;
  }
  if (access(path.c_str(), F_OK) != 0) {
    report->Odd("command not found: there is no file " + shown);
    return false;
  }
  if (access(path.c_str(), X_OK) != 0) {
    report->Odd("cannot be executed: " + wire::Escaped(path) + " (chmod +x it)");
    return false;
  }
  report->Line("command", path == name ? shown : shown + " is " + wire::Escaped(path));
  // What a session of a desktop has without the files of a shell.
  constexpr std::string_view kOfDesktops[] = {"/usr/local/bin", "/usr/bin", "/bin"};
  const std::string folder = path.substr(0, path.rfind('/'));
  if (path != name &&
      std::find(std::begin(kOfDesktops), std::end(kOfDesktops), folder) == std::end(kOfDesktops)) {
    report->Note("a host that is started from the desktop may not have " + wire::Escaped(folder) +
                 " in its PATH: write the absolute path there");
  }
  return true;
}

// The first lines of stderr that name an error. The last one may have only where a log is, as
// npm's.
void ReportErrors(const std::string& err, PluginReport* report) {
  constexpr size_t kMostShown = 3;
  const size_t last = err.find_last_of("\r\n", err.find_last_not_of("\r\n \t"));
  if (last == std::string::npos) return;  // one line, which is shown
  std::istringstream lines(err.substr(0, last));
  size_t shown = 0;
  for (std::string line; shown < kMostShown && std::getline(lines, line);) {
    const std::string lower = wire::ToLower(line);
    if (lower.find("error") == lower.npos) continue;
    report->Line(shown++ == 0 ? "stderr" : "", WithoutSecrets(line.substr(0, kMaxStray)));
  }
}

// The last line of stderr, which mostly has the cause.
std::string LastLine(const std::string& err) {
  const size_t end = err.find_last_not_of("\r\n \t");
  if (end == std::string::npos) return "stderr is empty";
  const std::string text = err.substr(0, end + 1);
  return "stderr ends with: " + WithoutSecrets(text.substr(text.find_last_of("\r\n") + 1));
}

// The one that shows most.
const Tried& BestOf(const std::vector<Tried>& tried) {
  return *std::max_element(tried.begin(), tried.end(), [](const Tried& a, const Tried& b) {
    if (a.received.answer != b.received.answer) return a.received.answer < b.received.answer;
    return a.received.messages < b.received.messages;
  });
}

std::string FramingText(const Tried& tried) {
  const bool lines = (tried.probe->framing == wire::Framing::kLine) != tried.received.other_framing;
  return lines ? "one message per line" : "Content-Length headers";
}

void ReportSilence(const std::vector<Tried>& tried, const std::string& wait, PluginReport* report) {
  const Tried& best = BestOf(tried);
  const auto ended =
      std::find_if(tried.begin(), tried.end(), [](const Tried& one) { return one.ended; });
  if (ended != tried.end() &&
      std::all_of(tried.begin(), tried.end(), [](const Tried& one) { return one.ended; })) {
    report->Odd("exits before it answers anything: " + EndText(ended->status) + "; " +
                LastLine(ended->err));
    ReportErrors(ended->err, report);
  } else if (std::any_of(tried.begin(), tried.end(),
                         [](const Tried& one) { return one.received.no_line_end; })) {
    report->Odd("answers without a line end: a host waits for the rest of the line");
  } else if (best.received.messages > 0) {
    if (best.received.echo) return;  // it is reported as an echo
    report->Line("protocol", "unknown: " + std::to_string(best.received.messages) +
                                 " messages, but no answer to the initialize of MCP, ACP, LSP and "
                                 "DAP within " +
                                 wait);
  } else {
    report->Odd("no message within " + wait + " after the initialize of MCP, ACP, LSP and DAP; " +
                LastLine(best.err));
    ReportErrors(best.err, report);
  }
}

// An error of a peer on one line: some are whole documents.
std::string ErrorText(const std::string& error) {
  const std::string line = error.substr(0, std::min(error.find_first_of("\r\n"), kMaxStray));
  return WithoutSecrets(line) + (line.size() < error.size() ? " ..." : "");
}

// What the error of the best answer to an initialize shows: a protocol that has no such request, or
// a request that it refuses.
void ReportRefusal(const Tried& best, const std::string& when, PluginReport* report) {
  const std::string error = ErrorText(best.received.error);
  report->Line("protocol", "JSON-RPC, " + FramingText(best) + ": answers initialize" + when +
                               " with an error: " + error);
  if (best.received.unknown_method) {
    report->Note(
        "it has no initialize: another protocol, or MCP from 2026-07-28 on, which has none");
  } else {
    report->Odd("refuses the initialize of each protocol that doctor knows (MCP, ACP, LSP, DAP)");
  }
}

void ReportAnswer(const Tried& best, PluginReport* report) {
  const Received& received = best.received;
  const std::string when = " after " + Milliseconds(best.answer_ns);
  const std::string title(best.probe->title);
  if (received.answer == Answer::kExpected) {
    report->Line("protocol", title + ", " + FramingText(best) + ": answers initialize" + when);
  } else if (received.answer == Answer::kOther) {
    report->Line("protocol", "JSON-RPC, " + FramingText(best) + ": answers initialize" + when +
                                 ", but not as MCP, ACP, LSP or DAP require");
  } else {
    ReportRefusal(best, when, report);
  }
  if (received.other_framing) {
    report->Odd("wrong framing: " + title + " was sent in the other one, and the answer came in " +
                FramingText(best));
  }
  if (best.answer_ns >= kSlowNs) {
    report->Odd("slow start: " + Milliseconds(best.answer_ns) + "; a host may give up before");
  }
}

void ReportStray(const Tried& best, PluginReport* report) {
  if (best.received.stray == 0) return;
  report->Odd("stdout has " + std::to_string(best.received.stray) +
              (best.received.stray == 1 ? " text that is no message: \""
                                        : " texts that are no messages, first: \"") +
              WithoutSecrets(best.received.first_stray) + "\"; write such texts to stderr");
}

// A program that repeats its input would pass as one that speaks.
void ReportEcho(const std::vector<Tried>& tried, const Tried& best, PluginReport* report) {
  const bool echo =
      best.received.echo ||
      std::any_of(tried.begin(), tried.end(), [](const Tried& one) { return one.received.echo; });
  if (!echo) return;
  report->Odd(
      best.received.answer == Answer::kNone
          ? "sends back what it gets, and no answer: this is no JSON-RPC plugin"
          : "sends back what it gets, and then an answer: does it run in a terminal, or print "
            "its input?");
}

// Why a plugin that answered does not when it is started again.
std::string SilenceText(const Tried& tried, const std::string& wait) {
  return (tried.ended ? "exits before it answers: " + EndText(tried.status)
                      : "gives no answer within " + wait) +
         "; " + LastLine(tried.err);
}

void ReportThroughMidwire(const std::vector<std::string>& plugin, const Tried& best,
                          const DoctorArguments& arguments, int64_t wait_ns, PluginReport* report) {
  TemporaryFolder folder;
  if (folder.path().empty()) return report->Odd("no temporary folder can be made for a tape");
  const std::string tape = folder.path() + "/session.pcapng";
  std::vector<std::string> argv = {OwnPath(), "record", "-o", tape, "--"};
  argv.insert(argv.end(), plugin.begin(), plugin.end());
  const auto tried = TryPlugin(argv, {best.probe}, wait_ns);
  if (!tried) return report->Odd("through midwire: " + wire::Escaped(tried.error().Text()));
  const Tried& through = tried->front();
  if (through.received.answer == best.received.answer &&
      through.received.error == best.received.error) {
    report->Line("midwire",
                 "through midwire record, the same after " + Milliseconds(through.answer_ns));
  } else if (through.answer_ns < 0) {
    report->Odd("through midwire record, it " + SilenceText(through, arguments.wait));
  } else {
    report->Odd("through midwire record, another answer: " + ErrorText(through.received.error));
  }
  std::error_code missing;
  if (std::filesystem::file_size(tape, missing) == 0 || missing) {
    report->Odd("the session was not recorded: " + LastLine(through.err));
  }
}

int Examine(const std::vector<std::string>& plugin, const DoctorArguments& arguments,
            Output* output) {
  const auto wait_ns = wire::ParseDuration(arguments.wait);
  if (!wait_ns || *wait_ns == 0)
    return Fail(WrongValue("--wait", arguments.wait, "not a duration above 0", "try 10s"));
  PluginReport report(output);
  if (!ReportCommand(plugin[0], &report)) return kDifference;
  std::vector<const Probe*> probes;
  for (const Probe& probe : Probes()) probes.push_back(&probe);
  const auto tried = TryPlugin(plugin, probes, *wait_ns);
  if (!tried) {
    report.Odd(wire::Escaped(tried.error().Text()) + WhyNotStarted(plugin[0]));
    return kDifference;
  }
  Tried best = BestOf(*tried);
  // Alone, for the time: four at once are slower.
  const auto alone = best.answer_ns < 0 ? tried : TryPlugin(plugin, {best.probe}, *wait_ns);
  if (alone && alone->front().received.answer == best.received.answer) best = alone->front();
  if (best.received.answer == Answer::kNone) {
    ReportSilence(*tried, arguments.wait, &report);
  } else {
    ReportAnswer(best, &report);
  }
  ReportEcho(*tried, best, &report);
  ReportStray(best, &report);
  if (best.answer_ns >= 0 && alone && alone->front().answer_ns < 0) {
    report.Odd("started a second time, it " + SilenceText(alone->front(), arguments.wait));
  } else if (best.received.answer != Answer::kNone) {
    ReportThroughMidwire(plugin, best, arguments, *wait_ns, &report);
  }
  if (!report.odd()) report.Line("", report.noted() ? "nothing else is odd" : "nothing is odd");
  return report.odd() ? kDifference : kFine;
}

int Diagnose(const DoctorArguments& arguments) {
  if (PluginAsked() && PluginCommand().empty())
    return Fail({"no plugin after --", "", "midwire doctor -- PLUGIN ARGS..."});
  Output output;
  const int code =
      PluginCommand().empty() ? Overview(&output) : Examine(PluginCommand(), arguments, &output);
  const int written = output.Finish();
  return written != kFine ? written : code;
}

}  // namespace

std::function<int()> DeclareDoctor(ArgumentParser parser) {
  auto arguments = std::make_shared<DoctorArguments>();
  // Declared for the help text only: main removes the plugin's command before the rest is parsed.
  parser
      .AddOption("PLUGIN", &arguments->shown_only,
                 "a plugin's command with its arguments; without it, midwire itself is examined")
      .TypeName("[[--] PLUGIN [ARGS...]]");
  parser.AddOption("--wait", &arguments->wait,
                   "longest wait for an answer of the plugin, in each of three rounds "
                   "(default 10s)");
  parser.Footer(
      "Starts the plugin six times: with the first request of MCP, ACP, LSP and DAP at once, then\n"
      "alone, and once through midwire record. Nothing is written to the folder of tapes.\n\n"
      "Example:\n"
      "  midwire doctor\n"
      "  midwire doctor -- npx -y my-server");
  return [arguments] { return Diagnose(*arguments); };
}

}  // namespace midwire::tools
