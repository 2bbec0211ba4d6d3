// midwire record: reads its options, from the command line or the environment, and then is as near
// to the plugin as a parent can be: ends with its exit code, or by its signal.
#include "proxy/record.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "proxy/signals.h"
#include "spdlog/spdlog.h"
#include "tools/command.h"
#include "tools/load_dialect.h"
#include "tools/quantity.h"
#include "trace/redact/redactor.h"
#include "trace/redact/secret_place.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

struct Arguments {
  std::vector<std::string> shown_only;
  std::string output;
  std::string framing = "auto";
  std::vector<std::string> redact;
  std::string dialect;
  bool no_stderr = false;
  std::string drain = "2s";
  std::string sync = "0";
  std::string max_size = "0";
  std::string keep = "0";
};

// Stands for the secrets of the dialect.
constexpr char kOfDialect[] = "dialect";

// Pointers begin with a slash: a blank before one separates it from the pointer before.
std::vector<std::string> SplitPointers(const std::string& text) {
  std::vector<std::string> pointers;
  size_t start = 0;
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

// What the dialect calls secret. Of which method a message is may be known only after its secret
// has been recorded, so its places count in all.
bool HideDialect(const std::string& name, proxy::RecordOptions* to) {
  if (name.empty()) {
    spdlog::error("--redact {}: which one? (--dialect NAME or FILE)", kOfDialect);
    return false;
  }
  const Result<wire::Dialect> dialect = LoadNamedDialect(name, /*strict=*/false);
  Result<wire::StreamedPlaces> places =
      dialect ? wire::ForAnyMethod(wire::SecretsOf(*dialect)) : dialect.error();
  if (places && places->pointers.empty() && places->names.empty()) {
    places = Error{"this dialect names no secrets", name, "name pointers with --redact"};
  }
  if (!places) {
    spdlog::error("{}", wire::Escaped(places.error().Text()));
    return false;
  }
  to->redact.insert(to->redact.end(), places->pointers.begin(), places->pointers.end());
  to->redact_names = places->names;
  return true;
}

// Fills *to; on an error says what is wrong in one line and returns false.
bool ParseOptions(const Arguments& arguments, proxy::RecordOptions* to) {
  const auto wrong = [](const char* option, const std::string& value, const char* remedy) {
    spdlog::error("{}: cannot use \"{}\" ({})", option, wire::Escaped(value),
                  wire::Escaped(remedy));
    return false;
  };
  if (PluginCommand().empty() || PluginCommand()[0].empty()) {
    spdlog::error("no plugin to run (midwire record [options] [--] PLUGIN ARGS...)");
    return false;
  }
  to->argv = PluginCommand();
  to->version = MIDWIRE_VERSION;
  to->output = arguments.output;
  if (to->output == "-") return wrong("--output", "-", "standard output belongs to the plugin");
  if (!wire::ParseFraming(arguments.framing, &to->framing)) {
    return wrong("--framing", arguments.framing, "auto, line or content-length");
  }
  bool hidden = arguments.dialect.empty();
  for (const std::string& text : arguments.redact) {
    for (const std::string& pointer : SplitPointers(text)) {
      if (pointer == kOfDialect) {
        if (!HideDialect(arguments.dialect, to)) return false;
        hidden = true;
        continue;
      }
      const auto parsed = wire::ParsePointer(pointer);
      if (!parsed) return wrong("--redact", pointer, parsed.error().Text().c_str());
      to->redact.push_back(*parsed);
    }
  }
  // Who names a dialect here wants its secrets hidden.
  if (!hidden) {
    return wrong("--dialect", arguments.dialect, "alone hides nothing: add --redact dialect");
  }
  if (to->redact.size() > wire::Redactor::kMaxPointers) {
    return wrong("--redact", std::to_string(to->redact.size()) + " pointers", "64 at most");
  }
  to->record_stderr = !arguments.no_stderr;
  const auto drain = ParseTime(arguments.drain);
  if (!drain) return wrong("--drain", arguments.drain, "a time, like 2s or 500ms");
  to->drain_ns = *drain;
  const auto sync = ParseTime(arguments.sync);
  if (!sync) return wrong("--sync", arguments.sync, "a time, like 1s or 200ms");
  to->sync_ns = *sync;
  const auto max_size = ParseSize(arguments.max_size);
  if (!max_size) return wrong("--max-size", arguments.max_size, "a size, like 100M");
  to->max_size = static_cast<uint64_t>(*max_size);
  const auto keep = ParseCount(arguments.keep);
  if (!keep) return wrong("--keep", arguments.keep, "how many parts to keep, like 5");
  to->keep = static_cast<uint64_t>(*keep);
  return true;
}

int Run(const Arguments& arguments) {
  proxy::RecordOptions options;
  if (!ParseOptions(arguments, &options)) return kUsage;
  const proxy::RecordOutcome outcome = proxy::Record(options);
  if (!outcome.cannot_start.empty()) spdlog::error("{}", wire::Escaped(outcome.cannot_start));
  if (outcome.status.signal != 0) proxy::DieBy(outcome.status.signal);
  return outcome.status.code;
}

}  // namespace

std::function<int()> DeclareRecord(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  // Named for the help alone: main cuts the plugin's command off before it could fill this.
  app->add_option("PLUGIN", arguments->shown_only, "the plugin's command, with all its arguments");
  app->add_option("-o,--output", arguments->output,
                  "the tape; {time}, {pid} and {plugin} are filled in. One that exists is never "
                  "overwritten: the next free name is taken. Default: "
                  "{plugin}-{time}-{pid}.pcapng in $XDG_STATE_HOME/midwire, or in "
                  "~/.local/state/midwire")
      ->envname("MIDWIRE_OUTPUT");
  app->add_option("--framing", arguments->framing, "auto (default), line or content-length")
      ->envname("MIDWIRE_FRAMING");
  app->add_option("--redact", arguments->redact,
                  "in the tape, replace what this JSON pointer names in any message, * for any "
                  "step; the word dialect: what the dialect calls secret; repeatable (in the "
                  "environment: separated by blanks, the word first). Arguments and stderr are "
                  "recorded as they are: see midwire redact")
      ->envname("MIDWIRE_REDACT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--dialect", arguments->dialect,
                  "for --redact dialect: a built-in dialect, or a file (doc/dialects.md)")
      ->envname("MIDWIRE_DIALECT");
  app->add_flag("--no-stderr", arguments->no_stderr, "pass the plugin's stderr on unrecorded")
      ->envname("MIDWIRE_NO_STDERR");
  app->add_option(
         "--drain", arguments->drain,
         "how long to wait, after the plugin's exit, for a host that does not read and for "
         "others that hold its output open (default 2s)")
      ->envname("MIDWIRE_DRAIN");
  app->add_option("--sync", arguments->sync,
                  "put the tape on the disk at least this often, against a crash of the machine "
                  "(default: never)")
      ->envname("MIDWIRE_SYNC");
  app->add_option("--max-size", arguments->max_size,
                  "go on in another file (tape.2.pcapng, ...) at this size (default: no limit)")
      ->envname("MIDWIRE_MAX_SIZE");
  app->add_option("--keep", arguments->keep, "keep so many of these files (default: all)")
      ->envname("MIDWIRE_KEEP");
  app->footer(
      "Everything after the plugin's name belongs to the plugin. The exit status is the plugin's;\n"
      "127 and 126 when it cannot be started.\n"
      "Example: midwire record -o session.pcapng -- my-plugin --flag");
  return [arguments] { return Run(*arguments); };
}

}  // namespace midwire::tools
