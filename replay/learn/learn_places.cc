// Learner: shapes of values that vary, and ignores where there is no shape.
#include <algorithm>
#include <optional>
#include <utility>

#include "replay/learn/learner.h"
#include "replay/learn/place_name.h"
#include "replay/shape/lasting.h"
#include "trace/report/excerpt.h"

namespace midwire::replay {

void Learner::Collect(const std::vector<Evidence>& runs, const std::set<std::string>& arrays) {
  latest_.clear();
  for (const Evidence& run : runs) {
    for (const Varied& varied : run.varied()) {
      if (IsSettled(varied.method)) continue;
      for (const std::string& pointer : varied.pointers) {
        const std::string general = PlaceName(varied.method, Generalised(pointer));
        if (std::any_of(arrays.begin(), arrays.end(),
                        [&](const std::string& array) { return IsBelow(general, array); })) {
          continue;  // its items were not compared with their own recordings
        }
        methods_[varied.step] = varied.method;
        latest_.emplace(varied.step, pointer);
        const auto [at, fresh] = instances_.try_emplace({varied.step, pointer});
        Instance& instance = at->second;
        if (fresh) instance.before = runs_ - runs.size();
        const std::string live = ValueOf(varied.live, pointer);
        instance.recorded = ValueOf(varied.recorded, pointer);
        instance.absent = instance.absent || live.empty() || instance.recorded.empty();
        ++instance.differed;
        if (instance.live.size() < kMaxValues) instance.live.insert(live);
      }
    }
  }
}

// " (message 4: recorded 1, 2 in 5 of 5 runs)"
std::string Learner::Seen(const Group& group, const Script& script) const {
  const auto is_of = [&](const auto& at) { return &at.second == group.instances.front(); };
  const auto at = std::find_if(instances_.begin(), instances_.end(), is_of);
  const Instance& instance = at->second;
  const auto spelled = [](const std::string& value) { return value.empty() ? "nothing" : value; };
  const std::vector<std::string> values = trace::Excerpts(
      std::vector<std::string>{spelled(instance.recorded), spelled(*instance.live.begin())});
  return " (message " + std::to_string(script.steps[at->first.first].number) + ": recorded " +
         values[0] + ", " + values[1] + " in " + std::to_string(instance.differed) + " of " +
         std::to_string(runs_) + " runs)";
}

// Shapes, and ignores where there is no shape. Returns what is the same in every run.
std::vector<std::string> Learner::LearnPlaces(const Script& script) {
  std::map<std::string, Group> groups;                 // by generalised place
  std::map<std::string, std::set<std::string>> names;  // members that are new, by parent
  for (const auto& [at, instance] : instances_) {
    if (instance.absent && instance.recorded.empty()) {
      names[PlaceName(methods_[at.first], ParentOf(at.second))].insert(at.second);
    }
  }
  const auto below_array = [&](const std::string& place) {
    return std::any_of(arrays_learned_.begin(), arrays_learned_.end(),
                       [&](const auto& array) { return IsBelow(place, array.first); });
  };
  for (const auto& [at, instance] : instances_) {
    const std::string& method = methods_[at.first];
    std::string pointer = Generalised(at.second);
    // Names that are others in each run.
    if (instance.absent && names[PlaceName(method, ParentOf(at.second))].size() > 1) {
      pointer = ParentOf(pointer) + "/*";
    }
    Group& group = groups[PlaceName(method, pointer)];
    group.method = method;
    group.pointers.insert(at.second);
    group.instances.push_back(&instance);
  }
  std::vector<std::string> same_in_all;
  std::map<std::string, Lesson> learned;
  for (const auto& grouped : groups) {
    const auto& general = grouped.first;
    const auto& group = grouped.second;
    const bool one = group.pointers.size() == 1 && !below_array(general);
    const std::string place = one ? PlaceName(group.method, *group.pointers.begin()) : general;
    std::set<std::string> all, live, recorded;
    bool absent = false, varies = false;
    for (const Instance* instance : group.instances) {
      absent = absent || instance->absent;
      varies = varies || instance->live.size() > 1 || instance->differed + instance->before < runs_;
      live.insert(instance->live.begin(), instance->live.end());
      recorded.insert(instance->recorded);
    }
    all = recorded;
    all.insert(live.begin(), live.end());
    const std::vector<std::string> values(all.begin(), all.end());
    std::optional<Shape> shape = absent ? std::nullopt : ShapeOf(values);
    if (shape && refused_.contains(place)) shape.reset();
    // A time is another one although it is the same in all of these runs.
    const bool time = shape && IsTime(*shape);
    if (shape) {
      shape = Lasting(*shape, values, std::vector<std::string>(recorded.begin(), recorded.end()));
    }
    const std::string text = shape ? ShapeText(*shape) : "";
    if (!varies && !time) {
      same_in_all.push_back(place + Seen(group, script));
      continue;
    }
    Lesson lesson;
    lesson.kind = shape ? LessonKind::kShape : LessonKind::kIgnore;
    lesson.text = shape ? place + "=" + text : place;
    lesson.reason = shape                      ? "another value in each run"
                    : absent                   ? "not there in every run"
                    : refused_.contains(place) ? "its values differ although they have a shape"
                                               : "its values have no shape in common";
    const auto known = places_learned_.find(general);
    const bool again = std::any_of(latest_.begin(), latest_.end(), [&](const auto& at) {
      return methods_[at.first] == group.method && group.pointers.contains(at.second);
    });
    if (again && known != places_learned_.end() && known->second.text == lesson.text && shape) {
      // It was declared, and differed all the same: a bound value.
      refused_.insert(place);
      lesson.kind = LessonKind::kIgnore;
      lesson.text = place;
      lesson.reason = "its values differ although they have a shape";
    }
    lesson.value_count = all.size();
    for (const std::string& value : trace::Excerpts(values)) {
      if (value.empty()) continue;
      lesson.values.push_back(value);
      if (lesson.values.size() == kMaxLessonValues) break;
    }
    learned[general] = std::move(lesson);
  }
  places_learned_ = std::move(learned);
  return same_in_all;
}

}  // namespace midwire::replay
