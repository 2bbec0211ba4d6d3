#include "tools/fuzzing/status.h"

#include <fmt/format.h>
#include <unistd.h>

#include "spdlog/spdlog.h"
#include "tools/command.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/value.h"
#include "wire/json/writer.h"

namespace midwire::tools {
namespace {

// Time between two status lines, as fast as people read.
constexpr int64_t kStatusEvery = 500'000'000;

std::string Rate(uint64_t runs, int64_t elapsed_ns) {
  const double seconds = static_cast<double>(elapsed_ns) / 1e9;
  return fmt::format("{:.0f}", seconds > 0 ? static_cast<double>(runs) / seconds : 0.0);
}

std::string Age(int64_t ns) {
  const int64_t seconds = ns / 1'000'000'000;
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min", seconds / 60);
  return fmt::format("{} h", seconds / 3600);
}

void StderrText(const std::string& text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

void WriteTotals(const fuzz::Totals& totals, int64_t elapsed_ns, wire::JsonWriter* json) {
  json->Key("runs").Number(totals.runs);
  json->Key("messages").Number(totals.messages);
  json->Key("starts").Number(totals.starts);
  json->Key("features").Number(totals.features);
  json->Key("inputs").Number(totals.inputs);
  json->Key("states").Number(totals.states);
  json->Key("findings").Number(totals.findings);
  json->Key("known").Number(totals.known);
  json->Key("elapsed_ms").Number(elapsed_ns / 1'000'000);
}

}  // namespace

FuzzStatus::FuzzStatus(bool json) : json_(json), terminal_(!json && isatty(STDERR_FILENO) != 0) {}

void FuzzStatus::ClearStatus() {
  if (status_shown_) StderrText("\r\x1b[K");
  status_shown_ = false;
}

void FuzzStatus::OnLine(const std::string& line) {
  ClearStatus();
  const Result<wire::Json> event = wire::ParseJson(line);
  if (!event) return;
  const std::string_view kind = event->String("event");
  if (kind == "error") {
    if (!failed_) spdlog::error("{}", wire::Escaped(event->String("text")));
    failed_ = true;
  }
  if (kind == "died") spdlog::error("{}", wire::Escaped(event->String("text")));
  if (json_) {
    output_.Write(line + "\n");
    output_.Flush();
    return;
  }
  if (kind == "ready" && !ready_) {
    ready_ = true;
    const wire::Json* timeout = event->Find("timeout_ms");
    spdlog::info("feedback: {}; probe: {}; timeout: {} ms",
                 wire::Escaped(event->String("feedback")), wire::Escaped(event->String("probe")),
                 timeout != nullptr ? timeout->text : "?");
  }
  if (kind == "seen") {
    spdlog::info("suspected: {}; confirming and reducing it", wire::Escaped(event->String("key")));
  }
  if (kind == "same") {
    spdlog::info("the same fault as: {}", wire::Escaped(event->String("as")));
  }
  if (kind == "unconfirmed") {
    spdlog::info("not reproducible, discarded: {}", wire::Escaped(event->String("key")));
  }
  if (kind == "finding") OnFinding(*event);
}

void FuzzStatus::OnFinding(const wire::Json& event) {
  const auto number = [&](const char* name) {
    const wire::Json* value = event.Find(name);
    return value != nullptr ? value->Integer().value_or(0) : 0;
  };
  const int64_t hits = number("confirmed"), tries = number("tries");
  const auto counted = [&](const char* name, const char* word) {
    return wire::Counted(static_cast<uint64_t>(number(name)), word);
  };
  // A finding seen only within a long run has no count of hits.
  const std::string state = hits == 0       ? "flaky, occurred once; "
                            : hits == tries ? ""
                                            : fmt::format("flaky, {} of {}; ", hits, tries);
  const wire::Json* finished = event.Find("finished");
  const bool whole = hits == 0 || finished == nullptr || finished->boolean;
  output_.Write(fmt::format(
      "{}: {}\n    {} ({}{}, {}{})\n", event.String("oracle"), wire::Escaped(event.String("text")),
      wire::Escaped(event.String("cassette")), state, counted("messages", "message"),
      counted("bytes", "byte"), whole ? "" : "; not fully reduced"));
  output_.Flush();
}

void FuzzStatus::OnTotals(const fuzz::Totals& totals, int64_t elapsed_ns, int64_t now_ns) {
  if (now_ns - shown_ns_ < kStatusEvery) return;
  shown_ns_ = now_ns;
  if (json_) {
    std::string line;
    wire::JsonWriter json(&line);
    json.Open('{');
    json.Key("event").Text("status");
    WriteTotals(totals, elapsed_ns, &json);
    json.Close('}');
    output_.Write(line + "\n");
    output_.Flush();
  }
  if (!terminal_) return;
  const std::string age = totals.new_ns == 0 ? "-" : Age(now_ns - totals.new_ns);
  StderrText(fmt::format(
      "\r\x1b[K{}, {}/s, {}, {}, {}, last new {} ago", wire::Counted(totals.runs, "run"),
      Rate(totals.runs, elapsed_ns), wire::Counted(totals.features, "feature"),
      wire::Counted(totals.states, "state"), wire::Counted(totals.findings, "finding"), age));
  status_shown_ = true;
}

int FuzzStatus::Finish(const fuzz::Totals& totals, int64_t elapsed_ns, std::string_view folder) {
  ClearStatus();
  if (json_) {
    std::string line;
    wire::JsonWriter json(&line);
    json.Open('{');
    json.Key("event").Text("end");
    WriteTotals(totals, elapsed_ns, &json);
    json.Close('}');
    output_.Write(line + "\n");
  } else {
    output_.Write(fmt::format(
        "{} ({}, {}) in {:.1f} s, {} runs/s; {}, {}; {}{}{}\n", wire::Counted(totals.runs, "run"),
        wire::Counted(totals.messages, "message"), wire::Counted(totals.starts, "start"),
        static_cast<double>(elapsed_ns) / 1e9, Rate(totals.runs, elapsed_ns),
        wire::Counted(totals.features, "feature"), wire::Counted(totals.states, "state"),
        wire::Counted(totals.findings, "finding"),
        totals.known > 0 ? fmt::format(" and {} known", totals.known) : "",
        totals.findings + totals.known > 0 ? " in " + wire::Escaped(folder) : ""));
  }
  return output_.Finish();
}

}  // namespace midwire::tools
