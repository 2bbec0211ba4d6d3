#include "tools/reporting/redacted_copy.h"

#include <optional>
#include <utility>
#include <vector>

#include "io/files/file_sink.h"
#include "io/random_key.h"
#include "trace/redact/schema_guard.h"
#include "trace/redact/secret_place.h"
#include "trace/writer.h"

namespace midwire::tools {

Result<size_t> CopyRedacted(const std::string& from, const std::string& to,
                            const wire::Dialect* dialect,
                            std::function<void(const trace::redact::FoundSecret&)> found) {
  trace::redact::SecretPlaces places;
  trace::redact::Patterns patterns;
  patterns.AddShapes();
  std::vector<std::string> words;
  if (dialect != nullptr) {
    places = trace::redact::SecretsOf(*dialect);
    words = trace::redact::SchemaGuard(dialect).Words();
    for (const auto& [name, method] : dialect->methods) words.push_back(name);
  }
  const std::optional<trace::redact::TokenKey> key = io::RandomKey();
  if (!key) {
    return Error{"no random numbers for the tokens", "getrandom(2) failed",
                 "allow that system call in the sandbox around midwire"};
  }
  trace::redact::TraceRedactor redaction(std::move(places), *key, std::move(words),
                                         std::move(patterns));
  if (dialect != nullptr) redaction.KeepSchemas(dialect);
  if (found) redaction.ReportTo(std::move(found));
  for (const auto pass :
       {&trace::redact::TraceRedactor::Collect, &trace::redact::TraceRedactor::Locate}) {
    auto reader = trace::OpenTrace(from);
    if (!reader) return reader.error();
    if (Status done = (redaction.*pass)(reader->get()); !done) return done.error();
  }
  auto reader = trace::OpenTrace(from);
  if (!reader) return reader.error();
  auto sink = io::FileSink::Create(to);
  if (!sink) return sink.error();
  const trace::Format format =
      to.ends_with(".jsonl") ? trace::Format::kCassette : trace::Format::kTape;
  const auto writer = trace::MakeWriter(format, /*times=*/true, sink->get());
  const auto redacted = redaction.Redacted(reader->get());
  const Result<trace::CopyOutcome> copied = trace::Copy(redacted.get(), writer.get());
  if (!copied) return copied.error();
  if (Status closed = (*sink)->Close(); !closed) return closed.error();
  return redaction.secrets().count();
}

}  // namespace midwire::tools
