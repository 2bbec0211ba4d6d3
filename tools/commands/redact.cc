// midwire redact: copies a trace without its secrets.
#include "trace/redact/redact.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "io/files/file_sink.h"
#include "proxy/redaction.h"
#include "tools/command.h"
#include "tools/load_dialect.h"
#include "tools/read_trace.h"
#include "tools/rewrite.h"
#include "trace/redact/secret_place.h"
#include "trace/session.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::tools {
namespace {

constexpr char kFooter[] =
    R"(The value at a secret place, and everything below it, is replaced by a token of the same length. The same
value is replaced wherever else it occurs: in other messages, in junk, on stderr and in the plugin's
arguments, also with JSON escapes or in base64. Equal secrets get equal tokens, so framing, checks and
replay still work. Values shorter than 6 bytes, and parts of the protocol's own words, are replaced only at
their places. true, false, null and member names are never secrets. doc/using.md lists what is not found.

Exit status: 0 done, 2 usage error, 3 done but IN is damaged, or OUT cannot be written.

Examples:
  midwire redact session.pcapng shared.pcapng --dialect codex
  midwire redact session.pcapng shared.jsonl --secret login:/params/password --secret-key token)";

struct Arguments {
  RewriteOptions rewrite;
  std::string dialect;
  std::vector<std::string> places, names;
};

int Fail(const Error& error, ExitCode code = kUsage) {
  ReportError(error);
  return code;
}

// Collects the secret places of the dialect and the command line, and the dialect's words.
Status ParseOptions(const Arguments& arguments, wire::SecretPlaces* secrets,
                    std::vector<std::string>* words) {
  if (!arguments.dialect.empty()) {
    const Result<wire::Dialect> dialect = LoadNamedDialect(arguments.dialect, /*strict=*/false);
    if (!dialect) return dialect.error();
    *secrets = wire::SecretsOf(*dialect);
    for (const auto& [name, method] : dialect->methods) words->push_back(name);
  }
  for (const std::string& text : arguments.places) {
    Result<wire::MethodPlace> place = wire::ParseMethodPlace(text);
    if (!place) return place.error();
    secrets->places.push_back(std::move(*place));
  }
  secrets->names.insert(secrets->names.end(), arguments.names.begin(), arguments.names.end());
  if (!secrets->empty()) return Ok{};
  if (!arguments.dialect.empty()) {
    return Error{"the dialect declares no secrets", arguments.dialect,
                 "add --secret or --secret-key"};
  }
  return Error{"no secrets are named", "", "add --dialect, --secret or --secret-key"};
}

// Whether a trace has times: a tape does, a cassette whose header has "start".
Result<bool> HasTimes(const std::string& path) {
  Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(path);
  if (!reader) return reader.error();
  trace::Record record;
  while (true) {
    const Result<trace::Step> step = (*reader)->Next(&record);
    if (!step || *step == trace::Step::kWait) return false;
    if (*step == trace::Step::kRecord && record.time_ns != 0) return true;
  }
}

// Secret places of the command line that no message has. Most likely a typing error, and then the
// secret is still in the output.
class Unseen : public TraceListener, private trace::SessionHandler {
 public:
  explicit Unseen(const Arguments& arguments) {
    for (const std::string& text : arguments.places) {
      if (Result<wire::MethodPlace> place = wire::ParseMethodPlace(text)) {
        places_.push_back({"--secret " + text, {.places = {std::move(*place)}, .names = {}}});
      }
    }
    for (const std::string& name : arguments.names) {
      places_.push_back({"--secret-key " + name, {.places = {}, .names = {name}}});
    }
  }

  void OnRecord(const trace::Record& record) override { session_.OnRecord(record); }
  void OnSection() override { session_.OnSection(); }
  void OnDamage(const trace::Damage&) override { session_.OnGap(); }
  bool stop() const override { return places_.empty(); }  // each place was found
  void Warn() {
    session_.OnEnd();
    for (const Place& place : places_) {
      spdlog::warn("no message has a value at this secret place: {}", wire::Escaped(place.text));
    }
  }

 private:
  struct Place {
    std::string text;
    wire::SecretPlaces place;
  };

  void OnMessage(const trace::RecordedMessage& recorded) override {
    const std::string_view json = wire::Trimmed(recorded.frame->body());
    if (!wire::IsLooseJson(json)) return;
    std::optional<std::string_view> method;
    if (recorded.request) {
      method = recorded.request->method;
    } else if (!recorded.message->method.empty()) {
      method = recorded.message->method;
    }
    std::erase_if(places_, [&](const Place& place) {
      bool seen = false;
      wire::VisitSecrets(json, method, place.place, [&](std::string_view) { seen = true; });
      return seen;
    });
  }

  std::vector<Place> places_;
  trace::Session session_{this};
};

class Redact {
 public:
  explicit Redact(const Arguments& arguments) : arguments_(arguments) {}

  int Run() {
    const RewriteOptions& rewrite = arguments_.rewrite;
    // The input is read three times, so it cannot be a pipe.
    struct stat in;
    if (rewrite.in == "-" || (stat(rewrite.in.c_str(), &in) == 0 && !S_ISREG(in.st_mode))) {
      return Fail({"not a regular file", rewrite.in,
                   "save the trace to a file first: it is read three times"});
    }
    wire::SecretPlaces places;
    std::vector<std::string> words;
    if (Status parsed = ParseOptions(arguments_, &places, &words); !parsed) {
      return Fail(parsed.error());
    }
    const Result<trace::Format> format = OutputFormat(rewrite);
    if (!format) return Fail(format.error());
    const Result<bool> times = HasTimes(rewrite.in);
    if (!times) return Fail(times.error());
    const std::optional<wire::TokenKey> key = proxy::NewRedactionKey();
    if (!key) return Fail({"no random numbers for the tokens", "getrandom(2) failed", ""});

    trace::TraceRedaction redaction(std::move(places), *key, std::move(words));
    for (const auto pass : {&trace::TraceRedaction::Collect, &trace::TraceRedaction::Locate}) {
      Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(rewrite.in);
      if (!reader) return Fail(reader.error());
      if (Status done = (redaction.*pass)(reader->get()); !done) return Fail(done.error());
    }
    return Write(&redaction, *format, *times);
  }

 private:
  int Write(trace::TraceRedaction* redaction, trace::Format format, bool times) {
    Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(arguments_.rewrite.in);
    if (!reader) return Fail(reader.error());
    Result<std::unique_ptr<io::FileSink>> sink = io::FileSink::Create(arguments_.rewrite.out);
    if (!sink) return Fail(sink.error());
    const std::unique_ptr<trace::TraceWriter> writer =
        trace::MakeWriter(format, times, sink->get());
    const std::unique_ptr<trace::TraceReader> redacted = redaction->Redacted(reader->get());
    const Result<trace::CopyOutcome> copied = trace::Copy(redacted.get(), writer.get());
    if (!copied) return Fail(copied.error(), kDataLost);
    if (Status closed = (*sink)->Close(); !closed) return Fail(closed.error(), kDataLost);

    const wire::Secrets& secrets = redaction->secrets();
    std::string note = "redacted " + wire::Counted(secrets.count(), "secret");
    if (const size_t few = secrets.only_at_places(); few > 0) {
      note += ", " + std::to_string(few) + " of them only at " +
              (few == 1 ? "its place" : "their places") + " (too short, or a word of the protocol)";
    }
    if (secrets.count() == 0) {
      spdlog::warn("no secrets found: the output contains everything that was recorded");
    } else {
      ReportNote(note);
    }
    Unseen unseen(arguments_);
    if (!unseen.stop() && ReadTrace(arguments_.rewrite.in, /*follow=*/false, &unseen)) {
      unseen.Warn();
    }
    const Rewritten rewritten{*copied, (*reader)->damaged_bytes(), (*reader)->torn_bytes()};
    const std::string loss = LossText(rewritten);
    if (rewritten.lost()) {
      spdlog::warn("{}", wire::Escaped(loss));
    } else if (!loss.empty()) {
      ReportNote(loss);
    }
    return rewritten.lost() ? kDataLost : kFine;
  }

  const Arguments& arguments_;
};

}  // namespace

std::function<int()> DeclareRedact(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  RewriteOptions& rewrite = arguments->rewrite;
  app->add_option("IN", rewrite.in, "tape or cassette; must be a file, is not changed")->required();
  app->add_option("OUT", rewrite.out,
                  "the file to write, - for standard output; an existing file is never overwritten")
      ->required();
  app->add_option(
      "--dialect", arguments->dialect,
      "a built-in dialect or a file: redacts its \"secret\" places and \"secret_keys\"");
  const auto list = [&](const char* name, std::vector<std::string>* to, const char* text) {
    app->add_option(name, *to, text)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  list("--secret", &arguments->places,
       "a secret place: a JSON pointer, where * matches any step and ** any number of steps; for "
       "one "
       "method METHOD:POINTER; repeatable");
  list("--secret-key", &arguments->names,
       "redact the value of every member of this name, ignoring case; repeatable");
  app->add_option("--to", rewrite.to, "tape or cassette (default: by the extension of OUT)")
      ->check(CLI::IsMember({"tape", "cassette"}));
  app->footer(kFooter);
  return [arguments] { return Redact(*arguments).Run(); };
}

}  // namespace midwire::tools
