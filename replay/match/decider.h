// The first of three parts of the matcher: decides which step a live message is, from what has
// arrived until now. Answers match by id, other messages by method and content: an exact recording
// first, in whatever order it comes, then the most similar one. Changes nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "replay/match/decision.h"
#include "replay/match/progress.h"
#include "replay/script/declared.h"
#include "wire/message.h"

namespace midwire::replay {

// Changed notifications of one method that wait for the end of the run, when it is known which
// recordings never came; and their bytes of all methods together.
inline constexpr size_t kMaxUndecided = 64, kMaxUndecidedBytes = 16u << 20;

struct Undecided {
  wire::Message message;
  std::string body;
  uint32_t from;  // DifferenceLog::From
};

// What is expected, and what waits for a decision. The matcher changes it, the decider reads it.
struct MatchState {
  Expectations expected;
  OpenRequests open;
  Chunks chunks;
  std::map<Expectations::Key, std::vector<Undecided>> undecided;
  size_t undecided_bytes = 0;
};

class Decider {
 public:
  // Keeps all pointers.
  Decider(const Script* script, const Declarations* declared, const Bindings* bindings,
          const Progress* progress, const MatchOptions* options, MessageComparer* comparer,
          MatchState* state)
      : script_(script),
        declared_(declared),
        bindings_(bindings),
        progress_(progress),
        options_(options),
        comparer_(comparer),
        state_(state),
        scopes_(*declared) {}

  Decision Decide(Direction direction, const wire::Message& message, std::string_view body);
  // Of a live message by itself: an answer has no members of a request.
  CallClass ClassOf(const wire::Message& message, std::string_view body);

  // At the end, for undecided messages of one key. Each pair may be made if its recording has not
  // arrived and its message is undecided then; the most similar pairs come first.
  struct Pair {
    size_t differences;
    StepIndex step;
    size_t message;  // in `undecided`
  };
  std::vector<Pair> Pairs(const Expectations::Key& key, const std::vector<Undecided>& undecided);
  Decision ForPair(const Expectations::Key& key, StepIndex step, const Undecided& message);
  Decision ForRest(const Expectations::Key& key, const Undecided& message);

 private:
  Decision DecideAnswer(Direction direction, const wire::Message& message, std::string_view body);
  Decision DecideOther(Direction direction, const wire::Message& message, std::string_view body);
  bool IsPiece(const wire::Message& message, std::string_view body, Decision* decision);
  void Take(const wire::Message& message, std::string_view body, Decision* decision);
  bool IsAgain(const wire::Message& message, std::string_view body, Decision* decision);
  void DropHostNames(const wire::Message& message, std::string_view body, Decision* decision);
  bool MayWait(const Decision& decision, std::string_view body) const;
  void FindNearest(const wire::Message& message, std::string_view body, Decision* decision);
  StepIndex FindUnsent(Direction direction, std::string_view id);
  size_t enough() const { return options_->variations ? kMaxPlaces : kFewPlaces; }

  static constexpr size_t kFewPlaces = 8;  // enough to find the most similar recording

  const Script* script_;
  const Declarations* declared_;
  const Bindings* bindings_;
  const Progress* progress_;
  const MatchOptions* options_;
  MessageComparer* comparer_;
  MatchState* state_;
  Scopes scopes_;
};

}  // namespace midwire::replay
