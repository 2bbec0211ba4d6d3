// Who is fuzzed: a live plugin (runner.h) or a live host (host_runner.h), as the engine, the
// investigator and a replay of a finding see it: something that plays inputs and gathers findings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/finding.h"
#include "fuzz/input.h"
#include "wire/outcome/result.h"

namespace midwire::fuzz {

class Target {
 public:
  virtual ~Target() = default;

  // Starts it once, and finds out how long it takes. An error: it cannot be started, or ends before
  // anything was asked of it: with what it wrote.
  virtual Status Calibrate() = 0;
  // Instead of that, for a life that is known.
  virtual void UseRecord(const FindingRecord& record) = 0;
  // What was found out, into the record of a finding.
  virtual void Describe(FindingRecord* record) const = 0;
  // For people, behind "it lives when it".
  virtual std::string AliveText() const = 0;
  virtual int64_t timeout_ns() const = 0;
  // What a fresh process costs, in answers of one that runs.
  virtual int64_t start_cost() const { return 1; }
  // Whether runs that did not frame are followed by a probe, so that a life of several is to be
  // played so (Case::asks).
  virtual bool asks() const { return false; }

  // Plays an input, to a fresh process where needed. An error: none can be started.
  virtual Result<std::vector<Finding>> Run(Input input, Pace pace) = 0;
  // On a fresh process, which is gone afterwards; `patience` times as long for answers. The
  // transcript may be null.
  virtual Result<std::vector<Finding>> Play(const Case& life, int patience,
                                            Transcript* transcript) = 0;
  // What the present process was told in its last `runs` runs, behind the opening, as one life;
  // until the next run.
  virtual Case Recent(size_t runs) const = 0;
  virtual Case History() const = 0;
  // Ends the present process in order, if there is one, and looks how it goes.
  virtual std::vector<Finding> Retire() = 0;

  // Whether the last life could show anything: a host has started its plugin.
  virtual bool reached() const { return true; }

  virtual wire::Direction ours() const = 0;
  virtual uint64_t messages() const = 0;  // parts that were said
  virtual uint64_t starts() const = 0;

  // Whether it shall stop as soon as it can: a run ends without findings then.
  std::function<bool()> stop;
  // Called when a fresh process was told its opening, and its input follows.
  std::function<void()> on_opened;
};

}  // namespace midwire::fuzz
