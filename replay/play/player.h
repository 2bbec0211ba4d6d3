// The player: plays one role of a script against a live peer. Takes events (bytes, ends of streams,
// exit, time), returns actions, compares what arrives with the script and reports differences.
// Pure: time is an argument, and the same events give the same actions and the same report. Run by
// tools/replaying/play_machine.h under the driver, or by in_process.h around a function.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/match/matcher.h"
#include "replay/match/progress.h"
#include "replay/play/answer_queue.h"
#include "replay/play/composer.h"
#include "replay/play/gate.h"
#include "replay/play/idle_hold.h"
#include "replay/play/patience.h"
#include "replay/script/script.h"
#include "trace/report/replay_report.h"
#include "wire/decoder.h"
#include "wire/outcome/exit_status.h"

namespace midwire::replay {

// The answer to a request that is not in the trace, or (exhausted) that comes more often than
// recorded.
enum class OnExtra : uint8_t { kError, kNearest, kSilent };
enum class OnExhausted : uint8_t { kError, kRepeat };

struct PlayerOptions {
  Direction ours = Direction::kHostToPlugin;
  Order order = Order::kCausal;
  double speed = 0;  // 0: as soon as possible; 1: with the recorded pauses; 2: with half of them
  int64_t timeout_ns = 5'000'000'000;  // of silence, while something is expected; kNever: none
  // An answer that took longer when recorded may take twice as long now, at most kSlowerNs more.
  bool waits_as_recorded = false;
  OnExtra on_extra = OnExtra::kError;
  OnExhausted exhausted = OnExhausted::kError;
  Variations* variations = nullptr;  // see Matcher::Options
  Unused* unused = nullptr;          // the same
  bool process = true;               // the peer is a process, whose end matters; else a function
};

// The player's actions. An implementation must not call the player.
class PlayerActions {
 public:
  virtual ~PlayerActions() = default;
  virtual void Send(std::string_view frame) = 0;  // to the peer
  // The peer has so much left to read that nothing more must be sent until OnRoom is called.
  virtual bool Full() const { return false; }
  // Whether the peer sleeps, has read what we sent, and has written nothing that we have not read.
  // A peer that cannot be looked at counts as idle.
  virtual bool PeerIsIdle() { return true; }
  // Bytes that the peer has written and we have not read. Cheaper than PeerIsIdle.
  virtual size_t Unread() { return 0; }
  // How long the peer has been ready to run without a processor, since its start.
  virtual int64_t StarvedNs() { return 0; }
  virtual void Close() = 0;             // our end towards the peer
  virtual void Signal(int number) = 0;  // to the plugin, as recorded
  virtual void Stderr(std::string_view bytes) = 0;
  virtual void Finish() = 0;
};

// Receives every message of the peer, for --update.
class Observer {
 public:
  virtual ~Observer() = default;
  // Before OnLive of a batch: one of its messages; kNoStep as there.
  virtual void OnElement(StepIndex step) { (void)step; }
  // `step` is kNoStep for a message that is not in the trace. A batch comes as a whole; its step is
  // the message of the trace that has the last of its messages which are in the trace.
  virtual void OnLive(StepIndex step, bool differs, const wire::Frame& frame) = 0;
  // A message of ours was sent: a step of the script.
  virtual void OnSent(StepIndex step) { (void)step; }
  // Whether `step` must be final when a message arrives. Otherwise a changed notification is
  // decided at the end of the run.
  virtual bool NeedsStepsAtOnce() const { return false; }
  // An answer of ours that is not in the trace.
  virtual void OnMadeUp(std::string_view frame) = 0;
};

// After the plugin's exit, how long a process that it left behind may still write.
inline constexpr int64_t kAfterExitNs = 200'000'000;

class Player : private wire::FrameHandler {
 public:
  // Keeps pointers to everything except the options. Times are nanoseconds of any monotonic clock.
  Player(const Script* script, Frames* frames, const Declarations* declared, Bindings* bindings,
         const PlayerOptions& options);

  void OnStart(int64_t now, PlayerActions* actions);
  void OnBytes(std::string_view bytes, int64_t now, PlayerActions* actions);
  void OnEof(int64_t now, PlayerActions* actions);  // the peer closed its end
  void OnExit(const ExitStatus& status, int64_t now, PlayerActions* actions);
  void OnRoom(int64_t now, PlayerActions* actions);
  void OnTime(int64_t now, PlayerActions* actions);
  int64_t Deadline() const { return deadline_; }
  bool finished() const { return life_ == Life::kFinished; }

  // Once it has finished.
  ReplayReport TakeReport();
  // For a mock: how the recorded plugin ended.
  std::optional<ExitStatus> recorded_end() const { return recorded_end_; }
  void set_observer(Observer* observer) {
    observer_ = observer;
    if (observer && observer->NeedsStepsAtOnce()) matcher_.DecideAtOnce();
  }

 private:
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override;
  void OnJunk(const wire::Junk& junk) override;
  Matcher::Match OnPeerMessage(const wire::Message& message, std::string_view body,
                               const LiveFraming& framing);
  bool TakeRecorded(std::string_view bytes);
  void OnPeerRequest(StepIndex request, std::string_view live_id);
  void MakeUpAnswer(const Matcher::Match& match, const wire::Message& message);

  // Sending (player_send.cc): each Pump function does at most one thing and returns whether it did.
  void Pump(int64_t now, PlayerActions* actions);
  bool PumpMark(int64_t now, PlayerActions* actions);
  bool PumpMessage(int64_t now, PlayerActions* actions);
  bool PumpNext(int64_t now, PlayerActions* actions);
  bool AwaitsIdle(StepIndex step, int64_t now, PlayerActions* actions);
  bool AwaitsEarlyAnswers(StepIndex step, int64_t now, PlayerActions* actions);
  bool BeginsTurn(StepIndex step) const;
  bool PumpAnswer(int64_t now, PlayerActions* actions);
  void ReportWaits(StepIndex call, StepIndex answer);
  bool MarkIsDue(const Mark& mark, int64_t now, PlayerActions* actions);
  void Perform(const Mark& mark, PlayerActions* actions);
  GateState GateOfNext(int64_t now);
  bool Passes(const GateState& state, StepIndex limit);
  bool PassesIfIdle(const GateState& state, StepIndex limit, int64_t now, PlayerActions* actions);
  bool PauseIsOver(StepIndex step, int64_t now);
  bool HostIsDone(int64_t now);
  void SendStep(StepIndex index, int64_t now, PlayerActions* actions);
  void SetSent(StepIndex index);
  void SkipToNext();

  // Waiting and the end (player_end.cc).
  void Wait(int64_t now, PlayerActions* actions);
  void CloseWhenPlayed(int64_t now, PlayerActions* actions);
  int64_t PatienceAtEnd() const;
  int64_t RecordedSilence(StepIndex step) const;  // before it; 0 at the end
  void OnSilence(int64_t now, PlayerActions* actions);
  Difference Silence(int64_t now, PlayerActions* actions) const;
  void Finish(PlayerActions* actions);
  void AssumeSent();
  void ReportEnd(bool early);
  void RetryAt(int64_t time) { deadline_ = std::min(deadline_, time); }

  bool host() const { return options_.ours == Direction::kHostToPlugin; }
  bool ours(const Step& step) const { return step.direction == options_.ours; }
  // What a step or mark of ours waits for now.
  Front wanted() const { return next_ >= size() ? Front::kEnd : Front::kAll; }
  StepIndex size() const { return static_cast<StepIndex>(script_->steps.size()); }
  bool everything_played() const;
  bool nothing_to_come() const { return everything_played() && progress_.all_done(Front::kEnd); }
  bool was_killed() const;

  const Script* script_;
  Frames* frames_;
  Bindings* bindings_;
  const PlayerOptions options_;
  Observer* observer_ = nullptr;
  ReplayReport report_;
  Progress progress_;
  Patience patience_;
  Gate gate_;
  AnswerQueue answers_;
  IdleHold idle_hold_;     // of answers
  IdleHold request_hold_;  // of requests: a peer that is never idle at one may be so at an answer
  IdleHold turn_hold_;     // of messages that begin a turn
  UnreadHold unread_hold_;
  Matcher matcher_;
  Composer composer_;
  wire::Decoder decoder_;
  PlayerActions* feeding_ = nullptr;  // of a mock, while bytes are decoded

  // What comes next.
  StepIndex next_ = 0;  // our next Send that is not an answer to the peer
  size_t next_mark_ = 0;
  StepIndex awaited_ = kNoStep;    // the answer to the request that we sent last
  StepIndex last_sent_ = kNoStep;  // of our messages that are no answers
  StepIndex waited_ = kNoStep;     // our last message that waited for another one in vain
  StepIndex open_until_ = 0;       // the last recorded answer to a request that we have sent
  int turns_ = 0;                  // that were held back until the peer was idle
  StepIndex waits_for_ = kNoStep;  // free order: the step that makes a value that next_ repeats
  struct {
    StepIndex step = kNoStep;
    int64_t since_ns = 0;
  } pause_;  // the recorded pause that runs
  int64_t deadline_ = kNever;
  int64_t starved_ns_ = 0;  // of StarvedNs, taken into account

  // A run goes through these in their order, and may skip any but the first and the last.
  enum class Life : uint8_t {
    kPlaying,
    kLeaving,  // of a mock: its host is done, and what is left is sent
    kHung,     // the peer was silent for too long
    kFinished,
  };
  Life life_ = Life::kPlaying;

  // What the streams and the peer did.
  uint64_t received_ = 0;     // bytes of the peer
  uint32_t batches_ = 0;      // of the peer
  bool alone_ = false;        // the message that is looked at is the only one of its batch
  bool unread_ = false;       // a message of ours went out after the peer had last read everything
  bool pausing_ = false;      // in a recorded pause: silence of the peer is not an error
  bool holding_ = false;      // a message that may go waits until the peer is idle
  bool knows_ends_ = false;   // the trace says what ended the plugin; one written by hand may not
  bool host_closed_ = false;  // the recorded host closed the plugin's stdin before it ended
  bool closed_ = false;       // our end towards the peer
  bool eof_ = false;          // the peer's end towards us
  // Our answers to requests that came alone in a batch, where the trace has none: a peer that sends
  // batches may read no other answer.
  std::set<StepIndex> in_batch_;
  StepIndex last_of_peer_ = kNoStep;
  std::optional<ExitStatus> ended_, recorded_end_;
  int64_t ended_ns_ = 0;
  bool content_length_ = false;  // how our role frames; for answers that are not in the trace
};

}  // namespace midwire::replay
