// Decides, from several runs of one plugin, the weakest declarations with which all of them are the
// same as the recording. Called by tools/replaying: a round of runs, Learn, another round with what
// was declared, until a round has no difference. Learns only what varies: what differs from the
// recording but is the same in every run is a change of the plugin. Pure; runs nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "replay/learn/evidence.h"
#include "replay/learn/lesson.h"
#include "replay/script/script.h"
#include "replay/shape/shape.h"

namespace midwire::replay {

// Different values of one place that are kept. More are counted.
inline constexpr size_t kMaxValues = 64;

// What differs from the recording in the same way in every run, so that it is not declared.
struct Unlearned {
  std::string what;  // the place, "the number of METHOD" or "the order of METHOD"
  LessonKind kind = LessonKind::kIgnore;
  std::string text;  // a declaration with which it would be no difference
  // Of a place, the first message that differs there, and in how many of the runs.
  uint32_t message = 0;
  trace::ShownPair shown{};
  size_t differed = 0, runs = 0;
};

class Learner {
 public:
  // `recorded`: the notifications of the peer by method, in order.
  explicit Learner(std::map<std::string, std::vector<std::string>> recorded)
      : recorded_(std::move(recorded)) {}

  // Before the first round: methods that are declared whatever the runs show (background.h).
  void Settle(std::vector<Lesson> lessons);
  // A round of runs that were made with `declared`, all with the same declarations. Returns whether
  // they were the same as the recording. An error: something that no declaration covers.
  Result<bool> Learn(const std::vector<Evidence>& runs, const Script& script,
                     const Declarations& declared);
  // After an error: what is the same in every run; empty if the error is about something else.
  const std::vector<Unlearned>& unlearned() const { return unlearned_; }
  // What was learned until now.
  std::vector<Lesson> Lessons() const;
  // Whether only the very first run was as recorded: the others may have found what a run before
  // them left.
  bool only_first_as_recorded() const { return only_first_as_recorded_; }

 private:
  // One member of one message.
  struct Instance {
    std::string recorded;        // JSON, "": not there
    trace::ShownPair shown;      // in the first run in which it differed
    std::set<std::string> live;  // in runs in which it differed
    size_t differed = 0;         // in how many runs
    size_t before = 0;           // runs before the round in which it was first compared
    bool absent = false;         // on one side, in some run
  };
  // All that a declaration would cover.
  struct Group {
    std::string method;
    std::set<std::string> pointers;
    std::vector<const Instance*> instances;
    std::set<std::string> all;  // values, recorded and of the runs
    bool absent = false;        // on one side, in some run
    bool varies = false;        // from run to run
  };

  // Of methods (learn_methods.cc).
  void LearnMethods(const std::vector<Evidence>& runs, const Script& script);
  bool LearnChunked(const std::string& method, const std::vector<Evidence>& runs);
  void LearnFloating(const std::string& method, const std::string& early);
  void LearnVolatile(const std::string& method, const std::vector<int64_t>& surplus,
                     const Evidence& run, const Script& script);
  // Of arrays (learn_arrays.cc).
  std::set<std::string> LearnArrays(const std::vector<Evidence>& runs, const Script& script,
                                    const Declarations& declared);
  // Of places (learn_places.cc).
  void Collect(const std::vector<Evidence>& runs, const std::set<std::string>& arrays);
  std::map<std::string, Group> GroupInstances() const;
  static std::vector<CallValues> ValuesOf(const Group& group);
  std::string PlaceOf(const std::string& general, const Group& group) const;
  bool WasInVain(const std::string& general, const Group& group,
                 const std::string& declaration) const;
  std::optional<Lesson> LearnShape(const std::string& general, const Group& group,
                                   const Shape& shape);
  Lesson LearnIgnore(const std::string& general, const Group& group) const;
  void LearnPlaces(const Script& script);
  // A place that varies and that no declaration may cover; nullopt: there is none.
  std::optional<Error> NeverLearned(const Script& script) const;
  bool Varies(const Instance& instance) const;
  Unlearned Seen(std::string place, const Group& group, const Script& script) const;
  void Put(Lesson lesson);
  bool IsSettled(const std::string& method) const;  // volatile or chunked

  std::map<std::string, std::vector<std::string>> recorded_;
  size_t runs_ = 0;
  bool only_first_as_recorded_ = false;
  std::vector<Unlearned> unlearned_;
  std::map<std::pair<StepIndex, std::string>, Instance> instances_;  // by step and pointer
  std::map<StepIndex, std::string> methods_;
  std::map<std::string, Lesson> methods_learned_, arrays_learned_, places_learned_;
  std::set<std::string> refused_;                       // shapes that did not help
  std::set<std::pair<StepIndex, std::string>> latest_;  // what differed in this round
};

}  // namespace midwire::replay
