// midwire record: runs a plugin and records its session. Reads its options from the command line or
// the environment, and ends as the plugin does: with its exit code, or by its signal.
#include "proxy/record.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "io/process/detached.h"
#include "io/signals.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/load_dialect.h"
#include "tools/output_files.h"
#include "trace/redact/secret_place.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

struct RecordArguments {
  std::vector<std::string> shown_only;
  std::string output;
  std::string framing = "auto";
  std::vector<std::string> redact;
  std::string dialect;
  bool no_shapes = false;
  bool no_stderr = false;
  std::string wrapped;
  std::string drain = "2s";
  std::string sync = "0";
  std::string max_size = "0";
  std::string keep = "0";
  bool view = false;
};

// The word of --redact that selects all secrets of the dialect.
constexpr char kOfDialect[] = "dialect";
// The word that selects nothing else: shapes are redacted with any --redact.
constexpr char kShapes[] = "shapes";

// Pointers begin with a slash, so a blank before a slash separates two pointers.
std::vector<std::string> SplitPointers(const std::string& text) {
  std::vector<std::string> pointers;
  size_t start = 0;
  for (const std::string_view word : {kShapes, kOfDialect, kShapes}) {
    const std::string_view rest = std::string_view(text).substr(start);
    if (!rest.starts_with(word)) continue;
    if (rest.size() > word.size() && rest[word.size()] != ' ') continue;
    pointers.emplace_back(word);
    start = std::min(text.size(), start + word.size() + 1);
  }
  while (start < text.size()) {
    size_t end = start;
    do {
      end = text.find_first_of(" \n", end + 1);
    } while (end != std::string::npos && text.compare(end + 1, 1, "/") != 0);
    pointers.push_back(text.substr(start, end == std::string::npos ? end : end - start));
    start = end == std::string::npos ? text.size() : end + 1;
  }
  return pointers;
}

// Adds the secret places of the dialect. The method of a message may be known only after its secret
// was recorded, so each place applies to all methods.
bool HideDialect(const std::string& name, proxy::RecordOptions* to) {
  if (name.empty()) {
    ReportError({std::string("--redact ") + kOfDialect + ": no dialect is named", "",
                 "add --dialect NAME or FILE"});
    return false;
  }
  const Result<wire::Dialect> dialect = LoadNamedDialect(name, /*strict=*/false);
  if (!dialect) return Fail(dialect.error(), false);
  const trace::redact::SecretPlaces secrets = trace::redact::SecretsOf(*dialect);
  if (secrets.empty()) {
    return Fail({"the dialect declares no secrets", name, "name JSON pointers with --redact"},
                false);
  }
  const trace::redact::StreamedPlaces places = trace::redact::ForAnyMethod(secrets);
  to->redact.pointers.insert(to->redact.pointers.end(), places.pointers.begin(),
                             places.pointers.end());
  to->redact.names = places.names;
  return true;
}

// Fills *to. On an error, reports it in one line and returns false.
bool ParseRecordOptions(const RecordArguments& arguments, proxy::RecordOptions* to) {
  const auto wrong = [](const char* option, const std::string& value, const char* what,
                        const char* remedy) {
    return Fail(WrongValue(option, value, what, remedy), false);
  };
  if (PluginCommand().empty() || PluginCommand()[0].empty())
    return Fail({"no plugin to run", "", "midwire record [options] [--] PLUGIN ARGS..."}, false);
  to->argv = PluginCommand();
  to->version = MIDWIRE_VERSION;
  to->output = arguments.output;
  if (to->output == "-") {
    return wrong("--output", "-", "standard output belongs to the plugin", "name a file");
  }
  if (const Status known = HasKnownPlaceholders("--output", to->output); !known) {
    return Fail(known.error(), false);
  }
  if (!wire::ParseFraming(arguments.framing, &to->framing)) {
    return wrong("--framing", arguments.framing, "no such framing",
                 "try auto, line, content-length");
  }
  bool hidden = arguments.dialect.empty();
  for (const std::string& text : arguments.redact) {
    for (const std::string& pointer : SplitPointers(text)) {
      if (pointer == kShapes) continue;
      if (pointer == kOfDialect) {
        if (!HideDialect(arguments.dialect, to)) return false;
        hidden = true;
        continue;
      }
      const auto parsed = wire::ParsePointer(pointer);
      if (!parsed) {
        return wrong("--redact", pointer, "not a JSON pointer", parsed.error().remedy.c_str());
      }
      to->redact.pointers.push_back(*parsed);
    }
  }
  to->redact.shapes = !arguments.redact.empty() && !arguments.no_shapes;
  if (arguments.no_shapes && arguments.redact == std::vector<std::string>{kShapes}) {
    return wrong("--redact", kShapes, "--no-shapes turns it off", "remove one of them");
  }
  // A dialect is used only for its secrets here: without --redact dialect it would do nothing.
  if (!hidden) {
    return wrong("--dialect", arguments.dialect, "redacts nothing by itself",
                 "add --redact dialect");
  }
  to->record_stderr = !arguments.no_stderr;
  const auto drain = wire::ParseDuration(arguments.drain);
  if (!drain) return wrong("--drain", arguments.drain, "not a duration", "try 2s, 500ms");
  to->drain_ns = *drain;
  const auto sync = wire::ParseDuration(arguments.sync);
  if (!sync) return wrong("--sync", arguments.sync, "not a duration", "try 1s, 200ms");
  to->sync_ns = *sync;
  const auto max_size = wire::ParseSize(arguments.max_size);
  if (!max_size) return wrong("--max-size", arguments.max_size, "not a size", "try 100M");
  to->max_size = static_cast<uint64_t>(*max_size);
  const auto keep = wire::ParseCount(arguments.keep);
  if (!keep) return wrong("--keep", arguments.keep, "not a number of files", "try 5");
  to->keep = static_cast<uint64_t>(*keep);
  return true;
}

// Shows the tape in a browser while it grows. It is no child of ours, and has nothing of the
// session but the name of the tape. So it cannot hold the session up, and the host cannot see it.
std::string StartViewer(const std::string& tape) {
  // "./": the name of a tape may look like an option.
  const std::string name = tape.starts_with('/') ? tape : "./" + tape;
  const int error = io::StartDetached("/proc/self/exe", {"midwire", "view", "--once", name});
  if (error == 0) return "";
  return std::string("cannot start midwire view: ") + strerror(error);
}

int RecordSession(const RecordArguments& arguments) {
  proxy::RecordOptions options;
  if (!ParseRecordOptions(arguments, &options)) return kUsage;
  if (arguments.view) options.on_tape = StartViewer;
  const proxy::RecordOutcome outcome = proxy::Record(options);
  if (!outcome.cannot_start.empty()) ReportError({outcome.cannot_start, "", ""});
  if (outcome.status.signal != 0) io::DieBy(outcome.status.signal);
  return outcome.status.code;
}

}  // namespace

std::function<int()> DeclareRecord(ArgumentParser parser) {
  auto arguments = std::make_shared<RecordArguments>();
  // Declared for the help text only: main removes the plugin's command before the rest is parsed.
  parser.AddOption("PLUGIN", &arguments->shown_only, "the plugin's command with its arguments");
  parser
      .AddOption("-o,--output", &arguments->output,
                 "the tape to write; {time}, {pid} and {plugin} are replaced. An existing file is "
                 "never overwritten: the next free name is used. Default: "
                 "{plugin}-{time}-{pid}.pcapng in $XDG_STATE_HOME/midwire, or in "
                 "~/.local/state/midwire")
      .Environment("MIDWIRE_OUTPUT");
  parser.AddOption("--framing", &arguments->framing, "auto (default), line or content-length")
      .Environment("MIDWIRE_FRAMING");
  parser
      .AddOption(
          "--redact", &arguments->redact,
          "in the tape, replace the value at this JSON pointer in every message (* matches any "
          "step, ** any number of steps); repeatable. dialect: all secrets that --dialect "
          "declares. What looks like a secret is replaced too, also in arguments and on stderr "
          "(doc/using.md). shapes: only that. MIDWIRE_REDACT takes a list, separated by blanks, "
          "with dialect or shapes first")
      .Environment("MIDWIRE_REDACT")
      .OnePerUse();
  parser
      .AddFlag("--no-shapes", &arguments->no_shapes,
               "with --redact: only what is named, not what looks like a secret")
      .Environment("MIDWIRE_NO_SHAPES");
  parser
      .AddOption("--dialect", &arguments->dialect,
                 "for --redact dialect: a built-in dialect or a file (doc/dialects.md)")
      .Environment("MIDWIRE_DIALECT");
  parser
      .AddFlag("--no-stderr", &arguments->no_stderr,
               "pass the plugin's stderr through without recording it")
      .Environment("MIDWIRE_NO_STDERR");
  parser
      .AddOption(
          "--drain", &arguments->drain,
          "after the plugin's exit, wait at most this long for a host that does not read and for "
          "processes that keep the plugin's output open (default 2s)")
      .Environment("MIDWIRE_DRAIN");
  parser
      .AddOption("--sync", &arguments->sync,
                 "flush the tape to disk at least this often, in case the machine crashes "
                 "(default: never)")
      .Environment("MIDWIRE_SYNC");
  parser
      .AddOption("--max-size", &arguments->max_size,
                 "continue in a new file (tape.2.pcapng, ...) at this size (default: no limit)")
      .Environment("MIDWIRE_MAX_SIZE");
  parser.AddOption("--keep", &arguments->keep, "number of these files to keep (default: all)")
      .Environment("MIDWIRE_KEEP");
  parser
      .AddFlag("--view", &arguments->view,
               "show the session in a browser while it is recorded (midwire view)")
      .Environment("MIDWIRE_VIEW");
  parser.AddFlag("--wrapped", &arguments->wrapped,
                 "no effect: midwire wrap writes it, so that midwire unwrap finds its own work");
  parser.Footer(
      "Everything after the plugin's name belongs to the plugin. The exit status is the plugin's, "
      "or\n"
      "127 or 126 if it cannot be started.\n\n"
      "Example:\n  midwire record -o session.pcapng -- my-plugin --flag");
  return [arguments] { return RecordSession(*arguments); };
}

}  // namespace midwire::tools
