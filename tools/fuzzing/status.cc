#include "tools/fuzzing/status.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/value.h"
#include "wire/json/writer.h"

namespace midwire::tools {
namespace {

// Time between two status lines, as fast as people read.
constexpr int64_t kStatusEvery = 500'000'000;

// Findings that the summary lists: more are not read there, and `midwire findings` has all.
constexpr size_t kMaxSummary = 30;

// Findings that are kept for it: a job has at most 1000.
constexpr size_t kMaxKept = 1000;
// Bytes of a finding's text there: it is to fit on a line or two.
constexpr size_t kMaxTitle = 160;

bool IsUnfinished(const wire::Json& event) {
  const wire::Json* finished = event.Find("finished");
  return finished != nullptr && !finished->boolean;
}

// With this many digits after the point: "12.5".
std::string Fixed(double number, int decimals) {
  char text[std::numeric_limits<double>::max_exponent10 + 20];
  const auto end = std::to_chars(text, std::end(text), number, std::chars_format::fixed, decimals);
  return {text, end.ptr};
}

std::string Rate(uint64_t runs, int64_t elapsed_ns) {
  const double seconds = static_cast<double>(elapsed_ns) / 1e9;
  return Fixed(seconds > 0 ? static_cast<double>(runs) / seconds : 0.0, 0);
}

std::string RateText(uint64_t runs, int64_t elapsed_ns) {
  const std::string rate = Rate(runs, elapsed_ns);
  return rate + (rate == "1" ? " run/s" : " runs/s");
}

// "30.0 s (confirming 3.1 s, reducing 6.9 s)": the rest is the search.
std::string TimeText(const fuzz::Totals& totals, int64_t elapsed_ns) {
  constexpr int64_t kShown = 100'000'000;
  const auto seconds = [](int64_t ns) { return Fixed(static_cast<double>(ns) / 1e9, 1) + " s"; };
  if (totals.confirming_ns + totals.reducing_ns < kShown) return seconds(elapsed_ns);
  return seconds(elapsed_ns) + " (confirming " + seconds(totals.confirming_ns) + ", reducing " +
         seconds(totals.reducing_ns) + ")";
}

std::string Age(int64_t ns) {
  const int64_t seconds = ns / 1'000'000'000;
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min";
  return std::to_string(seconds / 3600) + " h";
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
  json->Key("skipped").Number(totals.skipped);
  json->Key("confirming_ms").Number(totals.confirming_ns / 1'000'000);
  json->Key("reducing_ms").Number(totals.reducing_ns / 1'000'000);
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
  const auto text = [&](const char* name) { return std::string(event->String(name)); };
  if (kind == "error") {
    if (!failed_) ReportError({text("text"), "", ""});
    failed_ = true;
  }
  if (kind == "died") ReportError({text("text"), "", ""});
  if (kind == "finding" && text("severity") != Name(fuzz::Severity::kNote)) found_ = true;
  if (kind == "finding" && IsUnfinished(*event) && unfinished_.size() < kMaxKept) {
    unfinished_.push_back(text("cassette"));
  }
  if (kind == "like") like_.Add(text("as"), text("key"));
  if (json_) {
    output_.Write(line + "\n");
    output_.Flush();
    return;
  }
  if (kind == "ready" && !ready_) {
    ready_ = true;
    const wire::Json* timeout = event->Find("timeout_ms");
    ReportNote("feedback: " + text("feedback") + "; probe: " + text("probe") +
               "; timeout: " + (timeout != nullptr ? timeout->text : "?") + " ms");
  }
  if (kind == "seen") {
    ReportNote("suspected: " + text("key") + "; confirming and reducing it");
  }
  if (kind == "same") {
    ReportNote("the same fault as: " + text("as"));
  }
  if (kind == "unconfirmed") {
    ReportNote("not reproducible, discarded: " + text("key"));
  }
  if (kind == "finding") OnFinding(*event);
}

void FuzzStatus::OnReduced(const std::string& cassette, const fuzz::Investigated& reduced,
                           const fuzz::SentSize& sent) {
  ClearStatus();
  for (Listed& listed : listed_) {
    if (listed.cassette != cassette) continue;
    listed.text = reduced.finding.text;
    listed.rank.flaky = reduced.hits < reduced.tries;
  }
  if (json_) {
    std::string line;
    wire::JsonWriter json(&line);
    json.Open('{');
    json.Key("event").Text("reduced");
    json.Key("cassette").Text(cassette);
    json.Key("confirmed").Number(reduced.hits);
    json.Key("tries").Number(reduced.tries);
    json.Key("messages").Number(sent.messages);
    json.Key("bytes").Number(sent.bytes);
    json.Key("finished").Bool(reduced.finished);
    json.Close('}');
    output_.Write(line + "\n");
  } else {
    output_.Write("reduced: " + wire::Escaped(cassette) + " (" +
                  wire::Counted(sent.messages, "message") + ", " +
                  wire::Counted(sent.bytes, "byte") +
                  (reduced.finished ? "" : "; not fully reduced") + ")\n");
  }
  output_.Flush();
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
  const std::string state =
      hits == 0       ? "flaky, occurred once; "
      : hits == tries ? ""
                      : "flaky, " + std::to_string(hits) + " of " + std::to_string(tries) + "; ";
  const wire::Json* finished = event.Find("finished");
  const std::string severity(event.String("severity"));
  const bool mild = !severity.empty() && severity != Name(fuzz::Severity::kError);
  const bool whole = hits == 0 || finished == nullptr || finished->boolean;
  output_.Write(std::string(event.String("oracle")) + ": " + wire::Escaped(event.String("text")) +
                "\n    " + wire::Escaped(event.String("cassette")) + " (" +
                (mild ? severity + "; " : "") + state + counted("messages", "message") + ", " +
                counted("bytes", "byte") + (whole ? "" : "; not fully reduced") + ")\n");
  output_.Flush();
  if (listed_.size() >= kMaxKept) {
    ++unlisted_;
    return;
  }
  std::string start = "  " + severity;
  start.resize(10, ' ');
  start += std::string(event.String("oracle")) + ": ";
  const fuzz::FindingRank rank = {
      .kind = fuzz::ParseFaultKind(event.String("kind")).value_or(fuzz::FaultKind::kMemoryError),
      .flaky = !state.empty(),
      .key = std::string(event.String("key"))};
  listed_.push_back({rank, std::move(start), std::string(event.String("text")),
                     std::string(event.String("cassette"))});
}

// A finding alone was printed already.
void FuzzStatus::WriteWorstFirst() {
  if (listed_.empty() || (listed_.size() == 1 && like_.CountFor(listed_[0].cassette) == 0)) return;
  std::stable_sort(listed_.begin(), listed_.end(),
                   [](const Listed& a, const Listed& b) { return a.rank < b.rank; });
  output_.Write("worst first:\n");
  const size_t shown = std::min(listed_.size(), kMaxSummary);
  for (size_t i = 0; i < shown; ++i) {
    const Listed& listed = listed_[i];
    output_.Write(wire::Escaped(listed.start + listed.text.substr(0, kMaxTitle)) +
                  (listed.rank.flaky ? " (flaky)" : "") +
                  AndLikeIt(like_.CountFor(listed.cassette)) + "\n");
  }
  const uint64_t more = listed_.size() - shown + unlisted_;
  if (more > 0) output_.Write("  and " + std::to_string(more) + " more: see midwire findings\n");
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
  StderrText("\r\x1b[K" + wire::Counted(totals.runs, "run") + ", " + Rate(totals.runs, elapsed_ns) +
             "/s, " + wire::Counted(totals.features, "feature") + ", " +
             wire::Counted(totals.states, "state") + ", " +
             wire::Counted(totals.findings, "finding") + ", last new " + age + " ago");
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
    std::string found = wire::Counted(totals.findings, "finding");
    if (totals.known > 0) found += " and " + std::to_string(totals.known) + " known";
    WriteWorstFirst();
    if (totals.findings + totals.known > 0) found += " in " + wire::Escaped(folder);
    output_.Write(wire::Counted(totals.runs, "run") + " (" +
                  wire::Counted(totals.messages, "message") + ", " +
                  wire::Counted(totals.starts, "start") + ") in " + TimeText(totals, elapsed_ns) +
                  ", " + RateText(totals.runs, elapsed_ns) + "; " +
                  wire::Counted(totals.features, "feature") + ", " +
                  wire::Counted(totals.states, "state") + "; " + found + "\n");
    if (totals.skipped > 0) {
      ReportNote("left out " + wire::Counted(totals.skipped, "mutant") + " with known causes");
    }
  }
  return output_.Finish();
}

}  // namespace midwire::tools
