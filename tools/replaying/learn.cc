#include "tools/replaying/learn.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "io/signals.h"
#include "replay/learn/background.h"
#include "replay/learn/call_names.h"
#include "replay/learn/learner.h"
#include "replay/load.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/console/shell_word.h"
#include "tools/output.h"
#include "tools/replaying/learned_header.h"
#include "tools/replaying/options.h"
#include "tools/replaying/plugin_run.h"
#include "wire/counted.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

using replay::Evidence;
using replay::Lesson;

// The plugin's notifications by method, or by what declarations call them.
std::map<std::string, std::vector<std::string>> Notifications(
    replay::Loaded* loaded, const replay::CallNames* names = nullptr) {
  std::map<std::string, std::vector<std::string>> bodies;
  size_t bytes = 0;
  for (replay::StepIndex i = 0; i < loaded->script.steps.size(); ++i) {
    const replay::Step& step = loaded->script.steps[i];
    if (step.direction != wire::Direction::kPluginToHost ||
        step.kind != wire::Kind::kNotification) {
      continue;
    }
    bytes += step.size;
    if (bytes > replay::kMaxEvidence) break;
    const auto frame = loaded->frames.Get(step.at, step.size);
    if (!frame) continue;
    bodies[names ? names->OfStep(i) : loaded->script.methods[step.method]].emplace_back(
        replay::BodyOf(step, *frame));
  }
  return bodies;
}

// Without the methods that the trace's header or an option declares already.
std::vector<Lesson> UndeclaredOf(std::vector<Lesson> lessons,
                                 const replay::Declarations& declared) {
  std::erase_if(lessons, [&](const Lesson& lesson) {
    return declared.Volatile({lesson.text, {}});
  });
  return lessons;
}

void Append(const Lesson& lesson, std::string* out) {
  *out += "--" + std::string(Name(lesson.kind)) + " " + ShellQuoted(wire::Escaped(lesson.text)) +
          "\n    " + wire::Escaped(lesson.reason);
  for (size_t i = 0; i < lesson.values.size(); ++i) {
    *out += (i == 0 ? ": " : ", ") + wire::Escaped(lesson.values[i]);
  }
  if (lesson.value_count > lesson.values.size()) {
    *out += " and " + std::to_string(lesson.value_count - lesson.values.size()) + " more";
  }
  *out += "\n";
}

int Finish(const LearnRequest& request, const std::vector<Lesson>& lessons, size_t runs) {
  Output output;
  std::string* out = output.text();
  if (lessons.empty()) {
    *out += "nothing varies: " + std::to_string(runs) + " runs are the same as the recording\n";
    return output.Finish();
  }
  const Result<WrittenHeader> written = WriteLessons(request.trace, lessons);
  if (!written) return Fail(written.error(), kDifference);
  for (const Lesson& lesson : lessons) Append(lesson, out);
  *out += "wrote " + wire::Counted(lessons.size(), "declaration") + " to " +
          wire::Escaped(written->path) +
          (written->old.empty() ? " (a new cassette)"
                                : " (previous version: " + wire::Escaped(written->old) + ")") +
          "\nsame: " + std::to_string(request.runs) + " more runs with them\n";
  return output.Finish();
}

// What is still different after the last round.
std::string FirstDifference(const std::vector<Evidence>& runs) {
  for (const Evidence& run : runs) {
    for (const trace::Difference& item : run.report().differences) {
      return (item.frame == 0 ? "" : "message " + std::to_string(item.frame) + ", ") +
             std::string(trace::Name(item.difference)) + " " + item.method + item.pointer;
    }
  }
  return "";
}

}  // namespace

int Learn(const LearnRequest& request) {
  auto loaded = replay::Load(request.trace, request.options.ours, request.declared);
  if (!loaded) return Fail(loaded.error(), kUsage);
  if (request.options.speed > 0 && !(*loaded)->script.timed) {
    return Fail({"--timing: the trace has no times", request.trace,
                 "learn from the tape, or from a cassette made by midwire convert --times"},
                kUsage);
  }
  ReportWarnings(request.trace, (*loaded)->declared);
  const Result<replay::CallNames> names = replay::CallNames::Of(loaded->get(), request.labels);
  if (!names) return Fail(names.error(), kUsage);
  replay::Learner learner(Notifications(loaded->get(), &*names));
  learner.Settle(
      UndeclaredOf(replay::BackgroundLessons(Notifications(loaded->get()), request.background),
                   (*loaded)->declared));
  std::vector<Lesson> lessons;
  std::vector<Evidence> runs;
  for (size_t round = 0; round <= kMaxRounds; ++round) {
    lessons = learner.Lessons();
    replay::Declarations declared = request.declared;
    for (const Lesson& lesson : lessons) {
      if (Status added = Declare(lesson, &declared); !added)
        return Fail(added.error(), kDifference);
    }
    loaded = replay::Load(request.trace, request.options.ours, std::move(declared));
    if (!loaded) return Fail(loaded.error(), kUsage);
    if (round > 0) {
      ReportNote("round " + std::to_string(round + 1) + ": " + wire::Counted(request.runs, "run") +
                 " with " + wire::Counted(lessons.size(), "declaration"));
    }
    runs = std::vector<Evidence>(request.runs, Evidence(&*names));
    for (Evidence& evidence : runs) {
      replay::PlayerOptions options = request.options;
      options.variations = &evidence;
      Result<PluginRun> run = RunOnce({.before = request.before, .pass_stderr = false}, options,
                                      loaded->get(), nullptr);
      if (!run) return Fail(run.error(), kUsage);
      if (run->interrupted != 0) io::DieBy(run->interrupted);
      evidence.End((*loaded)->bindings, std::move(run->report));
    }
    const Result<bool> same = learner.Learn(runs, (*loaded)->script, (*loaded)->declared);
    if (!same) return Fail(same.error(), kDifference);
    if (*same) return Finish(request, lessons, request.runs);
  }
  return Fail({"cannot learn: still not the same after " + std::to_string(kMaxRounds + 1) +
                   " rounds of runs",
               FirstDifference(runs), "nothing is changed"},
              kDifference);
}

}  // namespace midwire::tools
