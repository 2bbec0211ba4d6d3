#include "fuzz/live/finding_store.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "fuzz/cause.h"
#include "fuzz/hash.h"
#include "io/clock.h"
#include "io/files/write_file.h"
#include "wire/json/writer.h"

namespace midwire::fuzz {
namespace {

// Most keys that are kept, because a peer may produce a new one each time.
constexpr size_t kMaxKeys = 1000;
// How often a key that was not reproducible is investigated.
constexpr int kDoubts = 4;
// A fault that the process names itself is the same for these, which are names of its file.
constexpr std::string_view kFault = "fault ";
constexpr Oracle kOfFaults[] = {Oracle::kSanitizer, Oracle::kPanic, Oracle::kSignal,
                                Oracle::kExit,      Oracle::kHang,  Oracle::kSilence};

}  // namespace

FindingStore::FindingStore(std::string folder, std::set<std::string> kept, Counters* counters,
                           LineSink print_line)
    : folder_(std::move(folder)),
      kept_(std::move(kept)),
      counters_(counters),
      print_line_(std::move(print_line)) {}

std::string FindingStore::NameOf(const Finding& finding) const {
  const uint64_t hash = Hash(CauseOf(finding.key));
  char text[20];
  snprintf(text, sizeof text, "%08x", static_cast<unsigned>(hash ^ (hash >> 32)));
  return std::string(Name(finding.oracle)) + "-" + text;
}

std::string FindingStore::KeptAs(const Finding& finding) const {
  const auto exists = [&](const std::string& name) {
    return access((folder_ + "/" + name + ".jsonl").c_str(), F_OK) == 0;
  };
  if (std::string name = NameOf(finding); exists(name)) return name;
  const bool any_oracle = CauseOf(finding.key).starts_with(kFault);
  for (const Oracle oracle : kOfFaults) {
    std::string name = NameOf({.oracle = oracle, .key = finding.key});
    if (any_oracle && exists(name)) return name;
  }
  return "";
}

bool FindingStore::Keeps(const Finding& finding) const { return !KeptAs(finding).empty(); }

bool FindingStore::See(const Finding& finding, bool exact) {
  if (exact) NoteLike(finding);
  if (seen_.size() >= kMaxKeys) return false;
  const bool is_new = seen_.insert(finding.key).second;
  if (!is_new && !(exact && misplaced_.erase(finding.key) > 0)) return false;
  const std::string name = KeptAs(finding);
  if (name.empty()) return true;
  if (kept_.contains(name)) {
    if (known_.insert(name).second) ++counters_->known;
    NoteSeverity(finding);
  }
  return false;
}

void FindingStore::NoteLike(const Finding& finding) {
  if (like_.size() >= kMaxKeys || like_.contains(finding.key)) return;
  const std::string name = KeptAs(finding);
  if (name.empty()) return;
  like_.insert(finding.key);
  Report("like", finding, folder_ + "/" + name + ".jsonl");
}

void FindingStore::NoteSeverity(const Finding& finding) {
  if (SeverityOf(KindOf(finding)) > Severity::kNote) counters_->fails = true;
}

void FindingStore::Misplaced(const Finding& finding) { misplaced_.insert(finding.key); }

void FindingStore::Doubt(const Finding& finding) {
  if (++doubts_[finding.key] < kDoubts) seen_.erase(finding.key);
}

Status FindingStore::Save(const Investigated& found, const SentSize& sent,
                          std::string_view cassette, std::string_view ancestry) {
  const Finding& finding = found.finding;
  const std::string path = folder_ + "/" + NameOf(finding) + ".jsonl";
  // Another job may have saved one of its cause meanwhile, which it has counted and reported.
  const auto made = Keeps(finding) ? Result<bool>(false) : io::KeepFile(path, cassette);
  if (!made) return Error{"cannot write a finding", finding.key + ": " + made.error().Text(), ""};
  seen_.insert(finding.key);
  NoteSeverity(finding);
  if (!*made) {
    Report("same", finding, finding.key);
    NoteLike(finding);
    return Ok{};
  }
  like_.insert(finding.key);
  ++counters_->findings;
  counters_->new_ns = io::MonotonicNow();
  std::string line;
  wire::JsonWriter json(&line);
  json.Open('{');
  json.Key("event").Text("finding");
  json.Key("severity").Text(Name(SeverityOf(KindOf(finding))));
  json.Key("kind").Text(Name(KindOf(finding)));
  json.Key("oracle").Text(Name(finding.oracle));
  json.Key("key").Text(finding.key);
  json.Key("text").Text(finding.text);
  json.Key("cassette").Text(path);
  json.Key("confirmed").Number(found.hits);
  json.Key("tries").Number(found.tries);
  json.Key("messages").Number(sent.messages);
  json.Key("bytes").Number(sent.bytes);
  json.Key("reduced_in").Number(found.tests);
  json.Key("finished").Bool(found.finished);
  json.Key("run").Number(counters_->runs.load());
  if (!ancestry.empty()) json.Key("ancestry").Text(ancestry);
  json.Close('}');
  print_line_(line);
  return Ok{};
}

void FindingStore::Report(const char* event, const Finding& finding, std::string_view as) {
  std::string line;
  wire::JsonWriter json(&line);
  json.Open('{');
  json.Key("event").Text(std::string_view(event));
  json.Key("oracle").Text(Name(finding.oracle));
  json.Key("key").Text(finding.key);
  if (!as.empty()) json.Key("as").Text(as);
  json.Key("run").Number(counters_->runs.load());
  json.Close('}');
  print_line_(line);
}

}  // namespace midwire::fuzz
