// The player: plays one role of a script against a live peer. Takes events (bytes, ends of streams,
// exit, time), returns actions, compares what arrives with the script and reports differences.
// Pure: time is an argument, and the same events give the same actions and the same report. Run by
// tools/replaying/play_machine.h under the driver, or by in_process.h around a function.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/composer.h"
#include "replay/matcher.h"
#include "replay/script.h"
#include "trace/report/replay_report.h"
#include "wire/decoder.h"
#include "wire/outcome/exit_status.h"

namespace midwire::replay {

inline constexpr int64_t kNever = INT64_MAX;

// When a message of ours goes out. Causal: when every answer and every request of the peer that was
// recorded before it has arrived. Strict: when everything recorded before it has arrived, in that
// order. Free: as soon as the values that it repeats are known.
enum class Order : uint8_t { kCausal, kStrict, kFree };
// The answer to a request that is not in the trace, or (exhausted) that comes more often than
// recorded.
enum class OnExtra : uint8_t { kError, kNearest, kSilent };
enum class OnExhausted : uint8_t { kError, kRepeat };

struct PlayerOptions {
  Direction ours = Direction::kHostToPlugin;
  Order order = Order::kCausal;
  double speed = 0;  // 0: as soon as possible; 1: with the recorded pauses; 2: with half of them
  int64_t timeout_ns = 5'000'000'000;  // of silence, while something is expected; kNever: none
  OnExtra on_extra = OnExtra::kError;
  OnExhausted exhausted = OnExhausted::kError;
  bool all_places = false;  // see Matcher::Options
  bool process = true;      // the peer is a process, whose end matters; else a function
};

// The player's actions. An implementation must not call the player.
class PlayerActions {
 public:
  virtual ~PlayerActions() = default;
  virtual void Send(std::string_view frame) = 0;  // to the peer
  // The peer has so much left to read that nothing more must be sent until OnRoom is called.
  virtual bool Full() const { return false; }
  virtual void Close() = 0;             // our end towards the peer
  virtual void Signal(int number) = 0;  // to the plugin, as recorded
  virtual void Stderr(std::string_view bytes) = 0;
  virtual void Finish() = 0;
};

// Receives every message of the peer, for --update.
class Observer {
 public:
  virtual ~Observer() = default;
  // `step` is kNoStep for a message that is not in the trace. A batch comes as a whole.
  virtual void OnLive(StepIndex step, bool differs, const wire::Frame& frame) = 0;
  // A message of ours was sent: a step of the script.
  virtual void OnSent(StepIndex step) { (void)step; }
  // An answer of ours that is not in the trace.
  virtual void OnMadeUp(std::string_view frame) = 0;
};

// How long a Send waits for notifications recorded before it when nothing else is missing and the
// peer is silent: long enough for a busy plugin, short enough that a lost notification does not end
// the run. If they took longer when recorded, twice that time. Each wait in vain halves it, at most
// kMaxHalvings times, so that many lost notifications do not add up.
inline constexpr int64_t kNotificationPatienceNs = 1'000'000'000;
inline constexpr int kMaxHalvings = 6;
// An answer of ours waits for what our role did between the request and the answer: notifications,
// own calls and their answers. After this much silence of the peer it goes out anyway: the peer may
// now do in sequence what overlapped when it was recorded.
inline constexpr int64_t kAnswerPatienceNs = 250'000'000;
// Answers to requests that are not in the trace, kept while the peer does not read. A flood of such
// requests must not grow our memory; those beyond the limit get no answer.
inline constexpr size_t kMaxMadeUpBytes = 16u << 20;
// A peer that sends, but nothing that is expected, may take this many timeouts: a long message may
// be on its way, or log output that is not in the trace.
inline constexpr int64_t kChatter = 4;
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
  bool finished() const { return finished_; }

  // Once it has finished.
  ReplayReport TakeReport();
  const std::vector<Matcher::Varying>& varying() const { return matcher_.varying(); }
  // For a mock: how the recorded plugin ended.
  std::optional<ExitStatus> recorded_end() const { return recorded_end_; }
  void set_observer(Observer* observer) { observer_ = observer; }

 private:
  void OnFrame(const wire::Frame& frame, const wire::Message& message) override;
  void OnJunk(const wire::Junk& junk) override;
  StepIndex OnPeerMessage(const wire::Message& message, std::string_view body, bool content_length);
  void OnPeerRequest(const Matcher::Match& match, const wire::Message& message);
  void CheckEarly(StepIndex answer);
  bool IsOnlyCaller(StepIndex request, StepIndex reverse, StepIndex answer);

  void Pump(int64_t now, PlayerActions* actions);
  bool PumpSend(int64_t now, PlayerActions* actions);
  bool MayAnswer(StepIndex answer, StepIndex* cursor);
  bool PumpAnswer(int64_t now, PlayerActions* actions);
  bool PumpMark(int64_t now, PlayerActions* actions);
  bool HostIsDone(int64_t now);
  bool GateOpen(StepIndex index, bool all, int64_t now);
  bool HasValues(StepIndex index);
  StepIndex FirstExpected(StepIndex from, bool all) const;
  bool Due(StepIndex index, int64_t now);
  void SendStep(StepIndex index, int64_t now, PlayerActions* actions);
  void SkipToNext();
  bool NothingToCome();
  void Wait(int64_t now, PlayerActions* actions);
  int64_t Patience(bool nothing_to_come) const;
  void OnSilence(int64_t now, PlayerActions* actions);
  int64_t Until(int64_t silence) const;
  void Finish(PlayerActions* actions);
  bool ours(const Step& step) const { return step.direction == options_.ours; }
  bool everything_played() const;
  std::string_view LiveIdOf(StepIndex request) const;

  const Script* script_;
  Frames* frames_;
  Bindings* bindings_;
  const PlayerOptions options_;
  Observer* observer_ = nullptr;
  ReplayReport report_;
  Matcher matcher_;
  Composer composer_;
  wire::Decoder decoder_;

  StepIndex next_ = 0;  // our next Send that is not an answer to the peer
  size_t next_mark_ = 0;
  size_t made_up_bytes_ = 0;
  // Our answers to requests that have arrived, and up to which step what they wait for has
  // happened.
  std::map<StepIndex, StepIndex> ready_;
  std::deque<std::string> made_up_;  // answers to requests that are not in the trace
  std::unordered_map<StepIndex, std::string> live_ids_;  // of the peer's requests in flight
  StepIndex low_hard_ = 0, low_all_ = 0;                 // nothing before it is expected any more
  StepIndex low_unsent_ = 0;                             // all our answers before it are sent
  StepIndex low_done_ = 0;  // nothing before it holds back an answer of ours
  bool unread_ = false;     // a message of ours went out after the peer had last read everything
  // Reverse calls that have not arrived although the answer that should follow them has.
  std::set<StepIndex> doubtful_;
  StepIndex last_of_peer_ = kNoStep;
  bool leaving_ = false;  // the host is done: what is left is sent
  int given_up_ = 0;      // how often waiting for notifications was in vain
  StepIndex waits_for_ = kNoStep;
  StepIndex due_step_ = kNoStep;  // its gate opened at gate_ns_
  int64_t gate_ns_ = 0;
  int64_t active_ns_ = 0;    // when either side last sent anything
  int64_t progress_ns_ = 0;  // when anything expected last arrived or was sent
  int64_t deadline_ = kNever;
  bool pausing_ = false;      // in a recorded pause: silence of the peer is not an error
  bool host_closed_ = false;  // the recorded host closed the plugin's stdin before it ended
  bool closed_ = false, eof_ = false, hung_ = false, finished_ = false;
  std::optional<ExitStatus> ended_, recorded_end_;
  int64_t ended_ns_ = 0;
  bool content_length_ = false;  // how our role frames; for answers that are not in the trace
};

}  // namespace midwire::replay
