#include "fuzz/live/finding_store.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "fuzz/hash.h"
#include "fuzz/live/keep_file.h"
#include "fuzz/live/peer.h"
#include "wire/json/value.h"

namespace midwire::fuzz {
namespace {

// Only so many keys are kept, as a peer may make up a new one each time.
constexpr size_t kMaxKeys = 1000;
// How often the same key is looked at that was not seen again.
constexpr int kDoubts = 4;

void AppendMember(const char* key, std::string_view value, std::string* line) {
  *line += std::string(",\"") + key + "\":";
  wire::AppendJsonString(value, line);
}

void AppendMember(const char* key, uint64_t value, std::string* line) {
  *line += std::string(",\"") + key + "\":" + std::to_string(value);
}

}  // namespace

FindingStore::FindingStore(std::string folder, std::set<std::string> kept, Counters* counters,
                           LineSink tell)
    : folder_(std::move(folder)),
      kept_(std::move(kept)),
      counters_(counters),
      tell_(std::move(tell)) {}

std::string FindingStore::NameOf(const Finding& finding) const {
  const uint64_t hash = Hash(finding.key);
  char text[20];
  snprintf(text, sizeof text, "%08x", static_cast<unsigned>(hash ^ (hash >> 32)));
  return std::string(Name(finding.oracle)) + "-" + text;
}

bool FindingStore::Keeps(const Finding& finding) const {
  return access((folder_ + "/" + NameOf(finding) + ".jsonl").c_str(), F_OK) == 0;
}

bool FindingStore::See(const Finding& finding, bool exact) {
  if (seen_.size() >= kMaxKeys) return false;
  const bool is_new = seen_.insert(finding.key).second;
  if (!is_new && !(exact && misplaced_.erase(finding.key) > 0)) return false;
  if (!Keeps(finding)) return true;
  if (kept_.contains(NameOf(finding))) ++counters_->known;
  return false;
}

void FindingStore::Misplaced(const Finding& finding) { misplaced_.insert(finding.key); }

void FindingStore::Doubt(const Finding& finding) {
  if (++doubts_[finding.key] < kDoubts) seen_.erase(finding.key);
}

Status FindingStore::Save(const Investigated& found, std::string_view cassette,
                          std::string_view ancestry) {
  const Finding& finding = found.finding;
  const std::string path = folder_ + "/" + NameOf(finding) + ".jsonl";
  const Status kept = KeepFile(path, cassette);
  if (!kept) return Error{"cannot write a finding", kept.error().Text(), ""};
  seen_.insert(finding.key);
  ++counters_->findings;
  counters_->new_ns = MonotonicNow();
  std::string line = R"({"event":"finding","oracle":)";
  wire::AppendJsonString(Name(finding.oracle), &line);
  AppendMember("key", finding.key, &line);
  AppendMember("text", finding.text, &line);
  AppendMember("cassette", path, &line);
  AppendMember("confirmed", static_cast<uint64_t>(found.hits), &line);
  AppendMember("tries", static_cast<uint64_t>(found.tries), &line);
  AppendMember("messages", found.life.input.parts.size(), &line);
  AppendMember("bytes", found.life.input.size(), &line);
  AppendMember("reduced_in", found.tests, &line);
  line += std::string(",\"finished\":") + (found.finished ? "true" : "false");
  AppendMember("run", counters_->runs.load(), &line);
  if (!ancestry.empty()) AppendMember("ancestry", ancestry, &line);
  tell_(line + "}");
  return Ok{};
}

void FindingStore::Report(const char* event, const Finding& finding, std::string_view as) {
  std::string line = R"({"event":")" + std::string(event) + R"(","oracle":)";
  wire::AppendJsonString(Name(finding.oracle), &line);
  AppendMember("key", finding.key, &line);
  if (!as.empty()) AppendMember("as", as, &line);
  AppendMember("run", counters_->runs.load(), &line);
  tell_(line + "}");
}

}  // namespace midwire::fuzz
