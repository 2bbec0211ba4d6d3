// Prints what `midwire redact --audit` found: where, by which rule, and its length; never a secret.
// One line per find, or one JSON object. Called by commands/redact.cc.
#pragma once

#include "tools/output.h"
#include "trace/redact/redact.h"
#include "wire/json/writer.h"

namespace midwire::tools {

class AuditPrinter {
 public:
  AuditPrinter(Output* output, bool json);
  void OnFound(const trace::FoundSecret& found);
  // secrets: how many different ones.
  void OnEnd(size_t secrets);

  size_t places() const { return places_; }  // of secrets

 private:
  void PrintLine(const trace::FoundSecret& found);
  void PrintJson(const trace::FoundSecret& found);

  Output* output_;
  const bool is_json_;
  wire::JsonWriter json_;
  size_t places_ = 0, look_alikes_ = 0;
};

}  // namespace midwire::tools
