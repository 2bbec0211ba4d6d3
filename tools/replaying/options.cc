#include "tools/replaying/options.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "io/current_host.h"
#include "io/files/write_file.h"
#include "replay/script/declaration_kinds.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/read_ahead.h"
#include "tools/terminal.h"
#include "view/text/junit.h"
#include "wire/dialect/declaration_lists.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

// "asap" is 0, "recorded" 1, "2x" 2. Below 0: none of these.
double SpeedOf(const std::string& timing) {
  if (timing == "asap") return 0;
  if (timing == "recorded") return 1;
  char* rest = nullptr;
  const double speed = std::strtod(timing.c_str(), &rest);
  const bool ok = rest != timing.c_str() && strcmp(rest, "x") == 0 && speed > 0 && speed < 1e6;
  return ok ? speed : -1;
}

// Of the command line: kinds that hide a difference, or the others.
Status AddOptions(const DeclareArguments& arguments, bool hides, replay::Declarations* to) {
  for (const replay::DeclarationKind& kind : replay::DeclarationKinds()) {
    const auto texts = arguments.texts.find(kind.path);
    if (kind.hides != hides || texts == arguments.texts.end()) continue;
    for (const std::string& text : texts->second) {
      const Status added = replay::DeclareOption(kind.path, text, to);
      if (added) continue;
      // The parsers know no options.
      Error error = added.error();
      error.what = "--" + std::string(kind.path) + ": " + error.what;
      return error;
    }
  }
  return Ok{};
}

// What a dialect declares, by the kinds' paths.
std::map<std::string_view, std::vector<std::string>> DeclaredBy(const wire::Dialect& dialect) {
  std::map<std::string_view, std::vector<std::string>> declared;
  for (const wire::DeclarationList& list : wire::kDeclarationLists) {
    declared[list.member] = wire::DeclaredTexts(dialect, list);
  }
  const auto add = [&](std::string_view path, const std::vector<wire::MethodPlace>& places) {
    for (const wire::MethodPlace& place : places) declared[path].push_back(place.text);
  };
  add("ids/sender", dialect.ids_of_sender);
  add("ids/receiver", dialect.ids_of_receiver);
  add("host/pid", dialect.host_pids);
  return declared;
}

// `detected`: without the kinds that hide a difference.
Status AddDialect(const wire::Dialect& dialect, bool detected, replay::Declarations* to) {
  to->framing = dialect.framing;
  const std::vector<wire::MethodPlace>& capabilities = dialect.negotiation.capabilities;
  to->host_names.insert(to->host_names.end(), capabilities.begin(), capabilities.end());
  auto declared = DeclaredBy(dialect);
  for (const replay::DeclarationKind& kind : replay::DeclarationKinds()) {
    if (detected && kind.hides) continue;
    for (const std::string& text : declared[kind.path]) {
      const Status added = replay::Declare(kind.path, text, to);
      if (added) continue;
      Error error = added.error();
      error.where = dialect.file + ": " + error.where;
      return error;
    }
  }
  return Ok{};
}

}  // namespace

void DeclareArguments::AddTo(ArgumentParser parser) {
  for (const replay::DeclarationKind& kind : replay::DeclarationKinds()) {
    if (!kind.is_option()) continue;
    parser.AddOption("--" + std::string(kind.path), &texts[kind.path], std::string(kind.help))
        .OnePerUse()
        .TypeName(std::string(kind.value));
  }
  parser
      .AddOption("--map", &maps,
                 "read the recorded path FROM as TO, in paths and file URIs; the recorded "
                 "working and home directory are read as today's without an option; repeatable")
      .OnePerUse();
  parser.AddOption(
      "--dialect", &dialect,
      "the protocol: a built-in dialect or a file; applies all that it declares for replay "
      "(doc/dialects.md). A dialect that midwire detects applies only bind, ids and host. "
      "none: apply nothing");
}

Result<ParsedDeclarations> DeclareArguments::ParseOptions(const std::vector<std::string>& traces,
                                                          Logs logs) const {
  ParsedDeclarations parsed;
  replay::Declarations& declared = parsed.declared;
  declared = replay::Declarations::WithDefaults();
  if (Status added = AddOptions(*this, /*hides=*/true, &declared); !added) return added.error();
  parsed.unused.AddAll(declared);
  Result<ChosenDialect> chosen = ChooseDialect(dialect, traces, /*strict=*/false, logs);
  if (!chosen) return chosen.error();
  if (chosen->dialect != nullptr) {
    if (Status added = AddDialect(*chosen->dialect, chosen->detected, &declared); !added) {
      return added.error();
    }
    parsed.head = std::move(chosen->head);
    parsed.background = std::move(chosen->dialect->background);
    parsed.labels = std::move(chosen->dialect->labels);
  }
  if (Status added = AddOptions(*this, /*hides=*/false, &declared); !added) return added.error();
  for (const std::string& text : maps) {
    Result<replay::PathPair> pair = replay::ParseMap(text);
    if (!pair) return WrongValue("--map", text, "not a map", pair.error().remedy.c_str());
    declared.maps.push_back(std::move(*pair));
  }
  size_t most = maps.size();
  for (const auto& list : texts) most = std::max(most, list.second.size());
  if (most > replay::kMaxDeclared)
    return Error{"more than 1000 options of one kind", "",
                 "declare them in the header of a cassette, or in a dialect"};
  return parsed;
}

Result<std::unique_ptr<replay::Loaded>> LoadTrace(const std::string& path, wire::Direction ours,
                                                  replay::Declarations declared, bool keep_stderr) {
  const auto reader = OpenTraceOnce(path);
  if (!reader) return reader.error();
  return replay::Load(reader->get(), path, ours, std::move(declared), keep_stderr);
}

void ReportWarnings(const std::string& trace, const replay::Declarations& declared) {
  for (const std::string& warning : declared.warnings) {
    ReportNote(trace + ": " + warning);
  }
}

replay::HostIdentity CurrentHost(bool with_pid) {
  io::CurrentHost host = io::GetCurrentHost();
  return {std::move(host.cwd), std::move(host.home), with_pid ? host.pid : 0};
}

void LookForUnused(replay::Loaded* loaded, replay::Unused* unused) {
  const replay::Script& script = loaded->script;
  for (replay::StepIndex i = 0; i < script.steps.size() && !unused->empty(); ++i) {
    const replay::Step& step = script.steps[i];
    const Result<std::string_view> frame = loaded->frames.Get(step.at, step.size);
    // The run itself needs the frame too, and reports it.
    if (frame) unused->OnMessage(script.ClassOf(step), replay::BodyOf(step, *frame));
  }
}

void ReportUnused(const replay::Unused& unused) {
  for (const std::string& line : unused.Lines()) ReportWarning(line);
}

void ReportUnusedMaps(const replay::Loaded& loaded) {
  for (const std::string& path : loaded.host.UnusedMaps()) {
    ReportWarning("--map: the trace has no path \"" + path + "\"");
  }
}

void PlayArguments::AddTo(ArgumentParser parser, bool with_timeout) {
  parser
      .AddOption(
          "--order", &order,
          "causal (default): send a message when everything it may depend on has arrived; "
          "strict: when everything recorded before it has arrived, in that order; free: at once")
      .OneOf({"causal", "strict", "free"});
  parser.AddOption("--timing", &timing,
                   "asap (default); recorded: with the recorded pauses; 10x: ten times as fast");
  if (with_timeout) {
    parser.AddOption(
        "--timeout", &timeout,
        "end the run after this much silence (default 5s, and twice the recorded silence "
        "before an answer)");
  }
}

Result<replay::PlayerOptions> PlayArguments::ParseOptions() const {
  replay::PlayerOptions options;
  options.order = order == "strict" ? replay::Order::kStrict
                  : order == "free" ? replay::Order::kFree
                                    : replay::Order::kCausal;
  options.speed = SpeedOf(timing);
  if (options.speed < 0)
    return WrongValue("--timing", timing, "not a pace", "try asap, recorded, 10x");
  options.waits_as_recorded = timeout.empty();
  if (timeout.empty()) return options;
  const auto silence = wire::ParseDuration(timeout);
  if (!silence || *silence == 0)
    return WrongValue("--timeout", timeout, "not a duration above 0", "try 5s, 500ms");
  options.timeout_ns = *silence;
  return options;
}

void ReportArguments::AddTo(ArgumentParser parser) {
  parser.AddFlag("--json", &json, "print one JSON object, identical on every run (doc/replay.md)");
  parser.AddOption("--junit", &junit, "also write a JUnit XML report to this file");
  parser
      .AddOption("--color", &color,
                 "use colors; auto: if the output is a terminal and NO_COLOR is not set")
      .OneOf({"auto", "always", "never"});
}

int FailUnreadable(const Error& error, const std::string& verb, const std::string& trace,
                   const ReportArguments& arguments) {
  std::string xml;
  view::AppendJunitUnreadable(verb, trace, error.Text(), &xml);
  if (!arguments.junit.empty() && !io::WriteFile(arguments.junit, xml, 0600)) {
    ReportError({"cannot write the JUnit report", arguments.junit, strerror(errno)});
  }
  return Fail(error);
}

int WriteReport(const trace::ReplayReport& report, const view::ReportContext& context,
                const ReportArguments& arguments) {
  Output output;
  if (arguments.json) {
    view::AppendReplayJson(report, context, output.text());
  } else {
    view::AppendReplayText(report, context, StyleOf(1, arguments.color), output.text());
  }
  int code = output.Finish();
  if (arguments.junit.empty()) return code;
  std::string xml;
  view::AppendReplayJunit(report, context, &xml);
  if (!io::WriteFile(arguments.junit, xml, 0600)) {
    ReportError({"cannot write the JUnit report", arguments.junit, strerror(errno)});
    code = kDataLost;
  }
  return code;
}

}  // namespace midwire::tools
