// The test language of --learn: rounds of runs without plugins, each run the peer's side of one
// conversation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "replay/learn/call_names.h"
#include "replay/learn/learner.h"
#include "tests/replay/conversation.h"

namespace midwire::replay {

// Plays rounds of runs; `run` gives what the peer sends in a run, from 0 on over all rounds.
class Learning {
 public:
  using PeerOf = std::function<std::string(int run)>;
  Learning(std::string recorded, PeerOf peer)
      : recorded_(std::move(recorded)), peer_(std::move(peer)) {}
  // A place of the dialect's "labels".
  Learning& Labelled(const char* place) {
    labels_.push_back(*wire::ParseMethodPlace(place));
    return *this;
  }

  // The declarations, one per line; or the error, as one text, with what it lists.
  std::vector<std::string> Learned(size_t runs = 4) {
    std::optional<Learner> learner;
    std::optional<CallNames> names;
    std::vector<std::string> lines;
    for (int round = 0; round < 6; ++round) {
      Role role = Host();
      lines.clear();
      lessons = learner ? learner->Lessons() : std::vector<Lesson>();
      for (const Lesson& lesson : lessons) {
        EXPECT_TRUE(Declare(lesson, &role.declared));
        lines.push_back(std::string(Name(lesson.kind)) + " " + lesson.text);
      }
      if (!names) names = *CallNames::Of(LoadTape(TapeOf(recorded_), role).get(), labels_);
      std::vector<Evidence> evidence(runs, Evidence(&*names));
      std::unique_ptr<LiveRun> live;
      for (Evidence& run : evidence) {
        role.options.variations = &run;
        live = std::make_unique<LiveRun>(TapeOf(recorded_), role);
        if (!learner) learner.emplace(NotificationsOf(live->loaded(), *names));
        for (const std::string& line : LinesOf(peer_(run_++))) live->Happens(line);
        live->Leave();
        run.End(live->loaded().bindings, live->TakeReport());
      }
      const Result<bool> same = learner->Learn(evidence, live->loaded().script, role.declared);
      if (!same) return {same.error().Text() + Listed(learner->unlearned())};
      if (*same) return lines;
    }
    return {"never"};
  }

  std::vector<Lesson> lessons;  // of the latest round

 private:
  static std::string Listed(const std::vector<Unlearned>& unlearned) {
    std::string text;
    for (const Unlearned& item : unlearned) {
      text += "\n" + std::to_string(item.message) + " " + item.what + ": " + item.shown.expected +
              " | " + item.shown.got + " in " + std::to_string(item.differed) + " of " +
              std::to_string(item.runs) + ", " + std::string(Name(item.kind)) + " " + item.text;
    }
    return text;
  }
  static std::map<std::string, std::vector<std::string>> NotificationsOf(Loaded& loaded,
                                                                         const CallNames& names) {
    std::map<std::string, std::vector<std::string>> bodies;
    for (StepIndex i = 0; i < loaded.script.steps.size(); ++i) {
      const Step& step = loaded.script.steps[i];
      if (step.kind != Kind::kNotification) continue;
      bodies[names.OfStep(i)].emplace_back(BodyOf(step, *loaded.frames.Get(step.at, step.size)));
    }
    return bodies;
  }

  std::string recorded_;
  PeerOf peer_;
  std::vector<wire::MethodPlace> labels_;
  int run_ = 0;
};

}  // namespace midwire::replay
