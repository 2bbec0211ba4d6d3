#include "tools/replaying/run_faults.h"

#include <set>

namespace midwire::tools {
namespace {

// A place whose value differs; with a text, the whole message is another one.
bool CanBeIgnored(const trace::Difference& difference) {
  return difference.difference == trace::DifferenceKind::kDiffers && difference.text.empty();
}

std::string Example(const trace::Difference& difference) {
  std::string text = difference.method;
  if (!text.empty() && !difference.text.empty()) text += ": ";
  text += difference.text;
  if (difference.difference == trace::DifferenceKind::kEnded) text += ": " + difference.got;
  return text;
}

}  // namespace

void RunFaults::AddRun(const trace::ReplayReport& report) {
  ++runs_;
  std::set<trace::DifferenceKind> kinds;
  for (const trace::Difference& difference : report.differences) {
    if (CanBeIgnored(difference) || !kinds.insert(difference.difference).second) continue;
    Seen& seen = seen_[difference.difference];
    if (seen.runs++ == 0) seen.example = Example(difference);
  }
}

std::vector<std::string> RunFaults::Lines() const {
  std::vector<std::string> lines;
  for (const auto& [kind, seen] : seen_) {
    lines.push_back("no --ignore helps: " + std::string(trace::Name(kind)) + " in " +
                    std::to_string(seen.runs) + " of " + std::to_string(runs_) + " runs (" +
                    seen.example + ")");
  }
  return lines;
}

}  // namespace midwire::tools
