// Learner: methods whose messages come in another number, at another place or in other pieces.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "replay/learn/chunk_place.h"
#include "replay/learn/learner.h"
#include "replay/learn/place_name.h"
#include "wire/counted.h"

namespace midwire::replay {
namespace {

using trace::Difference;
using trace::DifferenceKind;

}  // namespace

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
      Counts& counts = methods[runs[run].NameOf(item)];
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
    int64_t usual = 0;
    for (StepIndex i = 0; i < script.steps.size(); ++i) {
      usual += !IsAnswer(script.steps[i].kind) && runs[0].NameOf(script, i) == method;
    }
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

}  // namespace midwire::replay
