// Learner: arrays whose items come in another order.
#include <algorithm>
#include <utility>

#include "replay/learn/learner.h"
#include "replay/learn/place_name.h"
#include "replay/match/shown.h"
#include "trace/report/excerpt.h"
#include "wire/json/hash.h"

namespace midwire::replay {
namespace {

// The places of two messages that differ, generalised, among those below `array`; with `unordered`,
// as if that array was declared so. Bound values count as differences both times.
std::set<std::string> PlacesBelow(const Varied& varied, const std::string& array, PlaceRules rules,
                                  bool unordered) {
  static const wire::Pointer kIds[] = {{{"id"}}, {{"seq"}}, {{"request_seq"}}};
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

// How the items of one array came in all runs.
struct ItemOrders {
  // Places below it that differ: as declared, and as if it was declared as unordered too.
  std::set<std::string> ordered, unordered;
  std::map<StepIndex, std::set<wire::ValueHash>> values_by_step;
  std::map<StepIndex, size_t> runs_by_step;  // in how many runs it differed
  std::set<std::string> shown;

  bool ExplainedByOrder() const {
    return unordered.size() < ordered.size() &&
           std::includes(ordered.begin(), ordered.end(), unordered.begin(), unordered.end());
  }
  bool Varies(size_t runs) const {
    return std::any_of(values_by_step.begin(), values_by_step.end(), [&](const auto& step) {
      return step.second.size() > 1 || runs_by_step.at(step.first) < runs;
    });
  }
};

ItemOrders OrdersOf(const std::string& method, const std::string& array,
                    const std::vector<Evidence>& runs, const Script& script,
                    const Declarations& declared) {
  ItemOrders orders;
  for (const Evidence& run : runs) {
    for (const Varied& varied : run.varied()) {
      if (varied.method != method) continue;
      const PlaceRules rules = RulesFor(declared, script.ClassOf(script.steps[varied.step]));
      const std::set<std::string> before = PlacesBelow(varied, array, rules, false);
      if (before.empty()) continue;
      orders.ordered.insert(before.begin(), before.end());
      orders.unordered.merge(PlacesBelow(varied, array, rules, true));
      const std::string live = ValueOf(varied.live, array);
      orders.values_by_step[varied.step].insert(wire::HashValue(live));
      ++orders.runs_by_step[varied.step];
      if (orders.shown.size() < kMaxValues) orders.shown.insert(Shown(live));
    }
  }
  return orders;
}

}  // namespace

// Arrays whose items come in another order. Returns those, with their method, as places.
std::set<std::string> Learner::LearnArrays(const std::vector<Evidence>& runs, const Script& script,
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
    const ItemOrders orders = OrdersOf(method, array, runs, script, declared);
    if (!orders.ExplainedByOrder() || !orders.Varies(runs.size())) continue;
    found.insert(place);
    inner.emplace(method, array);
    std::vector<std::string> shown(orders.shown.begin(), orders.shown.end());
    if (shown.size() > kMaxLessonValues) shown.resize(kMaxLessonValues);
    Lesson lesson = {LessonKind::kUnordered, place, "the same items come in another order",
                     trace::Excerpts(shown), orders.shown.size()};
    Put(std::move(lesson));
  }
  return found;
}

}  // namespace midwire::replay
