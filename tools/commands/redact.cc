// midwire redact: copies a trace without its secrets.
#include <sys/stat.h>

#include <memory>
#include <string>
#include <vector>

#include "io/files/file_sink.h"
#include "io/random_key.h"
#include "tools/audit_printer.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/read_trace.h"
#include "tools/rewrite.h"
#include "trace/redact/finder.h"
#include "trace/redact/secret_place.h"
#include "trace/redact/trace_redactor.h"
#include "trace/session.h"
#include "wire/counted.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::tools {
namespace {

constexpr char kRedactFooter[] =
    R"(Redacts the value at a secret place and everything below it, what --secret-regex matches, and what looks
like a secret: private keys, JSON Web Tokens, Bearer and Basic headers, keys of cloud, git and model
providers, and what is beside a telling name, such as password, secret, api_key, session_id or Cookie, however
short. Each is replaced by a token of the same length, wherever else it occurs: in other messages, in junk, on
stderr and in the plugin's arguments, also with JSON escapes or in base64. Equal secrets get equal tokens, so
framing, checks and replay still work. Values shorter than 6 bytes, and words of the protocol, of JSON Schema
and of texts, are replaced only where they were found. true, false, null, member names, the JSON Schema of a
secret member and placeholders such as ${TOKEN} are never secrets. doc/using.md lists what is not found.

--audit writes no file: it prints where a secret was found first, by which rule, and its length, and as
"maybe" what only looks like a secret and would stay.

Exit status: 0 done (stderr says if nothing was redacted), 2 usage error, 3 done but IN is damaged, or OUT
cannot be written. With --audit: 0 no secrets, 1 secrets found, 2 usage error, 3 no secrets in the readable
part of a damaged IN.

Examples:
  midwire redact session.pcapng shared.pcapng
  midwire redact session.pcapng shared.pcapng --dialect codex
  midwire redact session.pcapng shared.jsonl --secret login:/params/password --secret-key token
  midwire redact session.pcapng shared.pcapng --secret-regex 'customer-([0-9]+)'
  midwire redact session.pcapng --audit)";

struct RedactArguments {
  RewriteOptions rewrite;
  std::string dialect;
  std::vector<std::string> places, names, expressions;
  bool no_shapes = false, audit = false, json = false;
};

// Collects the secret places of the dialect and the command line, and the dialect's words.
Status CollectSecretPlaces(const RedactArguments& arguments, trace::redact::SecretPlaces* secrets,
                           trace::redact::Patterns* patterns, std::vector<std::string>* words,
                           std::optional<wire::Dialect>* known) {
  Result<ChosenDialect> chosen =
      ChooseDialect(arguments.dialect, {arguments.rewrite.in}, /*strict=*/false);
  if (!chosen) return chosen.error();
  ReportDetected(*chosen);
  if (chosen->dialect != nullptr) {
    const std::unique_ptr<wire::Dialect> dialect = std::move(chosen->dialect);
    *secrets = trace::redact::SecretsOf(*dialect);
    *words = trace::redact::SchemaGuard(&*dialect).Words();
    for (const auto& [name, method] : dialect->methods) words->push_back(name);
    *known = std::move(*dialect);
  }
  for (const std::string& text : arguments.places) {
    Result<wire::MethodPlace> place = wire::ParseMethodPlace(text);
    if (!place) {
      const Error& wrong = place.error();
      const bool pointer = text.starts_with('/');
      return Error{"--secret: " + wrong.what, wrong.where,
                   pointer ? wrong.remedy : "write /params/password or METHOD:/params/password"};
    }
    secrets->places.push_back(std::move(*place));
  }
  for (const std::string& expression : arguments.expressions) {
    if (Status added = patterns->AddExpression(expression); !added) {
      return Error{"--secret-regex: " + added.error().what, added.error().where,
                   added.error().remedy};
    }
  }
  if (!arguments.no_shapes) patterns->AddShapes();
  secrets->names.insert(secrets->names.end(), arguments.names.begin(), arguments.names.end());
  if (!secrets->empty() || !patterns->empty()) return Ok{};
  if (!arguments.dialect.empty() && arguments.dialect != "none") {
    return Error{"the dialect declares no secrets", arguments.dialect,
                 "add --secret, --secret-key or --secret-regex"};
  }
  return Error{"no secrets are named", "",
               "add --dialect, --secret, --secret-key or --secret-regex, or leave --no-shapes out"};
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
  Unseen(const RedactArguments& arguments, std::optional<wire::Framing> framing) {
    session_.Expect(framing);
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
      ReportWarning("no message has a value at this secret place: " + place.text);
    }
  }

 private:
  struct Place {
    std::string text;
    trace::redact::SecretPlaces place;
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
      trace::redact::Finder(&place.place, &no_patterns_)
          .InMessage(json, method, [&](std::string_view, const trace::redact::Found&) {
            seen = true;
            return std::string();
          });
      return seen;
    });
  }

  std::vector<Place> places_;
  const trace::redact::Patterns no_patterns_;
  trace::Session session_{this};
};

class Redact {
 public:
  explicit Redact(const RedactArguments& arguments) : arguments_(arguments) {}

  int Run() {
    const RewriteOptions& rewrite = arguments_.rewrite;
    // The input is read three times, so it cannot be a pipe.
    struct stat in;
    if (rewrite.in == "-" || (stat(rewrite.in.c_str(), &in) == 0 && !S_ISREG(in.st_mode))) {
      return Fail({"not a regular file", rewrite.in,
                   "save the trace to a file first: it is read three times"});
    }
    trace::redact::SecretPlaces places;
    trace::redact::Patterns patterns;
    std::vector<std::string> words;
    std::optional<wire::Dialect> dialect;
    if (Status parsed = CollectSecretPlaces(arguments_, &places, &patterns, &words, &dialect);
        !parsed) {
      return Fail(parsed.error());
    }
    if (arguments_.audit != rewrite.out.empty()) {
      return arguments_.audit ? Fail({"--audit: writes no file", rewrite.out, "leave OUT out"})
                              : Fail({"no output is named", "", "midwire redact IN OUT"});
    }
    if (arguments_.json && !arguments_.audit)
      return Fail({"--json: is for --audit", "", "add --audit, or leave --json out"});
    if (dialect) framing_ = dialect->framing;
    if (arguments_.audit) return Audit(std::move(places), std::move(patterns));
    const Result<trace::Format> format = OutputFormat(rewrite);
    if (!format) return Fail(format.error());
    const Result<bool> times = HasTimes(rewrite.in);
    if (!times) return Fail(times.error());
    const std::optional<trace::redact::TokenKey> key = io::RandomKey();
    if (!key) {
      return Fail({"no random numbers for the tokens", "getrandom(2) failed",
                   "allow that system call in the sandbox around midwire"});
    }

    trace::redact::TraceRedactor redaction(std::move(places), *key, std::move(words),
                                           std::move(patterns));
    redaction.Expect(framing_);
    if (dialect) redaction.KeepSchemas(&*dialect);
    for (const auto pass :
         {&trace::redact::TraceRedactor::Collect, &trace::redact::TraceRedactor::Locate}) {
      Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(rewrite.in);
      if (!reader) return Fail(reader.error());
      if (Status done = (redaction.*pass)(reader->get()); !done) return Fail(done.error());
    }
    return Write(&redaction, *format, *times);
  }

 private:
  int Audit(trace::redact::SecretPlaces places, trace::redact::Patterns patterns) {
    Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(arguments_.rewrite.in);
    if (!reader) return Fail(reader.error());
    // The key does not matter: no token is made.
    trace::redact::TraceRedactor redaction(std::move(places), {}, {}, std::move(patterns));
    redaction.Expect(framing_);
    Output output;
    AuditPrinter printer(&output, arguments_.json);
    redaction.ReportTo([&](const trace::redact::FoundSecret& found) { printer.OnFound(found); });
    if (Status done = redaction.Collect(reader->get()); !done) return Fail(done.error());
    printer.OnEnd(redaction.secrets().count());
    const int printed = output.Finish();
    const uint64_t damaged = (*reader)->damaged_bytes();
    if (damaged > 0) {
      ReportWarning("the trace is damaged: " + wire::Counted(damaged, "byte") +
                    " could not be searched");
    }
    if (printed != kFine) return printed;
    return printer.places() > 0 ? kDifference : damaged > 0 ? kDataLost : kFine;
  }

  int Write(trace::redact::TraceRedactor* redaction, trace::Format format, bool times) {
    Result<std::unique_ptr<trace::TraceReader>> reader = trace::OpenTrace(arguments_.rewrite.in);
    if (!reader) return Fail(reader.error());
    Result<std::unique_ptr<io::FileSink>> sink = io::FileSink::Create(arguments_.rewrite.out);
    if (!sink) return Fail(sink.error());
    const std::unique_ptr<trace::TraceWriter> writer =
        WriterOf(format, times, framing_, sink->get());
    const std::unique_ptr<trace::TraceReader> redacted = redaction->Redacted(reader->get());
    const Result<trace::CopyOutcome> copied = trace::Copy(redacted.get(), writer.get());
    if (!copied) return Fail(copied.error(), kDataLost);
    if (copied->failure && copied->records == 0) {
      return Fail({copied->failure->what, arguments_.rewrite.in, copied->failure->remedy});
    }
    if (Status closed = (*sink)->Close(); !closed) return Fail(closed.error(), kDataLost);

    const trace::redact::Secrets& secrets = redaction->secrets();
    std::string note = "redacted " + wire::Counted(secrets.count(), "secret");
    if (const size_t few = secrets.only_at_places(); few > 0) {
      note += ", " + std::to_string(few) + " of them only at " +
              (few == 1 ? "its place" : "their places") + " (too short, or a word)";
    }
    if (secrets.count() == 0) {
      ReportWarning(
          "nothing was redacted, no secrets found: the output contains everything that was "
          "recorded");
    } else {
      ReportNote(note);
    }
    if (const size_t staying = redaction->staying(); staying > 0) {
      ReportNote(staying == 1
                     ? "1 value beside a telling name stays; see --audit"
                     : std::to_string(staying) + " values beside telling names stay; see --audit");
    }
    if (const size_t kept = secrets.kept(); kept > 0) {
      ReportWarning(wire::Counted(kept, "secret") +
                    " stayed: a schema of the dialect lists the only values of its place");
    }
    if (const size_t broken = redaction->broken(); broken > 0) {
      ReportWarning("no token fits: " + wire::Counted(broken, "message") +
                    " no longer fulfil their schema");
    }
    Unseen unseen(arguments_, framing_);
    if (!unseen.stop() && ReadTrace(arguments_.rewrite.in, /*follow=*/false, &unseen)) {
      unseen.Warn();
    }
    const Rewritten rewritten{*copied, (*reader)->damaged_bytes(), (*reader)->torn_bytes()};
    const std::string loss = LossText(rewritten);
    if (rewritten.lost()) {
      ReportWarning(loss);
    } else if (!loss.empty()) {
      ReportNote(loss);
    }
    return rewritten.lost() ? kDataLost : kFine;
  }

  const RedactArguments& arguments_;
  std::optional<wire::Framing> framing_;  // of the dialect
};

}  // namespace

std::function<int()> DeclareRedact(ArgumentParser parser) {
  auto arguments = std::make_shared<RedactArguments>();
  RewriteOptions& rewrite = arguments->rewrite;
  parser.AddOption("IN", &rewrite.in, "tape or cassette; must be a file, is not changed")
      .Required();
  AddOutput(parser, &rewrite.out);
  parser.AddOption(
      "--dialect", &arguments->dialect,
      "a built-in dialect, a file, or none: redacts its \"secret\" places and \"secret_keys\"; "
      "default: detected from the first messages");
  const auto list = [&](const char* name, std::vector<std::string>* to, const char* text) {
    parser.AddOption(name, to, text).OnePerUse();
  };
  list("--secret", &arguments->places,
       "a secret place: a JSON pointer, where * matches any step and ** any number of steps; for "
       "one "
       "method METHOD:POINTER; repeatable");
  list("--secret-key", &arguments->names,
       "redact the value of every member of this name, ignoring case; repeatable");
  list("--secret-regex", &arguments->expressions,
       "redact what this regular expression matches (RE2 syntax), or its group if it has one; in "
       "strings, numbers, junk, stderr and arguments; repeatable");
  parser.AddFlag("--no-shapes", &arguments->no_shapes,
                 "redact only what is named, not what looks like a secret");
  parser.AddFlag("--audit", &arguments->audit,
                 "write nothing; list what would be redacted and what only looks like a secret");
  parser.AddFlag("--json", &arguments->json, "with --audit: print one JSON object");
  parser.AddOption("--to", &rewrite.to, "tape or cassette (default: by the extension of OUT)")
      .OneOf({"tape", "cassette"});
  parser.Footer(kRedactFooter);
  return [arguments] { return Redact(*arguments).Run(); };
}

}  // namespace midwire::tools
