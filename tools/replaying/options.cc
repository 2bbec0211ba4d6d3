#include "tools/replaying/options.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "io/current_host.h"
#include "io/files/write_file.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/read_ahead.h"
#include "tools/terminal.h"
#include "view/text/junit.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

void AddList(ArgumentParser parser, const char* name, std::vector<std::string>* to,
             const char* purpose) {
  parser.AddOption(name, to, purpose).OnePerUse();
}

// "asap" is 0, "recorded" 1, "2x" 2. Below 0: none of these.
double SpeedOf(const std::string& timing) {
  if (timing == "asap") return 0;
  if (timing == "recorded") return 1;
  char* rest = nullptr;
  const double speed = std::strtod(timing.c_str(), &rest);
  const bool ok = rest != timing.c_str() && strcmp(rest, "x") == 0 && speed > 0 && speed < 1e6;
  return ok ? speed : -1;
}

Status AddPlaces(const std::vector<std::string>& texts, std::vector<replay::Place>* to,
                 Result<replay::Place> (*parse)(std::string_view) = wire::ParseScopedPlace) {
  for (const std::string& text : texts) {
    Result<replay::Place> place = parse(text);
    if (!place) return place.error();
    to->push_back(std::move(*place));
  }
  return Ok{};
}

Status AddShapes(const std::vector<std::string>& texts, std::vector<replay::ShapedPlace>* to) {
  for (const std::string& text : texts) {
    Result<replay::ShapedPlace> shape = replay::ParseShapedPlace(text);
    if (!shape) return shape.error();
    to->push_back(std::move(*shape));
  }
  return Ok{};
}

Status AddScopes(const std::vector<std::string>& texts, std::vector<wire::MethodScope>* to) {
  for (const std::string& text : texts) {
    Result<wire::MethodScope> scope = wire::ParseMethodScope(text);
    if (!scope) return scope.error();
    to->push_back(std::move(*scope));
  }
  return Ok{};
}

void AddScopes(const std::vector<wire::MethodScope>& scopes, std::vector<wire::MethodScope>* to) {
  to->insert(to->end(), scopes.begin(), scopes.end());
}

// Of the options that hide a difference.
void AddSought(const replay::Declarations& declared, replay::Unused* to) {
  for (const replay::Place& place : declared.ignores) to->Add("--ignore", place);
  for (const replay::ShapedPlace& shaped : declared.shapes) to->Add("--shape", shaped.at);
  for (const replay::Place& place : declared.unordered) to->Add("--unordered", place);
  for (const replay::Place& place : declared.chunked) to->Add("--chunked", place);
  for (const wire::MethodScope& scope : declared.floating_methods) to->Add("--floating", scope);
  for (const wire::MethodScope& scope : declared.volatile_methods) to->Add("--volatile", scope);
}

// Of an option of the command line, whose name the parsers do not know.
Status Named(const char* option, Status added) {
  if (added) return added;
  Error error = added.error();
  error.what = std::string(option) + ": " + error.what;
  return error;
}

// What is not compared, or only in part.
Status AddTolerances(const wire::Dialect& dialect, replay::Declarations* to) {
  AddScopes(dialect.volatile_methods, &to->volatile_methods);
  AddScopes(dialect.floating_methods, &to->floating_methods);
  for (const Status& added :
       {AddPlaces(dialect.ignores, &to->ignores), AddPlaces(dialect.unordered, &to->unordered),
        AddPlaces(dialect.chunked, &to->chunked, replay::ParseChunkedPlace)}) {
    if (!added) return added;
  }
  const Status added = AddShapes(dialect.shapes, &to->shapes);
  if (added) return Ok{};
  Error error = added.error();
  error.where = dialect.file + ": " + error.where;
  return error;
}

// What identifies values: bindings, embedded ids, the host's pid.
Status AddIdentities(const wire::Dialect& dialect, replay::Declarations* to) {
  to->framing = dialect.framing;
  for (const std::string& text : dialect.binds) {
    Result<replay::Bind> bind = replay::ParseBind(text);
    if (!bind) return bind.error();
    to->binds.push_back(std::move(*bind));
  }
  const auto add_ids = [to](const std::vector<wire::MethodPlace>& places, replay::IdOf whose) {
    for (const wire::MethodPlace& place : places) {
      to->ids.push_back({place, whose});
    }
  };
  add_ids(dialect.ids_of_sender, replay::IdOf::kSender);
  add_ids(dialect.ids_of_receiver, replay::IdOf::kReceiver);
  const std::vector<wire::MethodPlace>& capabilities = dialect.negotiation.capabilities;
  to->host_names.insert(to->host_names.end(), capabilities.begin(), capabilities.end());
  to->host_pids.insert(to->host_pids.end(), dialect.host_pids.begin(), dialect.host_pids.end());
  return Ok{};
}

}  // namespace

void DeclareArguments::AddTo(ArgumentParser parser) {
  AddList(
      parser, "--ignore", &ignores,
      "ignore differences at this JSON pointer; * matches any step, METHOD:/pointer limits it to "
      "one method, METHOD[/params/name=VALUE]:/pointer to calls whose request has this value; so "
      "do "
      "the options below; repeatable");
  AddList(parser, "--shape", &shapes,
          "PLACE=SHAPE: any value of the shape (integer, number, timestamp, uuid, path, duration, "
          "text:TEMPLATE, regex:PATTERN) counts as equal at [METHOD:]/pointer; repeatable");
  AddList(parser, "--unordered", &unordered,
          "the items of the array at [METHOD:]/pointer may come in any order; repeatable");
  AddList(parser, "--chunked", &chunked,
          "the text at METHOD:/pointer comes in pieces, cut anywhere: compare the whole; "
          "repeatable");
  AddList(parser, "--floating", &floating_methods,
          "messages of this METHOD[/params/name=VALUE] may come at any place, but as often as "
          "recorded; repeatable");
  AddList(parser, "--volatile", &volatile_methods,
          "messages of this METHOD[/params/name=VALUE] may come at any place and in any number (a "
          "final * matches any rest); repeatable");
  AddList(
      parser, "--bind", &binds,
      "auto (default): a value that the peer generated and that we repeat is replaced by the live "
      "one; off: only declared ones; FROM=TO: declare one, each a [METHOD:]/pointer; repeatable");
  AddList(
      parser, "--map", &maps,
      "FROM=TO: read the recorded path FROM as TO, in paths and file URIs; the recorded working "
      "and home directory are read as today's without an option; repeatable");
  parser.AddOption("--dialect", &dialect,
                   "the protocol, a built-in dialect or a file: apply all that it declares for "
                   "replay (doc/dialects.md); of a dialect that is only detected, what changes is "
                   "not hidden; none: apply nothing");
}

Result<ParsedDeclarations> DeclareArguments::ParseOptions(const std::vector<std::string>& traces,
                                                          Logs logs) const {
  ParsedDeclarations parsed;
  replay::Declarations& declared = parsed.declared;
  declared = replay::Declarations::WithDefaults();
  for (const Status& added :
       {Named("--ignore", AddPlaces(ignores, &declared.ignores)),
        Named("--unordered", AddPlaces(unordered, &declared.unordered)),
        Named("--chunked", AddPlaces(chunked, &declared.chunked, replay::ParseChunkedPlace)),
        Named("--shape", AddShapes(shapes, &declared.shapes)),
        Named("--volatile", AddScopes(volatile_methods, &declared.volatile_methods)),
        Named("--floating", AddScopes(floating_methods, &declared.floating_methods))}) {
    if (!added) return added.error();
  }
  AddSought(declared, &parsed.unused);
  Result<ChosenDialect> chosen = ChooseDialect(dialect, traces, /*strict=*/false, logs);
  if (!chosen) return chosen.error();
  if (chosen->dialect != nullptr) {
    if (Status added = AddIdentities(*chosen->dialect, &declared); !added) return added.error();
    if (!chosen->detected) {
      if (Status added = AddTolerances(*chosen->dialect, &declared); !added) return added.error();
    }
    parsed.head = std::move(chosen->head);
    parsed.background = std::move(chosen->dialect->background);
    parsed.labels = std::move(chosen->dialect->labels);
  }
  for (const std::string& text : binds) {
    if (text == "auto" || text == "off") {
      declared.infer_binds = text == "auto";
      continue;
    }
    Result<replay::Bind> bind = replay::ParseBind(text);
    if (!bind) return Named("--bind", bind.error()).error();
    declared.binds.push_back(std::move(*bind));
  }
  for (const std::string& text : maps) {
    Result<replay::PathPair> pair = replay::ParseMap(text);
    if (!pair) return WrongValue("--map", text, "not a map", pair.error().remedy.c_str());
    declared.maps.push_back(std::move(*pair));
  }
  for (const size_t count :
       {ignores.size(), shapes.size(), unordered.size(), chunked.size(), volatile_methods.size(),
        floating_methods.size(), binds.size(), maps.size()}) {
    if (count > replay::kMaxDeclared)
      return Error{"more than 1000 options of one kind", "",
                   "declare them in the header of a cassette, or in a dialect"};
  }
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
    parser.AddOption("--timeout", &timeout, "end the run after this much silence (default 5s)");
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
  if (!arguments.junit.empty() && !io::WriteFile(arguments.junit, xml)) {
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
  if (!io::WriteFile(arguments.junit, xml)) {
    ReportError({"cannot write the JUnit report", arguments.junit, strerror(errno)});
    code = kDataLost;
  }
  return code;
}

}  // namespace midwire::tools
