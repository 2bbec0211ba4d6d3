#include "tools/replaying/suggest.h"

#include <algorithm>

#include "wire/json/escape.h"
#include "wire/json/writer.h"

namespace midwire::tools {
namespace {

bool IsIndex(std::string_view step) {
  return !step.empty() && step.find_first_not_of("0123456789") == step.npos;
}

// Array indices become `*`: a member that varies in one element varies in others.
std::string Generalised(std::string_view place) {
  const size_t start = place.rfind(":/") == place.npos ? 0 : place.rfind(":/") + 1;
  std::string general(place.substr(0, start));
  for (size_t at = start; at < place.size();) {
    const size_t end = std::min(place.find('/', at + 1), place.size());
    const std::string_view step = place.substr(at + 1, end - at - 1);
    general += '/';
    general += IsIndex(step) ? std::string_view("*") : step;
    at = end;
  }
  return general;
}

// Quoted as one shell word, because names in the pointer are the plugin's.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : wire::Escaped(text)) {
    if (c == '\'') quoted += "'\\'";
    quoted += c;
  }
  return quoted + "'";
}

}  // namespace

void Suggestions::AddRun(const std::vector<replay::Matcher::Varying>& varying) {
  std::map<std::string, std::string> run;
  for (const auto& [place, got] : varying) run[Generalised(place)] += got + "\n";
  for (const auto& [place, got] : run) {
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
  for (const std::string& place : unstable) *out += "--ignore " + Quoted(place) + "\n";
  *out += "in a cassette's header: ";
  wire::JsonWriter json(out);
  json.Key("ignore").Open('[');
  for (const std::string& place : unstable) json.Text(place);
  json.Close(']');
  *out += "\n";
}

}  // namespace midwire::tools
