#include "replay/learn/background.h"

#include <algorithm>

#include "wire/counted.h"
#include "wire/json/valid.h"

namespace midwire::replay {

std::vector<Lesson> BackgroundLessons(
    const std::map<std::string, std::vector<std::string>>& recorded,
    const std::vector<wire::PlaceValue>& background) {
  std::vector<Lesson> lessons;
  if (background.empty()) return lessons;
  for (const auto& recorded_method : recorded) {
    const std::string& method = recorded_method.first;
    const std::vector<std::string>& bodies = recorded_method.second;
    const bool found = std::any_of(bodies.begin(), bodies.end(), [&](const std::string& body) {
      return wire::IsLooseJson(body) &&
             std::any_of(background.begin(), background.end(),
                         [&](const wire::PlaceValue& one) { return Matches(one, method, body); });
    });
    if (!found) continue;
    lessons.push_back({LessonKind::kVolatile,
                       method,
                       "the dialect says that it reports work in the background: its number "
                       "depends on the machine (" +
                           wire::Counted(bodies.size(), "message") + " recorded)",
                       {},
                       0});
  }
  return lessons;
}

}  // namespace midwire::replay
