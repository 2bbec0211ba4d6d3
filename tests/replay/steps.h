// A script for tests of the player's parts, without bytes: one word per step. `>a1` is a request of
// the host with answer `<a1`, `<b1` a request of the plugin with answer `>b1` (the second of a pair
// is the answer), `>!x` and `<!x` are notifications.
#pragma once

#include <map>
#include <sstream>
#include <string>

#include "replay/script/script.h"

namespace midwire::replay {

inline Script StepsOf(const std::string& words) {
  Script script;
  std::map<std::string, StepIndex> requests;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    Step step;
    step.direction = word[0] == '>' ? Direction::kHostToPlugin : Direction::kPluginToHost;
    const std::string name = word.substr(1);
    const StepIndex index = static_cast<StepIndex>(script.steps.size());
    if (name[0] == '!') {
      step.kind = Kind::kNotification;
    } else if (const auto request = requests.find(name); request != requests.end()) {
      step.kind = Kind::kResponse;
      step.other = request->second;
      script.steps[request->second].other = index;
    } else {
      step.kind = Kind::kRequest;
      requests.emplace(name, index);
    }
    script.steps.push_back(step);
  }
  return script;
}

}  // namespace midwire::replay
