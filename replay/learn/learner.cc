#include "replay/learn/learner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "replay/learn/chunk_place.h"
#include "replay/learn/place_name.h"
#include "replay/match/shown.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/hash.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

using trace::Difference;
using trace::DifferenceKind;

constexpr size_t kMaxListed = 5;  // places in one error

std::string ParentOf(std::string_view pointer) {
  return std::string(pointer.substr(0, pointer.rfind('/')));
}

bool IsBelow(std::string_view pointer, std::string_view above) {
  return pointer.size() > above.size() && pointer.starts_with(above) &&
         pointer[above.size()] == '/';
}

std::string ValueOf(std::string_view body, const std::string& pointer) {
  if (!wire::IsLooseJson(body)) return "";
  if (pointer.empty()) return std::string(body);
  const auto parsed = wire::ParsePointer(pointer);
  const auto value = parsed ? wire::ValueAt(body, *parsed) : std::nullopt;
  return value ? std::string(*value) : "";
}

// A difference that no declaration covers: one line; "" for others.
std::string Fatal(const Difference& item, size_t run) {
  const std::string in = " in run " + std::to_string(run + 1);
  const std::string message =
      item.frame == 0 ? "" : " (message " + std::to_string(item.frame) + " " + item.method + ")";
  switch (item.difference) {
    case DifferenceKind::kEnded:
      return "the plugin ended" + in + ": " + item.got +
             (item.expected.empty() ? "" : ", recorded " + item.expected);
    case DifferenceKind::kHung:
      return "the plugin hung" + in + ": " + item.text + message;
    case DifferenceKind::kJunk:
    case DifferenceKind::kFraming:
    case DifferenceKind::kDoubled:
    case DifferenceKind::kUnknown:
    case DifferenceKind::kUnexpected:
    case DifferenceKind::kEarly:
      return std::string(trace::Name(item.difference)) + in + ": " + item.text + message;
    case DifferenceKind::kMissing:
      return IsAnswer(item.kind) ? "an answer is missing" + in + message : "";
    case DifferenceKind::kOrder:
      return IsAnswer(item.kind) ? "an answer is out of order" + in + message : "";
    case DifferenceKind::kDiffers:
    case DifferenceKind::kExtra:
    case DifferenceKind::kInconsistent:
      return "";
  }
  return "";
}

// The places of two messages that differ, generalised, among those below `array`; with `unordered`,
// as if that array was declared so. Bound values count as differences both times.
std::set<std::string> PlacesBelow(const Varied& varied, const std::string& array,
                                  const Declarations& declared, bool unordered) {
  static const wire::Pointer kIds[] = {{{"id"}}, {{"seq"}}, {{"request_seq"}}};
  PlaceRules rules = RulesFor(declared, varied.method);
  for (const wire::Pointer& id : kIds) rules.ignores.push_back(&id);
  const auto at = wire::ParsePointer(array);
  if (unordered && at) rules.unordered.push_back(&*at);
  std::set<std::string> places;
  size_t count = 0;
  Compare(varied.recorded, varied.live, {.places = &rules}, [&](const ValueDifference& difference) {
    const std::string general = Generalised(difference.pointer);
    if (IsBelow(general, array)) places.insert(general);
    return ++count < trace::kMaxDifferences;
  });
  return places;
}

// Arrays above the places that differ, innermost first, generalised.
std::vector<std::pair<std::string, std::string>> ArraysAbove(const std::vector<Evidence>& runs) {
  std::set<std::pair<std::string, std::string>> arrays;  // method, pointer
  for (const Evidence& run : runs) {
    for (const Varied& varied : run.varied()) {
      for (const std::string& pointer : varied.pointers) {
        const std::string general = Generalised(pointer);
        for (size_t at = general.rfind("/*"); at != general.npos && at > 0;
             at = general.rfind("/*", at - 1)) {
          if (at + 2 == general.size() || general[at + 2] == '/') {
            arrays.emplace(varied.method, general.substr(0, at));
          }
        }
      }
    }
  }
  std::vector<std::pair<std::string, std::string>> ordered(arrays.begin(), arrays.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return std::count(a.second.begin(), a.second.end(), '/') >
           std::count(b.second.begin(), b.second.end(), '/');
  });
  return ordered;
}

}  // namespace

void Learner::Put(Lesson lesson) {
  auto& to = lesson.kind == LessonKind::kUnordered ? arrays_learned_ : methods_learned_;
  to[lesson.text] = std::move(lesson);
}

bool Learner::IsSettled(const std::string& method) const {
  const auto learned = methods_learned_.find(method);
  return learned != methods_learned_.end() && learned->second.kind != LessonKind::kFloating;
}

// Methods whose messages come in another number, at another place or in other pieces. Returns what
// differs in the same way in every run.
std::vector<std::string> Learner::LearnMethods(const std::vector<Evidence>& runs,
                                               const Script& script) {
  struct Counts {
    std::vector<std::string> by_run;  // what differs, as text
    std::vector<int64_t> surplus;
    bool number = false, order = false, content = false;
  };
  std::map<std::string, Counts> methods;
  for (size_t run = 0; run < runs.size(); ++run) {
    for (const Difference& item : runs[run].report().differences) {
      if (IsAnswer(item.kind)) continue;
      const bool extra = item.difference == DifferenceKind::kExtra;
      const bool missing = item.difference == DifferenceKind::kMissing;
      const bool order = item.difference == DifferenceKind::kOrder;
      const bool content =
          item.difference == DifferenceKind::kDiffers && item.kind == wire::Kind::kNotification;
      if (!extra && !missing && !order && !content) continue;
      Counts& counts = methods[item.method];
      counts.by_run.resize(runs.size());
      counts.surplus.resize(runs.size());
      counts.surplus[run] += extra - missing;
      counts.number = counts.number || extra || missing;
      counts.order = counts.order || order;
      counts.content = counts.content || content;
      if (content) continue;
      counts.by_run[run] += std::string(trace::Name(item.difference)) + " " +
                            std::to_string(item.frame) + (extra ? item.got : "") + "\n";
    }
  }
  std::vector<std::string> same_in_all;
  for (const auto& seen : methods) {
    const auto& method = seen.first;
    const auto& counts = seen.second;
    if (IsSettled(method)) {
      // A text in chunks that differs: only its number of messages is beyond what is declared.
      methods_learned_.erase(method);
    } else if (counts.number || counts.content) {
      std::vector<const std::vector<std::string>*> live;
      for (const Evidence& run : runs) live.push_back(&run.NotificationsOf(method));
      const std::vector<std::string>& recorded = recorded_[method];
      const bool may = std::none_of(runs.begin(), runs.end(),
                                    [](const Evidence& run) { return run.overflowed(); });
      if (const auto place = may ? ChunkPlaceOf(recorded, live) : std::nullopt) {
        Lesson lesson = {LessonKind::kChunked,
                         PlaceName(method, *place),
                         "the text is the same, but cut elsewhere (" +
                             wire::Counted(recorded.size(), "piece") + " recorded)",
                         {},
                         0};
        for (const auto* run : live) {
          lesson.values.push_back(wire::Counted(run->size(), "piece"));
          if (lesson.values.size() == kMaxLessonValues) break;
        }
        lesson.value_count = lesson.values.size();
        methods_learned_[method] = std::move(lesson);
        continue;
      }
    }
    if (!counts.number && !counts.order) continue;
    const bool varies = std::adjacent_find(counts.by_run.begin(), counts.by_run.end(),
                                           std::not_equal_to<>()) != counts.by_run.end();
    if (!varies) {
      same_in_all.push_back((counts.number ? "the number of " : "the order of ") + method);
      continue;
    }
    const auto floats = methods_learned_.find(method);
    if (!counts.number && floats == methods_learned_.end()) {
      methods_learned_[method] = {
          LessonKind::kFloating, method, "its messages come at another place", {}, 0};
      continue;
    }
    const auto [least, most] = std::minmax_element(counts.surplus.begin(), counts.surplus.end());
    const int64_t usual = static_cast<int64_t>(
        std::count_if(script.steps.begin(), script.steps.end(), [&](const Step& step) {
          return !IsAnswer(step.kind) && script.methods[step.method] == method;
        }));
    methods_learned_[method] = {LessonKind::kVolatile,
                                method,
                                "comes " + std::to_string(usual + *least) + " to " +
                                    std::to_string(usual + *most) + " times, " +
                                    std::to_string(usual) + " recorded",
                                {},
                                0};
  }
  return same_in_all;
}

// Arrays whose items come in another order. Returns those, with their method, as places.
std::set<std::string> Learner::LearnArrays(const std::vector<Evidence>& runs,
                                           const Declarations& declared) {
  std::set<std::string> found;
  std::set<std::pair<std::string, std::string>> inner;
  for (const auto& [method, array] : ArraysAbove(runs)) {
    const std::string place = PlaceName(method, array);
    if (IsSettled(method) || arrays_learned_.contains(place)) continue;
    // The one below explains the same places.
    if (std::any_of(inner.begin(), inner.end(), [&, m = method, a = array](const auto& other) {
          return other.first == m && IsBelow(other.second, a);
        })) {
      continue;
    }
    std::set<std::string> ordered, unordered;
    std::map<StepIndex, std::set<wire::ValueHash>> orders;
    std::map<StepIndex, size_t> seen;
    std::set<std::string> values;
    for (const Evidence& run : runs) {
      for (const Varied& varied : run.varied()) {
        if (varied.method != method) continue;
        const std::set<std::string> before = PlacesBelow(varied, array, declared, false);
        if (before.empty()) continue;
        ordered.insert(before.begin(), before.end());
        unordered.merge(PlacesBelow(varied, array, declared, true));
        const std::string live = ValueOf(varied.live, array);
        orders[varied.step].insert(wire::HashValue(live));
        ++seen[varied.step];
        if (values.size() < kMaxValues) values.insert(Shown(live));
      }
    }
    const bool fewer =
        unordered.size() < ordered.size() &&
        std::includes(ordered.begin(), ordered.end(), unordered.begin(), unordered.end());
    const bool varies = std::any_of(orders.begin(), orders.end(), [&](const auto& step) {
      return step.second.size() > 1 || seen[step.first] < runs.size();
    });
    if (!fewer || !varies) continue;
    found.insert(place);
    inner.emplace(method, array);
    Lesson lesson = {LessonKind::kUnordered,
                     place,
                     "the same items come in another order",
                     {values.begin(), values.end()},
                     values.size()};
    if (lesson.values.size() > kMaxLessonValues) lesson.values.resize(kMaxLessonValues);
    Put(std::move(lesson));
  }
  return found;
}

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

// Shapes, and ignores where there is no shape. Returns what is the same in every run.
std::vector<std::string> Learner::LearnPlaces() {
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
    std::set<std::string> all, live;
    bool absent = false, varies = false;
    for (const Instance* instance : group.instances) {
      absent = absent || instance->absent;
      varies = varies || instance->live.size() > 1 || instance->differed + instance->before < runs_;
      live.insert(instance->live.begin(), instance->live.end());
      all.insert(instance->recorded);
    }
    all.insert(live.begin(), live.end());
    const std::vector<std::string> values(all.begin(), all.end());
    std::optional<Shape> shape = absent ? std::nullopt : ShapeOf(values);
    if (shape && refused_.contains(place)) shape.reset();
    const std::string text = shape ? ShapeText(*shape) : "";
    // A time is another one although it is the same in all of these runs.
    const bool time = shape && IsTime(*shape);
    if (!varies && !time) {
      same_in_all.push_back(place);
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
    for (const std::string& value : values) {
      if (value.empty()) continue;
      lesson.values.push_back(Shown(value));
      if (lesson.values.size() == kMaxLessonValues) break;
    }
    learned[general] = std::move(lesson);
  }
  places_learned_ = std::move(learned);
  return same_in_all;
}

Result<bool> Learner::Learn(const std::vector<Evidence>& runs, const Script& script,
                            const Declarations& declared) {
  runs_ += runs.size();
  bool same = true;
  for (size_t run = 0; run < runs.size(); ++run) {
    const trace::ReplayReport& report = runs[run].report();
    same = same && report.same();
    std::string fatal;
    for (const Difference& item : report.differences) {
      const std::string text = Fatal(item, run);
      // What follows from an end or a hang, such as a missing answer, comes before it.
      const bool cause =
          item.difference == DifferenceKind::kEnded || item.difference == DifferenceKind::kHung;
      if (!text.empty() && (fatal.empty() || cause)) fatal = text;
    }
    if (!fatal.empty()) return Error{"cannot learn", fatal, "fix this first"};
    if (report.difference_count > report.differences.size()) {
      return Error{"cannot learn: more than 1000 differences", "run " + std::to_string(run + 1),
                   "record a new session"};
    }
  }
  if (same) return true;
  std::vector<std::string> stable = LearnMethods(runs, script);
  const std::set<std::string> arrays = LearnArrays(runs, declared);
  Collect(runs, arrays);
  const std::vector<std::string> places = LearnPlaces();
  stable.insert(stable.end(), places.begin(), places.end());
  if (!stable.empty()) {
    std::string list;
    for (size_t i = 0; i < std::min(stable.size(), kMaxListed); ++i) {
      list += (i == 0 ? "" : ", ") + stable[i];
    }
    if (stable.size() > kMaxListed) {
      list += " and " + std::to_string(stable.size() - kMaxListed) + " more";
    }
    return Error{"cannot learn what is the same in every run, but not as recorded", list,
                 "the plugin has changed: accept that with --update, or declare it"};
  }
  return false;
}

std::vector<Lesson> Learner::Lessons() const {
  std::vector<Lesson> lessons;
  for (const auto* learned : {&places_learned_, &arrays_learned_, &methods_learned_}) {
    for (const auto& [key, lesson] : *learned) lessons.push_back(lesson);
  }
  std::stable_sort(lessons.begin(), lessons.end(),
                   [](const Lesson& a, const Lesson& b) { return a.kind < b.kind; });
  return lessons;
}

}  // namespace midwire::replay
