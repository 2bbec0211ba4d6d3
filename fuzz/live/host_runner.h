// Fuzzes a host: starts it with a stand-in for its plugin (shim.h), answers as the recorded plugin
// did, but for what the input changes, and looks how the host fares. A host leads its session, so
// each input is a life of its own. Oracles are the process (signal, sanitizer, panic, hang, memory)
// and what it says.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/features.h"
#include "fuzz/live/peer.h"
#include "fuzz/live/runner.h"
#include "fuzz/live/shim.h"
#include "fuzz/live/target.h"
#include "fuzz/prober.h"

namespace midwire::fuzz {

class HostRunner : public Target {
 public:
  // All are used, not owned. options.argv has `{plugin}`, or options.plugin_name is set.
  HostRunner(const RunnerOptions& options, Seeds* seeds, Features* features);
  ~HostRunner() override { link_.Close(); }

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

  wire::Direction ours() const override { return seeds_->ours; }
  uint64_t messages() const override { return messages_; }
  uint64_t starts() const override { return starts_; }

 private:
  enum class Wake { kNothing, kLink, kHost };
  Status Prepare();
  Wake Wait(int64_t timeout_ns);
  void ReadLink();
  void Write(std::string_view bytes);
  void SayRest();
  void Converse(int64_t timeout_ns, bool split);
  void JudgeEnd(const Peer::Ending& ending);
  void JudgeStillThere(int64_t used);
  void Tell(Finding finding);

  RunnerOptions options_;
  Seeds* seeds_;
  Features* features_;
  ShimListener listener_;
  bool prepared_ = false;
  Peer host_;
  Link link_;
  Prober prober_;
  int64_t timeout_ns_ = 0;
  bool ends_ = false;  // with an unchanged plugin it ends by itself
  bool linked_ = false;
  bool split_ = false;

  std::vector<Finding> findings_;
  Input latest_;
  Pace latest_pace_ = Pace::kLockstep;
  std::string out_, err_;
  std::string unsent_;
  uint64_t peak_ = 0, baseline_ = 0;  // bytes of memory
  uint64_t messages_ = 0, starts_ = 0;
  Transcript* transcript_ = nullptr;
};

// A Runner or a HostRunner, as options.host says.
std::unique_ptr<Target> MakeTarget(const RunnerOptions& options, Seeds* seeds, Features* features);

}  // namespace midwire::fuzz
