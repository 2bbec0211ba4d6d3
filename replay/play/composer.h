// Composes what our role sends: the recorded frame with live ids and live bound values, every other
// byte as recorded. Called by the player, which decides what is sent and when.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "replay/match/progress.h"
#include "replay/play/rewrite.h"
#include "replay/script/declared.h"
#include "replay/script/script.h"
#include "replay/values/bindings.h"
#include "replay/values/live_ids.h"

namespace midwire::replay {

class Composer {
 public:
  Composer(const Script* script, Frames* frames, const Declarations* declared,
           const Bindings* bindings, const Progress* progress, const LiveIds* ids)
      : script_(script),
        frames_(frames),
        declared_(declared),
        bindings_(bindings),
        progress_(progress),
        ids_(ids) {}

  // The frame of a step of ours, valid until the next call. live_id_of gives the live id of the
  // request that an answer, or an element of an answering batch, answers.
  using LiveIdOf = std::function<std::string_view(StepIndex request)>;
  std::string_view Compose(StepIndex index, const LiveIdOf& live_id_of);

  // The id token in a recorded request of ours, "" if there is none; valid until the next call.
  std::string_view IdOf(StepIndex index);

  // An error answer that is not in the trace, framed as our role's messages are.
  std::string ErrorAnswer(const wire::Message& request, std::string_view text, bool content_length);

  // An answer, framed, as the only one of a batch.
  static std::string InBatch(std::string_view frame, bool content_length);

  // The step in which the peer generates a value that this step repeats and that is not known yet;
  // kNoStep if none is missing.
  StepIndex WaitsFor(StepIndex index);

 private:
  std::string_view Frame(const Step& step);
  void Replace(StepIndex index, std::string_view body, const LiveIdOf& live_id_of);
  void Replace(std::string_view what, std::string_view with);
  // Calls visit for each bound value, token and member's name in the body of a step.
  void VisitBound(const CallClass& of, std::string_view body,
                  const Bindings::VisitToken& visit) const;

  const Script* script_;
  Frames* frames_;
  const Declarations* declared_;
  const Bindings* bindings_;
  const Progress* progress_;
  const LiveIds* ids_;
  std::vector<Replacement> replacements_;
  std::unordered_set<const char*> replaced_;  // where they begin
  std::string composed_;
};

}  // namespace midwire::replay
