#include "replay/learn/learner.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "replay/learn/place_name.h"
#include "trace/report/excerpt.h"
#include "wire/counted.h"

namespace midwire::replay {
namespace {

using trace::Difference;
using trace::DifferenceKind;

// Runs of which the first is the only one as recorded. With fewer, that may be chance.
constexpr size_t kLeastForState = 3;

// A difference that no declaration covers: one line; "" for others.
std::string Fatal(const Difference& item, size_t run) {
  const std::string in = " in run " + std::to_string(run + 1);
  const std::string message = item.frame == 0
                                  ? ""
                                  : " (message " + std::to_string(item.frame) +
                                        (item.method.empty() ? "" : " " + item.method) + ")";
  const std::string what =
      !item.text.empty() || item.expected.empty()
          ? item.text
          : "expected " + item.expected + (item.got.empty() ? "" : ", got " + item.got);
  switch (item.difference) {
    case DifferenceKind::kEnded:
      return "the plugin ended" + in + ": " + (item.got.empty() ? item.text : item.got) +
             (item.expected.empty() ? "" : ", recorded " + item.expected);
    case DifferenceKind::kHung:
      return "the plugin hung" + in + ": " + item.text + message;
    case DifferenceKind::kJunk:
    case DifferenceKind::kFraming:
    case DifferenceKind::kDoubled:
    case DifferenceKind::kUnknown:
    case DifferenceKind::kUnexpected:
    case DifferenceKind::kWaits:
      return std::string(trace::Name(item.difference)) + in + message +
             (what.empty() ? "" : ": " + what);
    case DifferenceKind::kMissing:
      return IsAnswer(item.kind) ? "an answer is missing" + in + message : "";
    case DifferenceKind::kOrder:
      return IsAnswer(item.kind) ? "an answer is out of order" + in + message : "";
    case DifferenceKind::kDiffers:
    case DifferenceKind::kExtra:
    case DifferenceKind::kEarly:
    case DifferenceKind::kInconsistent:
      return "";
  }
  return "";
}

bool OnlyFirstAsRecorded(const std::vector<Evidence>& runs) {
  return runs.size() >= kLeastForState && runs[0].report().same() &&
         std::none_of(runs.begin() + 1, runs.end(),
                      [](const Evidence& run) { return run.report().same(); });
}

// The first place in which all runs but the first differ, and with the same values; "": these are
// not all their differences. A plugin that finds what an earlier run left is such a one.
std::string KeptState(const std::vector<Evidence>& runs, const Script& script) {
  const auto same = [&](const Varied& a, const Varied& b) {
    return a.step == b.step && a.pointers == b.pointers && a.live == b.live;
  };
  const std::vector<Varied>& second = runs[1].varied();
  for (size_t i = 1; i < runs.size(); ++i) {
    const std::vector<Varied>& varied = runs[i].varied();
    if (varied.empty() || runs[i].report().difference_count != varied.size() ||
        !std::equal(varied.begin(), varied.end(), second.begin(), second.end(), same)) {
      return "";
    }
  }
  const Varied& first = second.front();
  const std::string& pointer = first.pointers.front();
  const std::vector<std::string> values = trace::Excerpts(
      std::vector<std::string>{ValueOf(first.recorded, pointer), ValueOf(first.live, pointer)});
  return "message " + std::to_string(script.steps[first.step].number) + ", " +
         PlaceName(first.method, pointer) + ": " + values[0] + " in the first run, then " +
         values[1];
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

void Learner::Settle(std::vector<Lesson> lessons) {
  for (Lesson& lesson : lessons) {
    std::string method = lesson.text;
    methods_learned_.emplace(std::move(method), std::move(lesson));
  }
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
  const bool first_round = runs_ == runs.size();
  if (first_round) only_first_as_recorded_ = OnlyFirstAsRecorded(runs);
  const std::string kept = first_round && only_first_as_recorded_ ? KeptState(runs, script) : "";
  if (!kept.empty()) {
    return Error{"cannot learn: the first run is as recorded, and all others differ from it alike",
                 kept, "it may keep state: restore that before each run with --before COMMAND"};
  }
  unlearned_.clear();
  LearnMethods(runs, script);
  const std::set<std::string> arrays = LearnArrays(runs, script, declared);
  Collect(runs, arrays);
  if (const std::optional<Error> never = NeverLearned(script)) return *never;
  LearnPlaces(script);
  if (!unlearned_.empty()) {
    return Error{"cannot learn what is the same in every run, but not as recorded",
                 wire::Counted(unlearned_.size(), "difference"), ""};
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
