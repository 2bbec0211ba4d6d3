#include "fuzz/case.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include "fuzz/hash.h"
#include "fuzz/random.h"
#include "trace/event.h"
#include "trace/writer.h"
#include "wire/json/valid.h"
#include "wire/json/value.h"
#include "wire/json/writer.h"

namespace midwire::fuzz {
namespace {

constexpr Pace kSendModes[] = {Pace::kLockstep, Pace::kPipelined, Pace::kSplit};

class StringSink : public Sink {
 public:
  Status Write(std::string_view bytes) override {
    text += bytes;
    return Ok{};
  }
  std::string text;
};

// A header is one line of a cassette, and lines are read up to 64 KiB.
constexpr size_t kMaxMethods = 32 * 1024, kMaxLike = 48 * 1024;

// Whether the method's name occurs in the bytes of either party.
bool Occurs(const std::string& method, const Transcript& transcript) {
  return std::any_of(
      transcript.chunks.begin(), transcript.chunks.end(),
      [&](const Transcript::Chunk& sent) { return sent.bytes.find(method) != std::string::npos; });
}

// The last members of a finding, so that WithLike finds them.
void AddLike(const std::vector<std::string>& keys, uint64_t count, size_t before,
             wire::JsonWriter* json) {
  json->Key("like_count").Number(count);
  json->Key("like").Open('[');
  size_t size = before;
  for (const std::string& key : keys) {
    size += key.size();
    if (size > kMaxLike) break;
    json->Text(key);
  }
  json->Close(']');
}

std::string HeaderOf(const FindingRecord& record, const Transcript& transcript) {
  std::string header;
  wire::JsonWriter json(&header);
  json.Open('{');
  json.Key("event").Text("header");
  json.Key("finding").Open('{');
  json.Key("oracle").Text(Name(record.oracle));
  json.Key("key").Text(record.key);
  json.Key("text").Text(record.text);
  json.Key("severity").Text(Name(SeverityOf(KindOf(record))));
  json.Key("kind").Text(Name(KindOf(record)));
  json.Key("pace").Text(Name(record.pace));
  if (record.of_host) json.Key("role").Text("host");
  if (!record.plugin_name.empty()) json.Key("plugin_name").Text(record.plugin_name);
  if (record.eof) json.Key("eof").Bool(true);
  if (record.probes_sync) json.Key("asks").Bool(true);
  if (!record.dialect.empty()) json.Key("dialect").Text(record.dialect);
  if (!record.exempt.empty()) {
    json.Key("exempt").Open('[');
    for (const std::string& clause : record.exempt) json.Text(clause);
    json.Close(']');
  }
  if (!record.ancestry.empty()) json.Key("ancestry").Text(record.ancestry);
  if (!record.probe.empty()) {
    json.Key("probe").Text(record.probe);
    if (record.probe_by_text) json.Key("probe_by_text").Bool(true);
  }
  json.Key("timeout_ms").Number(record.timeout_ms);
  if (record.start_ms != 0) json.Key("start_ms").Number(record.start_ms);
  if (record.framing != wire::Framing::kAuto) {
    json.Key("framing").Text(Name(record.framing));
    if (record.no_version) json.Key("no_version").Bool(true);
    json.Key("methods").Open('[');
    for (const std::string& method : record.methods) {
      if (!Occurs(method, transcript)) continue;
      if (header.size() + method.size() > kMaxMethods) break;
      json.Text(method);
    }
    json.Close(']');
  }
  if (!record.ends.empty()) {
    json.Key("ends").Open('[');
    for (const std::string& method : record.ends) {
      if (header.size() + method.size() > kMaxMethods) break;
      json.Text(method);
    }
    json.Close(']');
  }
  if (record.eof && !record.eof_codes.empty()) {
    json.Key("eof_codes").Open('[');
    for (const int code : record.eof_codes) json.Number(code);
    json.Close(']');
  }
  if (record.big_ids) json.Key("big_ids").Bool(true);
  if (record.max_growth != 0) json.Key("max_growth").Number(record.max_growth);
  json.Key("confirmed").Number(record.hits);
  json.Key("tries").Number(record.tries);
  json.Key("seed").Number(record.seed);
  if (!record.like.empty()) AddLike(record.like, record.like_count, header.size(), &json);
  json.Close('}');
  json.Close('}');
  return header;
}

}  // namespace

std::string_view Name(Pace pace) {
  static constexpr std::string_view kNames[] = {"lockstep", "pipelined", "split"};
  return kNames[static_cast<int>(pace)];
}

bool ParsePace(std::string_view text, Pace* pace) {
  for (const Pace each : kSendModes) {
    if (text == Name(each)) return *pace = each, true;
  }
  return false;
}

Pace PaceOf(std::string_view bytes) {
  // The two ends distinguish inputs well enough, and this runs before each input.
  constexpr size_t kHashed = 64;
  const uint64_t start = Hash(bytes.substr(0, kHashed));
  const std::string_view end = bytes.substr(bytes.size() - std::min(kHashed, bytes.size()));
  const size_t choice = Random(Hash(end, start ^ bytes.size())).Below(64);
  // Each piece wakes the peer: a run in pieces costs as much as several others.
  if (choice == 0) return Pace::kSplit;
  // kPipelined is by far the fastest. Its findings are replayed in kLockstep to confirm them.
  return choice <= 6 ? Pace::kLockstep : Pace::kPipelined;
}

SentSize SizeOf(const Transcript& transcript, wire::Direction from, wire::Framing framing) {
  std::string bytes;
  for (const Transcript::Chunk& chunk : transcript.chunks) {
    if (chunk.direction == from) bytes += chunk.bytes;
  }
  return {ParseInput(bytes, framing, kMaxLifeParts).parts.size(), bytes.size()};
}

void DescribeSeeds(const Seeds& seeds, FindingRecord* record) {
  record->framing = seeds.framing;
  record->no_version = (seeds.usual_flags & wire::kNoVersion) != 0;
  record->methods.assign(seeds.methods.begin(), seeds.methods.end());
  record->ends.assign(seeds.ends.begin(), seeds.ends.end());
  record->eof_codes = seeds.eof_codes;
}

void UseSeeds(const FindingRecord& record, Seeds* seeds) {
  seeds->ends = {record.ends.begin(), record.ends.end()};
  seeds->eof_codes = record.eof_codes;
  if (record.framing == wire::Framing::kAuto) return;  // the record has none of these properties
  seeds->framing = record.framing;
  // The messages themselves show kDap.
  seeds->usual_flags &= wire::kDap;
  if (record.no_version || seeds->usual_flags != 0) seeds->usual_flags |= wire::kNoVersion;
  seeds->methods = {record.methods.begin(), record.methods.end()};
}

std::string WriteFinding(const FindingRecord* record, const Transcript& transcript,
                         const std::vector<std::string>& argv) {
  StringSink sink;
  const auto writer = trace::MakeWriter(trace::Format::kCassette, /*times=*/false, &sink);
  // Writing to a string does not fail.
  const auto add = [&](trace::Stream stream, trace::Hint hint, std::string_view bytes) {
    while (!bytes.empty()) {
      const size_t size = std::min(bytes.size(), trace::kMaxSegment);
      (void)writer->OnRecord({.stream = stream, .hint = hint, .body = bytes.substr(0, size)});
      bytes.remove_prefix(size);
    }
  };
  const auto event = [&](const trace::Event& what) {
    add(trace::Stream::kEvents, trace::Hint::kJson, trace::ToJson(what));
  };
  if (record != nullptr) event(trace::HeaderEvent{HeaderOf(*record, transcript)});
  event(trace::SpawnEvent{.argv = argv});
  for (const auto& sent : transcript.chunks) {
    add(trace::StreamOf(sent.direction), trace::Hint::kJson, sent.bytes);
  }
  add(trace::Stream::kStderr, trace::Hint::kText, transcript.err);
  if (transcript.exit.ended()) event(transcript.exit);
  event(trace::EndEvent{});
  (void)writer->OnEnd();
  return std::move(sink.text);
}

std::optional<std::string> WithLike(std::string_view cassette,
                                    const std::vector<std::string>& keys) {
  constexpr std::string_view kLike = ",\"like_count\":";  // in a string, quotes are escaped
  constexpr std::string_view kEnd = "}}";
  const std::string_view line = cassette.substr(0, cassette.find('\n'));
  if (!line.ends_with(kEnd) || line.find("\"finding\":{") == line.npos) return std::nullopt;
  const std::string_view start =
      line.substr(0, std::min(line.rfind(kLike), line.size() - kEnd.size()));
  std::string members;
  wire::JsonWriter json(&members);
  json.Open('{');
  AddLike(keys, keys.size(), start.size(), &json);
  std::string text(start);
  if (!keys.empty()) text += "," + members.substr(1);
  text.append(kEnd).append(cassette.substr(line.size()));
  return text;
}

bool IsPluginName(std::string_view name) {
  constexpr size_t kMaxName = 255;  // NAME_MAX
  // The shim's socket, "socket", is in the same folder.
  return !name.empty() && name.size() <= kMaxName && name != "." && name != ".." &&
         name != "socket" && name.find('/') == name.npos && name.find('\0') == name.npos;
}

Result<std::optional<FindingRecord>> ParseFindingHeader(std::string_view header) {
  const Result<wire::Json> json = wire::ParseJson(header);
  const auto wrong = [](const std::string& where, const std::string& remedy) {
    return Error{"invalid finding in the cassette's header", where, remedy};
  };
  if (!json) {
    // Only headers of findings have the member.
    if (header.find("\"finding\"") == header.npos) return std::optional<FindingRecord>();
    return wrong("the header is not JSON", json.error().what);
  }
  const wire::Json* finding = json->Find("finding");
  if (finding == nullptr) return std::optional<FindingRecord>();
  if (!finding->is(wire::Json::Type::kObject))
    return wrong("/finding", "must be an object, see doc/fuzz.md");
  FindingRecord record;
  const std::string_view oracle = finding->String("oracle");
  bool known = false;
  for (const OracleSpec& spec : Oracles()) {
    if (oracle == spec.name) record.oracle = spec.oracle, known = true;
  }
  if (!known) {
    return wrong("/finding/oracle", "no such oracle: \"" + std::string(oracle) +
                                        "\", see midwire fuzz --list-oracles");
  }
  record.key = finding->String("key");
  if (record.key.empty()) return wrong("/finding/key", "must be a string that is not empty");
  record.text = finding->String("text");
  record.kind = ParseFaultKind(finding->String("kind"));
  record.dialect = finding->String("dialect");
  if (const wire::Json* exempt = finding->Find("exempt"); exempt != nullptr) {
    for (const wire::Json& clause : exempt->items) record.exempt.push_back(clause.text);
  }
  record.ancestry = finding->String("ancestry");
  if (!ParsePace(finding->String("pace"), &record.pace)) {
    return wrong("/finding/pace", "must be lockstep, pipelined or split");
  }
  const auto flag = [&](const char* name) {
    const wire::Json* value = finding->Find(name);
    return value != nullptr && value->is(wire::Json::Type::kBool) && value->boolean;
  };
  record.of_host = finding->String("role") == "host";
  record.plugin_name = finding->String("plugin_name");
  if (!record.plugin_name.empty() && !IsPluginName(record.plugin_name)) {
    return wrong("/finding/plugin_name", "must be a file name without a folder");
  }
  record.eof = flag("eof");
  record.probes_sync = flag("asks");
  record.probe = finding->String("probe");
  if (!record.of_host && !record.probe.empty() && !wire::IsJson("{" + record.probe + "}")) {
    return wrong("/finding/probe", "must be members of a request, as JSON");
  }
  record.probe_by_text = flag("probe_by_text");
  const auto number = [&](const char* name) {
    const wire::Json* value = finding->Find(name);
    return value != nullptr ? value->Integer().value_or(0) : 0;
  };
  record.timeout_ms = number("timeout_ms");
  record.start_ms = std::max<int64_t>(number("start_ms"), 0);
  record.max_growth = static_cast<uint64_t>(std::max<int64_t>(number("max_growth"), 0));
  if (!wire::ParseFraming(finding->String("framing"), &record.framing)) {
    record.framing = wire::Framing::kAuto;
  }
  record.no_version = flag("no_version");
  record.big_ids = flag("big_ids");
  const auto list = [&](const char* name, std::vector<std::string>* to) {
    const wire::Json* methods = finding->Find(name);
    if (methods == nullptr || !methods->is(wire::Json::Type::kArray)) return;
    for (const wire::Json& method : methods->items) to->push_back(method.text);
  };
  list("methods", &record.methods);
  list("ends", &record.ends);
  list("like", &record.like);
  if (const wire::Json* codes = finding->Find("eof_codes"); codes != nullptr) {
    for (const wire::Json& code : codes->items) {
      record.eof_codes.insert(static_cast<int>(code.Integer().value_or(0)));
    }
  }
  record.like_count = static_cast<uint64_t>(std::max<int64_t>(number("like_count"), 0));
  record.hits = static_cast<int>(number("confirmed"));
  record.tries = static_cast<int>(number("tries"));
  record.seed = static_cast<uint64_t>(number("seed"));
  return std::optional<FindingRecord>(std::move(record));
}

}  // namespace midwire::fuzz
