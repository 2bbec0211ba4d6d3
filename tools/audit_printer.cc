#include "tools/audit_printer.h"

#include <string>

#include "trace/event.h"
#include "wire/counted.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

std::string_view NameOf(trace::Stream stream) {
  return stream == trace::Stream::kEvents ? "event" : trace::Name(stream);
}

bool IsBytes(const trace::redact::FoundSecret& found) {
  return found.message == 0 && found.stream != trace::Stream::kEvents;
}

std::string PlaceOf(const trace::redact::FoundSecret& found) {
  if (IsBytes(found)) {
    return std::string(NameOf(found.stream)) + " at byte " + std::to_string(found.offset);
  }
  const std::string where =
      found.message == 0 ? "event" : "message " + std::to_string(found.message);
  return where + " " + (found.pointer.empty() ? "header" : found.pointer);
}

// The other rules are shapes and places that name themselves.
std::string_view TextOf(std::string_view rule) {
  return rule == "named"          ? "beside a telling name"
         : rule == "telling-name" ? "beside a telling name, stays"
                                  : rule;
}

}  // namespace

void AppendAuditLine(const trace::redact::FoundSecret& found, std::string* out) {
  *out += found.sure ? "secret  " : "maybe   ";
  *out += wire::Escaped(PlaceOf(found)) + ": ";
  *out += TextOf(found.rule);
  if (!found.text.empty()) *out += " \"" + wire::Escaped(found.text) + "\"";
  *out += ", " + wire::Counted(found.size, "byte") + "\n";
}

bool CountFound(const trace::redact::FoundSecret& found, AuditCounts* counts) {
  counts->places += found.sure;
  if (found.again) return false;
  const bool searched = found.rule != trace::redact::kNotSearched;
  counts->not_searched += !searched;
  counts->look_alikes += searched && !found.sure;
  return searched;
}

void AppendAuditSummary(const AuditCounts& counts, std::string* out) {
  *out += counts.secrets == 0 ? "no secrets found"
                              : wire::Counted(counts.secrets, "secret") + " in " +
                                    wire::Counted(counts.places, "place");
  if (counts.look_alikes > 0) {
    *out += "; " + wire::Counted(counts.look_alikes, "value") + " only " +
            (counts.look_alikes == 1 ? "looks" : "look") + " like one";
  }
  if (counts.not_searched > 0) {
    *out += "; " + wire::Counted(counts.not_searched, "long text") + " in base64 not searched";
  }
  *out += '\n';
}

AuditPrinter::AuditPrinter(Output* output, bool json)
    : output_(output), is_json_(json), json_(output->text()) {
  if (!is_json_) return;
  json_.Open('{');
  json_.Key("found").Open('[');
}

void AuditPrinter::OnFound(const trace::redact::FoundSecret& found) {
  if (!CountFound(found, &counts_)) return;
  is_json_ ? PrintJson(found) : AppendAuditLine(found, output_->text());
  output_->Settle();
}

void AuditPrinter::PrintJson(const trace::redact::FoundSecret& found) {
  *output_->text() += '\n';
  json_.Open('{');
  json_.Key("secret").Bool(found.sure);
  if (found.message > 0) json_.Key("message").Number(found.message);
  json_.Key("stream").Text(NameOf(found.stream));
  if (IsBytes(found)) {
    json_.Key("offset").Number(found.offset);
  } else {
    json_.Key("pointer").Text(found.pointer);
  }
  json_.Key("rule").Text(found.rule);
  if (!found.text.empty()) json_.Key("text").Bytes(found.text);
  json_.Key("length").Number(found.size);
  json_.Close('}');
}

void AuditPrinter::OnEnd(size_t secrets) {
  counts_.secrets = secrets;
  if (is_json_) {
    json_.Close(']');
    json_.Key("secrets").Number(secrets);
    json_.Key("places").Number(counts_.places);
    json_.Key("look_alikes").Number(counts_.look_alikes);
    json_.Key("not_searched").Number(counts_.not_searched);
    json_.Close('}');
    *output_->text() += '\n';
    return;
  }
  AppendAuditSummary(counts_, output_->text());
}

}  // namespace midwire::tools
