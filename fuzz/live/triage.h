// What is done with the findings of a run. Those of known causes only teach which inputs show them.
// A new one is confirmed, reduced and saved. If it is a suspicion that may cost more than it is
// worth, it waits for that (suspicions.h). Called by the engine after each run. Makes no inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/known_causes.h"
#include "fuzz/live/counters.h"
#include "fuzz/live/coverage.h"
#include "fuzz/live/engine.h"
#include "fuzz/live/finding_store.h"
#include "fuzz/live/investigate.h"
#include "fuzz/live/target.h"
#include "fuzz/seeds.h"
#include "fuzz/shutdown_methods.h"
#include "fuzz/suspicions.h"

namespace midwire::fuzz {

// The input of a run.
struct SentInput {
  std::string_view bytes;  // empty: the run was the end of stdin
  const Input* input = nullptr;
  std::string ancestry;  // the mutators that made it
};

class Triage {
 public:
  // Owns none of what it gets by pointer.
  Triage(const EngineOptions* options, const Seeds* seeds, const ShutdownMethods* shutdown_methods,
         KnownCauses* known, Counters* counters, const LineSink& print_line);

  void UseTarget(Target* target);
  // The search begins; the counters of `coverage` stay as a run left them.
  void Begin(const Coverage* coverage, Tier tier, int64_t now_ns);

  // The run has shown nothing.
  void OnClean(const SentInput& sent);
  // `spent`: the run has cost the peer. An error: no peer can be started, or nothing written.
  Status OnFindings(const std::vector<Finding>& findings, const SentInput& sent, bool spent);
  // Examines suspicions, as long as there is time for them.
  Status OnTime();
  // The search is over: examines what still waits, for a short time each.
  Status Finish();
  // A finding was saved that ends the run.
  bool ended() const { return ended_; }
  // Whether the play that is under way must end.
  bool Stops();

 private:
  Input SurelyRead(const Input& input) const;
  void Learn(const Finding& finding, const Input& input);
  void Learned(const Finding& finding, const std::string& before);
  Status TakeNew(const Suspicion& seen, int64_t most_ns, bool* confirmed);
  Status Examine(const Suspicion& suspicion, int64_t most_ns);
  Result<Investigated> InvestigateFinding(const Suspicion& seen, int64_t most_ns,
                                          std::vector<Input>* shown);
  Status Save(const Investigated& found, const std::string& ancestry);

  const EngineOptions* options_;
  const Seeds* seeds_;
  const ShutdownMethods* shutdown_methods_;
  KnownCauses* known_;
  Counters* counters_;
  Target* target_ = nullptr;
  const Coverage* coverage_ = nullptr;
  Tier tier_ = Tier::kResponses;
  FindingStore store_;
  Suspicions suspicions_;
  int64_t begin_ = 0, looked_ns_ = 0;  // start of the search; time spent on findings
  int64_t last_look_ = 0;              // end of the last investigation, after the signal to end
  bool guesses_ = false;               // the finding being investigated is a guess
  bool ended_ = false;
};

}  // namespace midwire::fuzz
