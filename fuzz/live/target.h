// The interface of a fuzzed peer: a live plugin (runner.h) or a live host (host_runner.h). Plays
// inputs and collects findings, for the engine, the investigation and the replay of a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/finding.h"
#include "fuzz/input.h"
#include "wire/outcome/result.h"

namespace midwire::fuzz {

// Findings per run, each with another key; more add nothing.
inline constexpr size_t kMaxFindings = 64;

class Target {
 public:
  virtual ~Target() = default;

  // Starts it once and measures its times. An error: it cannot be started, or exits before any
  // request; with its output.
  virtual Status Calibrate() = 0;
  // Instead of Calibrate, with the record of a finding.
  virtual void UseRecord(const FindingRecord& record) = 0;
  // Writes the calibration to the record of a finding.
  virtual void Describe(FindingRecord* record) const = 0;
  // The probe, for people.
  virtual std::string AliveText() const = 0;
  virtual int64_t timeout_ns() const = 0;
  // Cost of a fresh process, in answers of a running one.
  virtual int64_t start_cost() const { return 1; }
  // The same in nanoseconds, with its opening; 0: unknown.
  virtual int64_t start_ns() const { return 0; }
  // Whether runs with bytes that do not frame are followed by a probe, so that several of them are
  // played with it (Case::probes_sync).
  virtual bool probes_sync() const { return false; }

  // Plays an input, on a fresh process if needed. An error: none can be started.
  virtual Result<std::vector<Finding>> Run(Input input, Pace pace) = 0;
  // Plays a case on a fresh process, which ends afterwards, with `patience` times the time for
  // answers. The transcript may be null.
  virtual Result<std::vector<Finding>> Play(const Case& life, int patience,
                                            Transcript* transcript) = 0;
  // The inputs of the last `runs` runs of the current process, after the opening, as one case;
  // valid until the next run.
  virtual Case Recent(size_t runs) const = 0;
  virtual Case History() const = 0;
  // Of the last run: whether the next one starts another process; and whether its process was
  // opened as recorded, so that what it showed is typical.
  virtual bool spent() const { return false; }
  virtual bool opened() const { return true; }
  // Ends the current process in order, if there is one, and judges that.
  virtual std::vector<Finding> Retire() = 0;

  // The request that shows whether it responds, as a part of an input: what is found about it has
  // no other message to show it. nullopt: it is never probed.
  virtual std::optional<Part> ProbePart() const { return std::nullopt; }

  // Whether the last play was effective: a host must have started its plugin.
  virtual bool reached() const { return true; }

  virtual wire::Direction ours() const = 0;
  virtual uint64_t messages() const = 0;  // parts that were sent
  virtual uint64_t starts() const = 0;

  // Whether to stop as soon as possible; the run then ends without findings.
  std::function<bool()> stop;
  // Called after the opening of a fresh process, before its input.
  std::function<void()> on_opened;
};

}  // namespace midwire::fuzz
