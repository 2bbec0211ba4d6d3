// midwire check: holds a trace, or a session that it records on the way, against a dialect.
#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "proxy/record.h"
#include "proxy/signals.h"
#include "tools/check_listener.h"
#include "tools/check_report.h"
#include "tools/command.h"
#include "tools/load_dialect.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

constexpr char kFooter[] =
    R"(Exit status: 0 no must is broken (shoulds and notes do not fail), 1 one is, 2 the call or the dialect
is wrong, 3 the trace is damaged, and fine as far as it can be read.

Before a plugin (midwire check [options] -- PLUGIN ARGS...) it passes everything on as record does and
checks what was said when the plugin has ended: the report goes to stderr, as stdout is the host's.
It ends as the plugin did, but with 1 when that was 0 and a must is broken.

Examples:
  midwire check session.pcapng --dialect mcp
  midwire check session.jsonl --dialect my-protocol.json --strict --junit report.xml
  midwire check --dialect lsp -o session.pcapng -- clangd --log=error)";

struct Arguments {
  std::string trace, dialect, output, sarif, junit, color = "auto";
  bool strict = false, json = false, notes = false, list = false;
};

int Fail(const Error& error) {
  ReportError(error);
  return kUsage;
}

int List() {
  Output output;
  std::vector<wire::Dialect> dialects = LoadBuiltInDialects(/*strict=*/false);
  size_t width = 0;
  for (const wire::Dialect& dialect : dialects) width = std::max(width, dialect.name.size());
  for (const wire::Dialect& dialect : dialects) {
    std::string line = dialect.name;
    line.resize(width + 2, ' ');
    *output.text() += line + dialect.title + "\n";
  }
  return output.Finish();
}

// The dialect, named or to be detected, and what was found with it.
class Check {
 public:
  explicit Check(const Arguments& arguments) : arguments_(arguments) {}

  // Before anything else: a mistake in a dialect is not to cost a session.
  Status Prepare() {
    if (arguments_.dialect.empty()) {
      candidates_ = LoadBuiltInDialects(arguments_.strict);
      listener_ = std::make_unique<CheckListener>(nullptr, &candidates_);
      return Ok{};
    }
    Result<wire::Dialect> dialect = LoadNamedDialect(arguments_.dialect, arguments_.strict);
    if (!dialect) return dialect.error();
    candidates_.push_back(std::move(*dialect));
    listener_ = std::make_unique<CheckListener>(candidates_.data(), &candidates_);
    if (listener_->failed()) return RuleError();
    return Ok{};
  }

  Status Run(const std::string& path) {
    const Result<ReadOutcome> ending = ReadTrace(path, /*follow=*/false, listener_.get());
    if (!ending) return ending.error();
    ending_ = *ending;
    listener_->Finish();
    if (listener_->failed()) return RuleError();
    if (arguments_.dialect.empty()) {
      ReportNote("the dialect, by its first messages: " + listener_->dialect()->name +
                 " (--dialect names another, json-rpc-2.0 none)");
    }
    return Ok{};
  }

  // name: of the trace, as the user knows it.
  int Report(const std::string& name, int descriptor) {
    const CheckFindings& findings = *listener_->findings();
    // Fine, and no proof of anything: the recording may have gone wrong.
    if (listener_->messages() == 0) spdlog::warn("not one message: {}", wire::Escaped(name));
    const CheckContext context = {.trace = name,
                                  .dialect = listener_->dialect()->name,
                                  .strict = arguments_.strict,
                                  .messages = listener_->messages(),
                                  .sessions = listener_->sessions(),
                                  .rules = RulesOf(*listener_->dialect())};
    Output output(descriptor);
    if (arguments_.json) {
      AppendCheckJson(findings, context, output.text());
    } else {
      AppendCheckText(findings, context, arguments_.notes, LookOf(descriptor, arguments_.color),
                      output.text());
    }
    int code = output.Finish();
    const auto write = [&](const std::string& path, const char* what, auto append) {
      if (path.empty()) return;
      std::string text;
      append(findings, context, &text);
      if (WriteFile(path, text)) return;
      ReportError({std::string("cannot write the ") + what + " report", path, strerror(errno)});
      code = kDataLost;
    };
    write(arguments_.sarif, "SARIF", AppendCheckSarif);
    write(arguments_.junit, "JUnit", AppendCheckJunit);
    return code;
  }

  bool broken() const { return listener_->findings()->count(wire::Severity::kMust) > 0; }
  const ReadOutcome& ending() const { return ending_; }

 private:
  Error RuleError() const {
    Error error = *listener_->error();
    if (!arguments_.dialect.empty()) error.where = arguments_.dialect + ", " + error.where;
    return error;
  }

  const Arguments& arguments_;
  std::vector<wire::Dialect> candidates_;
  std::unique_ptr<CheckListener> listener_;
  ReadOutcome ending_;
};

int CheckTrace(const Arguments& arguments) {
  Check check(arguments);
  if (const Status prepared = check.Prepare(); !prepared) return Fail(prepared.error());
  std::string trace = arguments.trace;
  if (trace.empty()) {
    Result<std::string> newest = NewestTrace();
    if (!newest) return Fail(newest.error());
    trace = *newest;
  }
  if (const Status ran = check.Run(trace); !ran) return Fail(ran.error());
  const int written = check.Report(trace, STDOUT_FILENO);
  const int read = ReportOutcome(check.ending());
  if (written != kFine) return written;
  return check.broken() ? kDifference : read;
}

// A folder that is gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    path_ = (std::filesystem::temp_directory_path(error) / "midwire-XXXXXX").string();
    if (error || mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() { Remove(); }
  void Remove() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    path_.clear();
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A fault of ours never changes how the plugin's session ends, only what is known of it.
int CheckLive(const Arguments& arguments) {
  Check check(arguments);
  if (const Status prepared = check.Prepare(); !prepared) return Fail(prepared.error());
  TemporaryFolder folder;
  proxy::RecordOptions options = {.argv = PluginCommand(), .version = MIDWIRE_VERSION};
  options.output = arguments.output;
  if (options.output.empty()) {
    if (folder.path().empty()) {
      return Fail({"no place for a tape", "cannot make a temporary folder", "name one with -o"});
    }
    options.output = folder.path() + "/session.pcapng";
  }
  const proxy::RecordOutcome outcome = proxy::Record(options);
  if (!outcome.cannot_start.empty()) {
    ReportError({outcome.cannot_start, "", ""});
    return outcome.status.code;
  }
  bool broken = false;
  if (outcome.tape.empty()) {
    ReportError({"nothing to check: the session was not recorded", "", ""});
  } else if (const Status ran = check.Run(outcome.tape); !ran) {
    ReportError(ran.error());
  } else {
    (void)check.Report(arguments.output.empty() ? PluginCommand()[0] : outcome.tape, STDERR_FILENO);
    (void)ReportOutcome(check.ending());
    broken = check.broken();
  }
  folder.Remove();
  if (outcome.status.signal != 0) proxy::DieBy(outcome.status.signal);
  return outcome.status.code == 0 && broken ? static_cast<int>(kDifference) : outcome.status.code;
}

int Run(const Arguments& arguments) {
  if (arguments.list) return List();
  if (PluginAsked()) {
    if (!arguments.trace.empty()) {
      return Fail({"a trace or a plugin, one of them", arguments.trace,
                   "midwire check TRACE, or midwire check [options] -- PLUGIN ARGS..."});
    }
    if (!PluginCommand().empty() && !PluginCommand()[0].empty()) return CheckLive(arguments);
    return Fail({"no plugin after --", "", "midwire check [options] -- PLUGIN ARGS..."});
  }
  if (!PluginCommand().empty()) {
    return Fail({"one trace at a time, and nothing after it", PluginCommand()[0],
                 "a plugin comes after --: midwire check [options] -- PLUGIN ARGS..."});
  }
  if (!arguments.output.empty()) {
    return Fail({"-o keeps the tape of a plugin's session, and there is no plugin",
                 arguments.output, "--json, --sarif and --junit are the reports"});
  }
  return CheckTrace(arguments);
}

}  // namespace

std::function<int()> DeclareCheck(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  app->add_option("TRACE", arguments->trace,
                  "tape or cassette, - for standard input (default: the newest tape)");
  app->add_option("--dialect", arguments->dialect,
                  "a built-in dialect, or a file (doc/dialects.md); default: told by the first "
                  "messages");
  app->add_flag("--strict", arguments->strict,
                "take the protocol's text at its word where its programs are known to differ");
  app->add_flag("--notes", arguments->notes, "show notes too: what is tolerated");
  app->add_flag("--json", arguments->json, "one JSON object, notes included (doc/dialects.md)");
  app->add_option("--sarif", arguments->sarif, "also write a SARIF 2.1.0 report to this file");
  app->add_option("--junit", arguments->junit, "also write a JUnit XML report to this file");
  app->add_option("-o,--output", arguments->output,
                  "before a plugin: keep the tape under this name, as record does");
  app->add_option("--color", arguments->color, "colours: auto means on a terminal without NO_COLOR")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app->add_flag("--list", arguments->list, "name the built-in dialects");
  app->footer(kFooter);
  return [arguments] { return Run(*arguments); };
}

}  // namespace midwire::tools
