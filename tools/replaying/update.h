// Writes a trace again with the plugin's new messages where they differ (`midwire replay
// --update`). Everything else stays byte for byte, so that a diff in git shows what changed; so do
// ids and bound values, which change on every run.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/load.h"
#include "replay/play/player.h"
#include "replay/rehearsal.h"
#include "trace/report/replay_report.h"

namespace midwire::tools {

// New bytes kept of a run; a plugin that sends more cannot be updated from.
inline constexpr size_t kMaxUpdate = 256u << 20;

class Update : public replay::Observer {
 public:
  // `script` must outlive this.
  explicit Update(const replay::Script* script) : script_(script) {}

  void OnElement(replay::StepIndex step) override { elements_.push_back(step); }
  void OnLive(replay::StepIndex step, bool differs, const wire::Frame& frame) override;
  void OnSent(replay::StepIndex step) override;
  bool NeedsStepsAtOnce() const override { return true; }
  void OnMadeUp(std::string_view frame) override;

  // What Write has changed.
  struct Written {
    std::string old;  // name of the previous version: `path`.old or the next free one
    size_t changed = 0, added = 0, removed = 0;  // messages; an added request has its answer
    bool ending = false;                         // how the plugin ended
    // "1 message, 2 added, how the plugin ends"
    std::string Text() const;
  };
  // How the run was made: the declarations without those of the trace's header.
  struct Replayed {
    replay::Declarations declared;
    replay::PlayerOptions options;
  };
  // Replaces `path`, in its own format. `ended`: how the plugin ended this time. accept_crash: a
  // crash, a hang and an early exit are accepted too; the trace then ends there. An error: the run
  // is incomplete, a difference cannot be accepted (junk, another order), or the same plugin would
  // differ from the new trace too.
  Result<Written> Write(const std::string& path, replay::Loaded* loaded,
                        const trace::ReplayReport& report, ExitStatus ended,
                        const Replayed& replayed, bool accept_crash = false);

 private:
  class Writer;
  struct Extra {
    wire::Direction direction;
    std::string frame;
    size_t head = 0;
    // A message of the trace that it replaces; kNoStep: none, or those of a batch.
    replay::StepIndex step = replay::kNoStep;
  };
  bool HasRoom(size_t size);
  void AddExtra(Extra extra);
  replay::StepIndex MessageOf(replay::StepIndex step) const;
  bool IsWholeBatch(const std::set<replay::StepIndex>& steps) const;
  bool IsFramedAsRecorded(const std::set<replay::StepIndex>& steps, bool batch,
                          const wire::Frame& frame) const;
  replay::StepIndex PlaceOf(const std::set<replay::StepIndex>& messages) const;
  Status WouldBeSame(const std::string& trace, const std::string& path, ExitStatus ended,
                     const Replayed& replayed);
  bool CanAccept(const trace::Difference& item, const replay::Script& script,
                 bool accept_crash) const;

  const replay::Script* script_;
  std::vector<replay::StepIndex> elements_;  // of the batch that comes next
  // By the message of the trace: what replaces it. One that came in a batch with others may be
  // written in their place: then there is nothing.
  std::map<replay::StepIndex, std::vector<Extra>> changed_;
  std::map<replay::StepIndex, std::vector<Extra>>
      extras_;  // by the step before them; kNoStep: before all
  std::set<replay::StepIndex> came_, sent_;
  replay::LiveSession live_;
  Written written_;
  bool crash_accepted_ = false;
  bool ends_early_ = false;  // what was not sent is not a part of the new trace
  // The latest message of the plugin, and the last of ours that were sent.
  replay::StepIndex latest_ = replay::kNoStep, last_sent_ = replay::kNoStep;
  size_t kept_ = 0;
};

}  // namespace midwire::tools
