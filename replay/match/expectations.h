// The recorded messages of the peer that have not arrived, except answers: per direction, kind and
// method in recorded order, and by content. Finding an exact recording takes the same time among
// ten as among a hundred thousand. Called by the matcher. Compares nothing itself.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "replay/match/content.h"
#include "replay/match/message_comparer.h"
#include "replay/match/progress.h"
#include "replay/script/script.h"

namespace midwire::replay {

// Recordings of one method that a message is compared with before it counts as changed. Real peers
// reorder about ten messages; a higher limit would make a hostile peer expensive.
inline constexpr size_t kMaxTried = 64;
// Recordings with the same content except at varying places that are compared with a message.
inline constexpr size_t kMaxSameContent = 1024;

// The messages of one direction, kind and method that are volatile, or that are not.
class ExpectedMessages {
 public:
  void Add(StepIndex step) { steps_.push_back(step); }
  // The first ones that are not done, at most `limit`. Forgets those that are done.
  std::vector<StepIndex> Waiting(const Progress& progress, size_t limit);
  StepIndex FirstWaiting(const Progress& progress);  // or kNoStep
  // Those not done whose content is the body's except at varying places, in recorded order. The
  // first call reads all recordings.
  std::vector<StepIndex> WithContent(std::string_view body, const Progress& progress,
                                     MessageComparer* comparer, const Bindings& bindings);
  // The last one that is done and has that content, or kNoStep.
  StepIndex LastDoneWithContent(std::string_view body, const Progress& progress,
                                MessageComparer* comparer, const Bindings& bindings);
  // A message of this kind was accepted as this step.
  void Use(StepIndex step);
  const std::deque<StepIndex>& used() const { return used_; }  // the latest kMaxTried
  bool bound(const Script& script) const;                      // one of them holds a bound value

 private:
  struct SameContent {
    std::vector<StepIndex> steps;
    size_t first = 0;  // those before are done
  };
  void Index(const Script& script, MessageComparer* comparer, const Bindings& bindings);

  std::vector<StepIndex> steps_;
  size_t first_ = 0;  // those before are done
  std::deque<StepIndex> used_;
  bool indexed_ = false;
  VaryingPlaces varying_;
  std::unordered_map<uint64_t, SameContent> by_content_;
};

class Expectations {
 public:
  struct Key {
    std::string method;
    Direction direction;
    Kind kind;
    bool is_volatile = false;  // a scope may make some messages of a method volatile
    bool operator<(const Key& other) const;
  };
  void Add(const Script& script, StepIndex step);
  ExpectedMessages* Find(const Key& key);
  // Those that this step of the script is one of, without a look at its method's name.
  ExpectedMessages* FindOf(const Step& step) const;
  std::map<Key, ExpectedMessages>& all() { return all_; }

 private:
  std::map<Key, ExpectedMessages> all_;
  std::unordered_map<uint64_t, ExpectedMessages*> by_step_;  // the same, by what a step has
};

}  // namespace midwire::replay
