// Learner: shapes of values that vary, and ignores where there is no shape.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "replay/learn/learner.h"
#include "replay/learn/place_name.h"
#include "replay/shape/lasting.h"
#include "trace/report/excerpt.h"
#include "wire/json/parts.h"

namespace midwire::replay {
namespace {

std::optional<double> NumberIn(const std::string& json) {
  if (wire::TypeOf(json) != wire::JsonType::kNumber) return std::nullopt;
  return std::strtod(json.c_str(), nullptr);
}

// Numbers by value, then texts.
std::vector<std::string> Sorted(const std::set<std::string>& values) {
  std::vector<std::string> sorted(values.begin(), values.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    const auto left = NumberIn(a), right = NumberIn(b);
    return left && right ? *left < *right : left.has_value() > right.has_value();
  });
  return sorted;
}

// A member whose name is "*".
bool HasStar(const std::string& pointer) {
  return pointer.ends_with("/*") || pointer.find("/*/") != pointer.npos;
}

}  // namespace

void Learner::Collect(const std::vector<Evidence>& runs, const std::set<std::string>& arrays) {
  latest_.clear();
  for (const Evidence& run : runs) {
    for (const Varied& varied : run.varied()) {
      if (IsSettled(varied.method)) continue;
      for (size_t i = 0; i < varied.pointers.size(); ++i) {
        const std::string& pointer = varied.pointers[i];
        const std::string general = PlaceName(varied.method, Generalised(pointer));
        if (std::any_of(arrays.begin(), arrays.end(),
                        [&](const std::string& array) { return IsBelow(general, array); })) {
          continue;  // its items were not compared with their own recordings
        }
        methods_[varied.step] = varied.method;
        latest_.emplace(varied.step, pointer);
        const auto [at, fresh] = instances_.try_emplace({varied.step, pointer});
        Instance& instance = at->second;
        if (fresh) {
          instance.before = runs_ - runs.size();
          instance.shown = varied.shown[i];
        }
        const std::string live = ValueOf(varied.live, pointer);
        instance.recorded = ValueOf(varied.recorded, pointer);
        instance.absent = instance.absent || live.empty() || instance.recorded.empty();
        ++instance.differed;
        if (instance.live.size() < kMaxValues) instance.live.insert(live);
      }
    }
  }
}

Unlearned Learner::Seen(std::string place, const Group& group, const Script& script) const {
  const auto is_of = [&](const auto& at) { return &at.second == group.instances.front(); };
  const auto at = std::find_if(instances_.begin(), instances_.end(), is_of);
  const Instance& instance = at->second;
  Unlearned same;
  same.what = same.text = std::move(place);
  same.message = script.steps[at->first.first].number;
  same.shown = instance.shown;
  same.differed = instance.differed;
  same.runs = runs_;
  return same;
}

bool Learner::Varies(const Instance& instance) const {
  return instance.live.size() > 1 || instance.differed + instance.before < runs_;
}

std::optional<Error> Learner::NeverLearned(const Script& script) const {
  for (const auto& [at, instance] : instances_) {
    const auto& [step, pointer] = at;
    const std::string where = "message " + std::to_string(script.steps[step].number) + ", " +
                              PlaceName(methods_.at(step), pointer);
    if (HasStar(pointer)) {
      return Error{"cannot learn: a declaration of this place would cover all members beside it",
                   where, "* stands for any name; rename the member"};
    }
    if (!Varies(instance)) continue;
    if (instance.absent && (pointer == "/result" || pointer == "/error")) {
      return Error{"cannot learn: the answer is an error in some runs and a result in others",
                   where, "fix this first, or declare --ignore of both places by hand"};
    }
    if (pointer == "/jsonrpc") {
      return Error{"cannot learn: the member \"jsonrpc\" is not the same in all runs", where,
                   "fix this first"};
    }
  }
  return std::nullopt;
}

// By generalised place: what one declaration would cover.
std::map<std::string, Learner::Group> Learner::GroupInstances() const {
  std::map<std::string, Group> groups;
  std::map<std::string, std::set<std::string>> names;  // members that are new, by parent
  for (const auto& [at, instance] : instances_) {
    if (instance.absent && instance.recorded.empty() && !ParentOf(at.second).empty()) {
      names[PlaceName(methods_.at(at.first), ParentOf(at.second))].insert(at.second);
    }
  }
  for (const auto& [at, instance] : instances_) {
    const std::string& method = methods_.at(at.first);
    std::string pointer = Generalised(at.second);
    // Names that are others in each run. Those of the message itself have a meaning each.
    if (instance.absent && names[PlaceName(method, ParentOf(at.second))].size() > 1) {
      pointer = ParentOf(pointer) + "/*";
    }
    Group& group = groups[PlaceName(method, pointer)];
    group.method = method;
    group.pointers.insert(at.second);
    group.instances.push_back(&instance);
    group.all.insert(instance.recorded);
    group.all.insert(instance.live.begin(), instance.live.end());
    group.absent = group.absent || instance.absent;
    group.varies = group.varies || Varies(instance);
  }
  return groups;
}

// As a declaration names it: one place, if it was only seen there and no array is above it.
std::string Learner::PlaceOf(const std::string& general, const Group& group) const {
  const bool below_array =
      std::any_of(arrays_learned_.begin(), arrays_learned_.end(),
                  [place = general](const auto& array) { return IsBelow(place, array.first); });
  const bool one = group.pointers.size() == 1 && !below_array;
  return one ? PlaceName(group.method, *group.pointers.begin()) : general;
}

// Whether this was declared before the round, and the place differed all the same.
bool Learner::WasInVain(const std::string& general, const Group& group,
                        const std::string& declaration) const {
  const auto known = places_learned_.find(general);
  if (known == places_learned_.end() || known->second.text != declaration) return false;
  return std::any_of(latest_.begin(), latest_.end(), [&](const auto& at) {
    return methods_.at(at.first) == group.method && group.pointers.contains(at.second);
  });
}

// Of each call, first the recorded one.
std::vector<CallValues> Learner::ValuesOf(const Group& group) {
  std::vector<CallValues> calls;
  for (const Instance* instance : group.instances) {
    CallValues& call = calls.emplace_back();
    call.push_back(instance->recorded);
    call.insert(call.end(), instance->live.begin(), instance->live.end());
  }
  return calls;
}

// None: the values differ although they have the shape, such as a bound value.
std::optional<Lesson> Learner::LearnShape(const std::string& general, const Group& group,
                                          const Shape& shape) {
  const std::string place = PlaceOf(general, group);
  Lesson lesson;
  lesson.kind = LessonKind::kShape;
  lesson.text = place + "=" + ShapeText(Lasting(shape, ValuesOf(group)));
  lesson.reason = "another value in each run";
  if (!WasInVain(general, group, lesson.text)) return lesson;
  refused_.insert(place);
  return std::nullopt;
}

Lesson Learner::LearnIgnore(const std::string& general, const Group& group) const {
  Lesson lesson;
  lesson.kind = LessonKind::kIgnore;
  lesson.text = PlaceOf(general, group);
  lesson.reason = group.absent                     ? "not there in every run"
                  : refused_.contains(lesson.text) ? "its values differ although they have a shape"
                                                   : "its values have no shape in common";
  return lesson;
}

// Shapes, and ignores where there is no shape.
void Learner::LearnPlaces(const Script& script) {
  std::map<std::string, Lesson> learned;
  for (const auto& [general, group] : GroupInstances()) {
    const std::string place = PlaceOf(general, group);
    const std::vector<std::string> values = Sorted(group.all);
    const bool may = !group.absent && !refused_.contains(place);
    const std::optional<Shape> shape = may ? ShapeOf(ValuesOf(group)) : std::nullopt;
    // A time is another one although it is the same in all of these runs.
    if (!group.varies && !(shape && IsTime(*shape))) {
      unlearned_.push_back(Seen(place, group, script));
      continue;
    }
    std::optional<Lesson> lesson = shape ? LearnShape(general, group, *shape) : std::nullopt;
    if (!lesson) lesson = LearnIgnore(general, group);
    lesson->value_count = values.size();
    for (const std::string& value : trace::Excerpts(values)) {
      if (value.empty()) continue;
      lesson->values.push_back(value);
      if (lesson->values.size() == kMaxLessonValues) break;
    }
    learned[general] = *std::move(lesson);
  }
  // What is below an ignored place is ignored already.
  std::erase_if(learned, [&](const auto& below) {
    return std::any_of(learned.begin(), learned.end(), [&](const auto& above) {
      return above.second.kind == LessonKind::kIgnore && IsBelow(below.first, above.first);
    });
  });
  places_learned_ = std::move(learned);
}

}  // namespace midwire::replay
