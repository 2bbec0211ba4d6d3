#include "view/text/sarif.h"

#include <algorithm>

#include "wire/json/ascii.h"
#include "wire/json/escape.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

constexpr char kSchema[] = "https://json.schemastore.org/sarif-2.1.0.json";

// RFC 3986: a path as a URI reference.
std::string UriOf(const std::string& path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  if (path == "-") return "stdin";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain =
        wire::IsAlphanumeric(c) || std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return uri;
}

void WriteText(std::string_view key, std::string_view text, wire::JsonWriter* json) {
  json->Key(key).Open('{');
  json->Key("text").Text(wire::Escaped(text));
  json->Close('}');
}

void WriteRule(const trace::CheckedRule& rule, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("id").Text(rule.id);
  WriteText("shortDescription", rule.text.empty() ? rule.id : rule.text, json);
  if (!rule.clause.empty()) {
    json->Key("properties").Open('{');
    json->Key("clause").Text(rule.clause);
    json->Close('}');
  }
  json->Close('}');
}

void WriteFilePlace(const SarifFile& file, size_t index, wire::JsonWriter* json) {
  json->Key("artifactLocation").Open('{');
  json->Key("uri").Text(UriOf(file.path));
  json->Key("index").Number(index);
  json->Close('}');
}

void WriteLocation(const SarifResult& result, const SarifFile& file, wire::JsonWriter* json) {
  json->Key("locations").Open('[');
  json->Open('{');
  json->Key("physicalLocation").Open('{');
  WriteFilePlace(file, result.file, json);
  if (result.line != 0) {
    json->Key("region").Open('{');
    json->Key("startLine").Number(result.line);
    json->Close('}');
  }
  json->Close('}');
  if (!result.name.empty()) {
    json->Key("logicalLocations").Open('[');
    json->Open('{');
    json->Key("name").Text(result.name);
    json->Key("fullyQualifiedName").Text(wire::Escaped(result.place));
    json->Key("kind").Text("object");
    json->Close('}');
    json->Close(']');
  }
  json->Close('}');
  json->Close(']');
}

void WriteResult(const SarifResult& result, const SarifFile& file, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("ruleId").Text(result.rule);
  json->Key("level").Text(result.level);
  WriteText("message", result.text, json);
  WriteLocation(result, file, json);
  json->Key("partialFingerprints").Open('{');
  json->Key("midwire/v1").Text(wire::Escaped(result.identity));
  json->Close('}');
  json->Close('}');
}

// The run failed (3.20.14) if a file could not be read; each is an error of the tool (3.20.21), as
// no rule was violated. Without such a file nothing is written.
void WriteInvocation(const std::vector<SarifFile>& files, wire::JsonWriter* json) {
  const auto failed = [](const SarifFile& file) { return !file.error.empty(); };
  if (std::none_of(files.begin(), files.end(), failed)) return;
  json->Key("invocations").Open('[');
  json->Open('{');
  json->Key("executionSuccessful").Bool(false);
  json->Key("toolExecutionNotifications").Open('[');
  for (size_t i = 0; i < files.size(); ++i) {
    if (!failed(files[i])) continue;
    json->Open('{');
    json->Key("level").Text("error");
    WriteText("message", files[i].error, json);
    json->Key("locations").Open('[');
    json->Open('{');
    json->Key("physicalLocation").Open('{');
    WriteFilePlace(files[i], i, json);
    json->Close('}');
    json->Close('}');
    json->Close(']');
    json->Close('}');
  }
  json->Close(']');
  json->Close('}');
  json->Close(']');
}

void WriteFiles(const std::vector<SarifFile>& files, wire::JsonWriter* json) {
  json->Key("artifacts").Open('[');
  for (const SarifFile& file : files) {
    json->Open('{');
    json->Key("location").Open('{');
    json->Key("uri").Text(UriOf(file.path));
    json->Close('}');
    if (!file.dialect.empty()) {
      json->Key("properties").Open('{');
      json->Key("dialect").Text(file.dialect);
      json->Close('}');
    }
    json->Close('}');
  }
  json->Close(']');
}

}  // namespace

void AppendSarif(const SarifRun& run, std::string* out) {
  wire::JsonWriter json(out);
  json.Open('{');
  json.Key("$schema").Text(kSchema);
  json.Key("version").Text("2.1.0");
  json.Key("runs").Open('[');
  json.Open('{');
  json.Key("tool").Open('{');
  json.Key("driver").Open('{');
  json.Key("name").Text("midwire");
  json.Key("version").Text(MIDWIRE_VERSION);
  json.Key("rules").Open('[');
  for (const trace::CheckedRule& rule : run.rules) WriteRule(rule, &json);
  json.Close(']');
  json.Close('}');
  json.Close('}');
  WriteInvocation(run.files, &json);
  if (!run.properties.empty()) json.Key("properties").Raw(run.properties);
  WriteFiles(run.files, &json);
  json.Key("results").Open('[');
  for (const SarifResult& result : run.results) {
    WriteResult(result, run.files[result.file], &json);
  }
  json.Close(']');
  json.Close('}');
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

}  // namespace midwire::view
