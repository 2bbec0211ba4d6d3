#include "tools/replaying/suggest.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "replay/learn/place_name.h"
#include "tools/console/shell_word.h"
#include "wire/json/escape.h"
#include "wire/json/writer.h"

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

void Suggestions::OnVariation(const replay::Variation& variation) {
  if (++messages_ > trace::kMaxDifferences) return;
  for (const replay::ValueDifference& difference : variation.differences) {
    run_[names_->OfStep(variation.step) + ":" + replay::Generalised(difference.pointer)] +=
        difference.got + "\n";
  }
}

void Suggestions::EndRun() {
  messages_ = 0;
  for (const auto& [place, got] : std::exchange(run_, {})) {
    std::vector<std::string>& values = by_place_[place];
    values.resize(runs_);  // earlier runs in which it was as recorded
    values.push_back(got);
  }
  ++runs_;
  for (auto& [place, values] : by_place_) values.resize(runs_);
}

void Suggestions::Append(std::string* out) const {
  std::vector<std::string> unstable, stable;
  for (const auto& [place, values] : by_place_) {
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end()) {
      unstable.push_back(place);
    } else {
      stable.push_back(place);
    }
  }
  // A date, a path, a version: differs from the recording, but not between runs.
  for (const std::string& place : stable) {
    *out += "differs from the trace, but is the same in every run: " + wire::Escaped(place) + "\n";
  }
  const std::string runs = std::to_string(runs_) + " runs";
  if (unstable.empty()) {
    *out += "nothing changes from run to run (" + runs + ")\n";
    return;
  }
  for (const std::string& place : unstable)
    *out += "--ignore " + ShellQuoted(wire::Escaped(place)) + "\n";
  *out += "in a cassette's header: ";
  wire::JsonWriter json(out);
  json.Key("ignore").Open('[');
  for (const std::string& place : unstable) json.Text(place);
  json.Close(']');
  *out += "\n";
}

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
