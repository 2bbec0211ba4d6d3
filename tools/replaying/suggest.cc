#include "tools/replaying/suggest.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "replay/learn/place_name.h"
#include "tools/console/shell_word.h"
#include "trace/report/replay_report.h"
#include "wire/json/escape.h"
#include "wire/json/writer.h"

namespace midwire::tools {

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

}  // namespace midwire::tools
