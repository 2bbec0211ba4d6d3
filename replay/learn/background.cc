#include "replay/learn/background.h"

#include <algorithm>
#include <map>
#include <utility>

#include "wire/counted.h"
#include "wire/json/valid.h"

namespace midwire::replay {

std::vector<Lesson> BackgroundLessons(
    const std::map<std::string, std::vector<std::string>>& recorded,
    const std::vector<wire::PlaceValue>& background) {
  std::map<std::string, size_t> methods;  // and how many of their messages are recorded
  // One that may have any value marks its method: it comes tomorrow if it did not today.
  for (const wire::PlaceValue& one : background) {
    const std::string& method = one.at.scope.method;
    if (one.is.empty() && !method.empty() && !method.ends_with('*')) methods.emplace(method, 0);
  }
  for (const auto& recorded_method : recorded) {
    const std::string& method = recorded_method.first;
    const std::vector<std::string>& bodies = recorded_method.second;
    const bool found = std::any_of(bodies.begin(), bodies.end(), [&](const std::string& body) {
      return wire::IsLooseJson(body) &&
             std::any_of(background.begin(), background.end(),
                         [&](const wire::PlaceValue& one) { return Matches(one, method, body); });
    });
    if (found) methods[method] = bodies.size();
  }
  std::vector<Lesson> lessons;
  for (const auto& [method, count] : methods) {
    lessons.push_back({LessonKind::kVolatile,
                       method,
                       "the dialect says that it reports work in the background: its number "
                       "depends on the machine (" +
                           wire::Counted(count, "message") + " recorded)",
                       {},
                       0});
  }
  return lessons;
}

}  // namespace midwire::replay
