#include "fuzz/harness/report.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "fuzz/case.h"
#include "fuzz/harness/state.h"
#include "fuzz/hash.h"
#include "wire/json/escape.h"

namespace midwire::fuzz {
namespace {

size_t failures = 0;

bool KeepsGoing() {
  const std::string asked = OptionOf("MIDWIRE_KEEP_GOING");
  return !asked.empty() && asked != "0";
}

std::string CassetteOf(std::string_view input) {
  return WriteFinding(
      nullptr,
      {.chunks = {{wire::Direction::kHostToPlugin, std::string(input)}}, .err = {}, .exit = {}},
      {StateOfHarness().program});
}

void Save(const Failure& failure, Evidence* shown) {
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx",
                static_cast<unsigned long long>(Hash(failure.input, Hash(failure.text))));
  const std::string name = "midwire-" + std::string(failure.rule) + "-" + hash;
  const auto save = [&](const char* label, const std::string& file, std::string_view bytes) {
    const std::string path = SaveArtifact(file, bytes);
    if (!path.empty()) shown->emplace_back(label, path);
  };
  // Else the engine keeps it.
  if (KeepsGoing()) save("saved", name, failure.input);
  const bool given = !failure.cassette.empty();
  save("cassette", name + ".jsonl", given ? failure.cassette : CassetteOf(failure.input));
}

void Print(const Failure& failure, const Evidence& shown) {
  std::string report = "midwire: broken: ";
  report += failure.rule;
  report += ": ";
  wire::AppendEscaped(failure.text, &report);
  report += '\n';
  size_t width = 0;
  for (const auto& [label, bytes] : shown) width = std::max(width, label.size());
  for (const auto& [label, bytes] : shown) {
    report += "  " + label + std::string(width - label.size() + 2, ' ');
    wire::AppendEscaped(std::string_view(bytes).substr(0, kMaxShown), &report);
    if (bytes.size() > kMaxShown) report += "... (" + std::to_string(bytes.size()) + " bytes)";
    report += '\n';
  }
  std::fwrite(report.data(), 1, report.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

bool IsNewFault(const std::string& key) {
  ++failures;
  // Never destroyed: threads of a target may outlive main.
  static auto* const known = new std::set<std::string>;
  return known->size() < kMaxFaults && known->insert(key).second;
}

size_t FailuresCounted() { return failures; }

void ReportFailure(const Failure& failure) {
  Evidence shown = failure.shown;
  Save(failure, &shown);
  Print(failure, shown);
  if (!KeepsGoing()) std::abort();
}

}  // namespace midwire::fuzz
