// Plays inputs to a live plugin and collects findings. Messages are judged by the protocol oracle,
// the process by the runner itself: how it ended, its stderr, whether it responds, its memory. One
// process serves many inputs; after anything unusual the next input gets a fresh process. Used by
// the engine, the investigation and the replay of a finding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fuzz/answer_times.h"
#include "fuzz/case.h"
#include "fuzz/finding.h"
#include "fuzz/input.h"
#include "fuzz/live/target.h"
#include "fuzz/oracle/ending.h"
#include "fuzz/oracle/features.h"
#include "fuzz/oracle/process_findings.h"
#include "fuzz/oracle/protocol_oracle.h"
#include "fuzz/seeds.h"
#include "io/process/child_process.h"
#include "io/process/orphan_reaper.h"

namespace midwire::fuzz {

// Of stderr per process; the first part has the cause.
inline constexpr size_t kMaxStderr = 256 * 1024;
// Transcript of one run; a peer that sends more is flooding.
inline constexpr size_t kMaxTranscript = 16u << 20;

struct RunnerOptions {
  std::vector<std::string> argv, environment;
  // The peer is a host: each `{plugin}` in argv is replaced by the path of the stand-in.
  // plugin_name: the stand-in gets this name and comes first on PATH.
  bool host = false;
  std::string plugin_name;
  ProtocolOracleOptions oracle;
  int64_t timeout_ns = 0;            // for an answer; 0: twenty times the slowest at the start
  uint64_t max_growth = 512u << 20;  // of memory in bytes, beyond that of the fresh peer
  // A start of a small program costs as much as a few hundred messages.
  size_t runs_per_peer = 1000;
  // Called before each start of the peer; empty: nothing. After an error, the peer is not started.
  std::function<Status()> before;
};

// Bytes of inputs kept per process; beyond it the process is restarted.
inline constexpr size_t kMaxHistory = 32u << 20;

class Runner : public Target {
 public:
  // Owns none of them.
  Runner(const RunnerOptions& options, Seeds* seeds, Features* features);
  ~Runner() override { EndPeer(); }

  // Sends the opening, and finds a probe: a request that changes nothing and proves that the peer
  // responds.
  Status Calibrate() override;
  void UseRecord(const FindingRecord& record) override;
  void Describe(FindingRecord* record) const override;
  std::string AliveText() const override { return "answers " + probe_text_; }
  int64_t timeout_ns() const override { return timeout_ns_; }
  bool probes_sync() const override { return seeds_->framing == wire::Framing::kContentLength; }
  int64_t start_cost() const override {
    return (before_ns_ + opened_ns_) / std::max<int64_t>(probe_ns_, 1);
  }

  int64_t start_ns() const override { return before_ns_ + opened_ns_; }

  Result<std::vector<Finding>> Run(Input input, Pace pace) override;
  Result<std::vector<Finding>> Play(const Case& life, int patience,
                                    Transcript* transcript) override;
  Case Recent(size_t runs) const override;
  Case History() const override;
  bool spent() const override { return fresh_needed_; }
  bool opened() const override { return !unopened_; }
  std::vector<Finding> Retire() override;

  std::optional<Part> ProbePart() const override;
  wire::Direction ours() const override { return seeds_->ours; }
  uint64_t messages() const override { return messages_; }
  uint64_t starts() const override { return starts_; }

 private:
  // runner.cc: one process.
  Status StartPeer();
  void EndPeer();
  void Report(Finding finding);
  // runner_bytes.cc
  void Note(wire::Direction direction, std::string_view bytes);
  void Read(int64_t timeout_ns, bool want_write);
  bool Reply();
  bool Push(std::string_view bytes, bool split, bool is_probe = false);
  bool WriteAll(std::string_view bytes, bool split, bool is_probe);
  bool WriteOn(std::string_view bytes, bool split);
  bool Await(const std::function<bool()>& done, int64_t timeout_ns);
  void AwaitQuiet();
  bool AwaitUse(const std::function<bool()>& answered, int64_t timeout_ns);
  bool AwaitAnswers(const std::function<bool()>& answered, int64_t timeout_ns);
  int64_t StartTimeLeft() const;
  int64_t Timeout() const;
  int64_t StepTimeout() const;
  int64_t LostTimeout() const;
  // runner_play.cc
  void PlayParts(const Input& input, Pace pace);
  bool PlayInTurn(const Input& input, Pace pace);
  bool PlayAtOnce(const Input& input);
  bool AwaitRead();
  bool LostSync() const;
  // runner_alive.cc
  std::string NextProbe();
  std::string ProbeId(uint64_t number) const;
  Part ProbeWith(const std::string& id) const;
  bool Probe();
  bool ProbeSync();
  bool IsDeaf();
  bool IsBusy(int64_t window);
  int64_t RanFor() const;
  std::optional<bool> IsStuck(const std::function<bool()>& answered, int64_t ran_ns);
  bool Spins();
  void AwaitRest();
  void Settle();
  // runner_judge.cc
  bool InTurn() const { return closely_ && pace_ == Pace::kLockstep; }
  FaultPlace LastPlace() const;
  void JudgeEnd(bool eof);
  void AwaitReport();
  void JudgeStderr();
  std::string NewErr() const;
  void MeasureRest();
  MemoryUse Memory();
  void Baseline();
  void JudgeMemory();
  void JudgeEof();
  // runner_calibrate.cc
  void UseProbeTime();
  void UseAnswerTimes();
  Status Stays();
  void TryEnds();
  PeerState state() const { return oracle_.state(); }
  // A child of the peer may hold its stdout open.
  bool Gone() const { return peer_.out_ended() || peer_.HasEnded(); }
  bool on(Oracle oracle) const { return options_.oracle.oracles[static_cast<int>(oracle)]; }

  RunnerOptions options_;
  Seeds* seeds_;
  Features* features_;
  io::ChildProcess peer_;
  io::OrphanReaper orphans_;
  ProtocolOracle oracle_;

  std::string probe_body_, probe_text_;
  bool probe_by_text_ = false;  // its id is a string
  uint64_t probes_ = 0;
  std::unordered_set<std::string> probe_ids_;  // of this process: they are left out of transcripts
  int64_t timeout_ns_ = 0;
  AnswerTimes answer_times_;             // of the search, without first answers of a process
  int64_t probe_ns_ = INT64_MAX / 1000;  // time of the probe; large while unknown
  int64_t use_ns_ = 0, lost_ns_ = 0;
  int64_t before_ns_ = 0;      // of RunnerOptions::before, the last time
  int64_t opened_ns_ = 0;      // from its start to its first answer
  int64_t started_at_ = 0;     // of the process: a point in time
  bool received_ = false;      // this process has sent something
  size_t received_bytes_ = 0;  // of all processes
  int patience_ = 1;

  std::vector<Finding> findings_;
  Input opening_;
  std::deque<std::pair<Input, Pace>> history_;  // the oracle reads the last one
  size_t history_bytes_ = 0;
  bool fresh_needed_ = true;
  uint64_t ended_ = 0;         // processes that reached their limit of runs
  MemoryUse baseline_, rest_;  // rest_: of a peer that got no message
  bool rest_known_ = false, writing_ = false, closely_ = false, at_eof_ = false;
  bool late_ = false;         // a request of this run has timed out
  bool probes_sync_ = false;  // probe after junk in this run, until it was not answered
  std::string err_, out_, reply_, batch_;
  std::string earlier_err_;      // what it wrote in the run before
  std::string usual_err_;        // what a peer writes that got no message yet
  Pace pace_ = Pace::kLockstep;  // of the current run
  std::string read_, stuck_;     // the last message it has read: so far, and when it did not rest
  // Of a play in lockstep: when the last message was sent, and when the one before was.
  struct Sending {
    FaultPlace after = "nothing";  // the message before it
    size_t part = 0;               // that message
    size_t err = 0;                // what was written to stderr by then
    size_t size = 0;               // of what was sent from it on
  };
  Sending last_, before_last_;
  // A peer that is ending has left the last message in the pipe, so that it is not the reason: some
  // take a while to end.
  bool last_unread_ = false;
  size_t part_ = 0;
  uint64_t messages_ = 0, starts_ = 0, processes_ = 0;
  bool unopened_ = false;  // the session of this process was not opened
  Transcript* transcript_ = nullptr;
  size_t noted_ = 0;  // bytes in it
};

}  // namespace midwire::fuzz
