// Prints what `midwire redact --audit` found: where, by which rule, and its length; never a secret.
// One line per value, at its first place, or one JSON object. Called by commands/redact.cc.
#pragma once

#include <string>

#include "tools/output.h"
#include "trace/redact/trace_secrets.h"
#include "wire/json/writer.h"

namespace midwire::tools {

// "secret  message 3 /params/token: the dialect's place, 20 bytes", with its line end.
void AppendAuditLine(const trace::redact::FoundSecret& found, std::string* out);
struct AuditCounts {
  size_t secrets = 0, places = 0, look_alikes = 0;
  size_t not_searched = 0;  // long texts in base64
};
// Counts all but different secrets. False: it has no line.
bool CountFound(const trace::redact::FoundSecret& found, AuditCounts* counts);
// "2 secrets in 3 places; 1 value only looks like one", with its line end.
void AppendAuditSummary(const AuditCounts& counts, std::string* out);

class AuditPrinter {
 public:
  AuditPrinter(Output* output, bool json);
  void OnFound(const trace::redact::FoundSecret& found);
  // secrets: how many different ones.
  void OnEnd(size_t secrets);

  size_t places() const { return counts_.places; }  // of secrets

 private:
  void PrintJson(const trace::redact::FoundSecret& found);

  Output* output_;
  const bool is_json_;
  wire::JsonWriter json_;
  AuditCounts counts_;
};

}  // namespace midwire::tools
