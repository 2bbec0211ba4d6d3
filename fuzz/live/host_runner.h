// Fuzzes a host: starts it with a stand-in for its plugin (shim.h), answers as the recorded plugin
// did, but for what the input changes, and looks how the host fares. A host leads its session, so
// each input is a life of its own; a host that starts its plugin again hears the input again.
// Oracles are the process (signal, sanitizer, panic, hang, memory) and what it says.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/live/orphan_reaper.h"
#include "fuzz/live/peer.h"
#include "fuzz/live/runner.h"
#include "fuzz/live/shim.h"
#include "fuzz/live/target.h"
#include "fuzz/oracle/features.h"
#include "fuzz/oracle/protocol_oracle.h"

namespace midwire::fuzz {

class HostRunner : public Target {
 public:
  // All are used, not owned. options.argv has `{plugin}`, or options.plugin_name is set.
  HostRunner(const RunnerOptions& options, Seeds* seeds, Features* features);
  ~HostRunner() override { EndLife(); }

  // Plays a seed as it is: the host must start its plugin, and may end by itself or not.
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
  // host_runner.cc: one life.
  Status Prepare();
  void Converse();
  bool Thinks();
  void EndLife();
  void Report(Finding finding);
  // host_runner_link.cc
  void Note(wire::Direction direction, std::string_view bytes);
  void Wait(int64_t timeout_ns);
  void Connect(const Link& link);
  void Disconnect();
  void Write(std::string_view bytes);
  void ReadLink(bool answer);
  void SayRest(bool all);
  void ReadLeft();
  // host_runner_judge.cc
  bool Grown(uint64_t memory);
  void JudgeEnd(const Peer::Ending& ending);
  bool IsBusy();
  void JudgeStillThere();

  RunnerOptions options_;
  Seeds* seeds_;
  Features* features_;
  ShimListener listener_;
  bool prepared_ = false;
  Peer host_;
  OrphanReaper strays_;
  Link link_;
  ProtocolOracle oracle_;
  int64_t timeout_ns_ = 0, idle_ns_ = 0;
  bool ends_ = false;   // with an unchanged plugin it ends by itself
  int usual_code_ = 0;  // and with this status; -1: by a signal
  std::string complaint_;

  // Of this life.
  const Case* life_ = nullptr;
  int patience_ = 1;
  bool linked_ = false, rested_ = false;
  int64_t first_link_ = 0, active_ = 0, longest_ = 0;  // when; when; nanoseconds of silence
  int64_t disconnected_ = 0;                           // when its plugin ended; 0: it has not
  int64_t thought_ = 0, measured_ = 0;
  std::vector<Finding> findings_;
  Peer::Ending ending_;
  std::string out_, err_;
  std::string unsent_;
  size_t sent_ = 0;    // of unsent_
  uint64_t peak_ = 0;  // bytes of memory
  Transcript* transcript_ = nullptr;
  size_t noted_ = 0;  // bytes in it

  Input latest_;
  Pace latest_pace_ = Pace::kLockstep;
  uint64_t baseline_ = 0;  // bytes of memory of a life in order; 0: not known
  uint64_t messages_ = 0, starts_ = 0;
};

// A Runner or a HostRunner, as options.host says.
std::unique_ptr<Target> MakeTarget(const RunnerOptions& options, Seeds* seeds, Features* features);

}  // namespace midwire::fuzz
