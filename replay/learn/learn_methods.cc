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

// What the messages of one method did otherwise than recorded.
struct MethodCounts {
  std::vector<std::string> by_run;  // what differs, as text
  std::vector<int64_t> surplus;
  bool number = false, order = false, content = false;
  // Of a reverse call: what came before our answer to it, as text; "": nothing.
  std::string early;

  bool varies() const {
    return std::adjacent_find(by_run.begin(), by_run.end(), std::not_equal_to<>()) != by_run.end();
  }
};

std::map<std::string, MethodCounts> CountMethods(const std::vector<Evidence>& runs) {
  std::map<std::string, MethodCounts> methods;
  for (size_t run = 0; run < runs.size(); ++run) {
    for (const Difference& item : runs[run].report().differences) {
      const bool early = item.difference == DifferenceKind::kEarly;
      if (IsAnswer(item.kind) && !early) continue;
      const bool extra = item.difference == DifferenceKind::kExtra;
      const bool missing = item.difference == DifferenceKind::kMissing;
      const bool order = item.difference == DifferenceKind::kOrder || early;
      const bool content =
          item.difference == DifferenceKind::kDiffers && item.kind == wire::Kind::kNotification;
      if (!extra && !missing && !order && !content) continue;
      MethodCounts& counts = methods[runs[run].NameOf(item)];
      counts.by_run.resize(runs.size());
      counts.surplus.resize(runs.size());
      counts.surplus[run] += extra - missing;
      counts.number = counts.number || extra || missing;
      counts.order = counts.order || order;
      if (early && counts.early.empty()) {
        counts.early = "message " + std::to_string(item.frame) + " " + item.method;
      }
      counts.content = counts.content || content;
      if (content) continue;
      counts.by_run[run] += std::string(trace::Name(item.difference)) + " " +
                            std::to_string(item.frame) + (extra ? item.got : "") + "\n";
    }
  }
  return methods;
}

// How a refusal names it.
std::string OrderOf(const std::string& method, const std::string& early) {
  std::string text = "the order of " + method;
  if (!early.empty()) {
    text += " (" + early + " came before our answer to it)";
  }
  return text;
}

}  // namespace

// A text that is the same in all runs, but cut elsewhere. False: there is none.
bool Learner::LearnChunked(const std::string& method, const std::vector<Evidence>& runs) {
  std::vector<const std::vector<std::string>*> live;
  for (const Evidence& run : runs) live.push_back(&run.NotificationsOf(method));
  const std::vector<std::string>& recorded = recorded_[method];
  const bool may =
      std::none_of(runs.begin(), runs.end(), [](const Evidence& run) { return run.overflowed(); });
  const auto place = may ? ChunkPlaceOf(recorded, live) : std::nullopt;
  if (!place) return false;
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
  return true;
}

// `early`: what came before our answer to such a message, in some of the runs; "": nothing.
void Learner::LearnFloating(const std::string& method, const std::string& early) {
  methods_learned_[method] = {LessonKind::kFloating,
                              method,
                              early.empty() ? "its messages come at another place"
                                            : early + " does not always wait for our answer to it",
                              {},
                              0};
}

// `surplus`: of each run, how many messages came more than recorded, or fewer.
void Learner::LearnVolatile(const std::string& method, const std::vector<int64_t>& surplus,
                            const Evidence& run, const Script& script) {
  const auto [least, most] = std::minmax_element(surplus.begin(), surplus.end());
  int64_t usual = 0;
  for (StepIndex i = 0; i < script.steps.size(); ++i) {
    usual += !IsAnswer(script.steps[i].kind) && run.NameOf(script, i) == method;
  }
  methods_learned_[method] = {LessonKind::kVolatile,
                              method,
                              "comes " + std::to_string(usual + *least) + " to " +
                                  std::to_string(usual + *most) + " times, " +
                                  std::to_string(usual) + " recorded",
                              {},
                              0};
}

// Methods whose messages come in another number, at another place or in other pieces.
void Learner::LearnMethods(const std::vector<Evidence>& runs, const Script& script) {
  for (const auto& [method, counts] : CountMethods(runs)) {
    if (IsSettled(method)) {
      // A text in chunks that differs: only its number of messages is beyond what is declared.
      methods_learned_.erase(method);
    } else if ((counts.number || counts.content) && LearnChunked(method, runs)) {
      continue;
    }
    if (!counts.number && !counts.order) continue;
    if (!counts.varies()) {
      Unlearned& same = unlearned_.emplace_back();
      same.what = counts.number ? "the number of " + method : OrderOf(method, counts.early);
      same.kind = counts.number ? LessonKind::kVolatile : LessonKind::kFloating;
      same.text = method;
    } else if (!counts.number && !methods_learned_.contains(method)) {
      LearnFloating(method, counts.early);
    } else {
      LearnVolatile(method, counts.surplus, runs[0], script);
    }
  }
}

}  // namespace midwire::replay
