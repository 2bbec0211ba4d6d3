// Fuzzes a host: starts it with a stand-in for its plugin (shim.h), answers as the recorded plugin
// did except for what the input changes, and judges the host. A host begins its session itself, so
// each input needs a fresh host process; a host that restarts its plugin gets the input again.
// Judges the process (signal, sanitizer, panic, hang, memory) and its messages. Used by the engine,
// the investigation and the replay of a finding.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/live/runner.h"
#include "fuzz/live/shim.h"
#include "fuzz/live/target.h"
#include "fuzz/oracle/features.h"
#include "fuzz/oracle/protocol_oracle.h"
#include "io/process/child_process.h"
#include "io/process/orphan_reaper.h"

namespace midwire::fuzz {

class HostRunner : public Target {
 public:
  // Owns none of them. options.argv has `{plugin}`, or options.plugin_name is set.
  HostRunner(const RunnerOptions& options, Seeds* seeds, Features* features);
  ~HostRunner() override { EndLife(); }

  // Plays a seed unchanged: the host must start its plugin, and may exit by itself or not.
  Status Calibrate() override;
  void UseRecord(const FindingRecord& record) override;
  void Describe(FindingRecord* record) const override;
  std::string AliveText() const override;
  int64_t timeout_ns() const override { return timeout_ns_; }

  Result<std::vector<Finding>> Run(Input input, Pace pace) override;
  Result<std::vector<Finding>> Play(const Case& life, int patience,
                                    Transcript* transcript) override;
  Case Recent(size_t runs) const override;
  Case History() const override { return Recent(1); }
  std::vector<Finding> Retire() override { return {}; }

  bool reached() const override { return linked_; }
  wire::Direction ours() const override { return seeds_->ours; }
  uint64_t messages() const override { return messages_; }
  uint64_t starts() const override { return starts_; }

 private:
  // host_runner.cc: one host process.
  Status Prepare();
  void Converse();
  bool UsedProcessor();
  void EndLife();
  void Report(Finding finding);
  // host_runner_link.cc
  void Note(wire::Direction direction, std::string_view bytes);
  void Wait(int64_t timeout_ns);
  void Connect(const Link& link);
  void Disconnect();
  void Write(std::string_view bytes);
  void ReadLink(bool answer);
  void SendRest(bool all);
  void ReadLeft();
  // host_runner_judge.cc
  bool Grown(uint64_t memory);
  void JudgeEnd(const ExitStatus& exit);
  bool IsBusy();
  void JudgeStillThere();

  RunnerOptions options_;
  Seeds* seeds_;
  Features* features_;
  ShimListener listener_;
  bool prepared_ = false;
  io::ChildProcess host_;
  io::OrphanReaper orphans_;
  Link link_;
  ProtocolOracle oracle_;
  int64_t timeout_ns_ = 0, idle_ns_ = 0;
  bool ends_ = false;   // with an unchanged plugin it exits by itself
  int usual_code_ = 0;  // with this status; -1: by a signal
  std::string complaint_;

  // State of the current host process.
  const Case* life_ = nullptr;
  int patience_ = 1;
  bool linked_ = false, rested_ = false;
  int64_t first_link_ = 0, active_ = 0, longest_ = 0;  // time; time; nanoseconds of silence
  int64_t disconnected_ = 0;                           // when its plugin exited; 0: it runs
  int64_t processor_time_ = 0, measured_ = 0;
  std::vector<Finding> findings_;
  ExitStatus exit_;
  std::string out_, err_;
  std::string unsent_;
  size_t sent_ = 0;    // bytes of unsent_
  uint64_t peak_ = 0;  // bytes of memory
  Transcript* transcript_ = nullptr;
  size_t noted_ = 0;  // bytes in it

  Input latest_;
  Pace latest_pace_ = Pace::kLockstep;
  uint64_t baseline_ = 0;  // bytes of memory in a run without a fault; 0: unknown
  uint64_t messages_ = 0, starts_ = 0;
};

// A HostRunner if options.host is set, else a Runner.
std::unique_ptr<Target> MakeTarget(const RunnerOptions& options, Seeds* seeds, Features* features);

}  // namespace midwire::fuzz
