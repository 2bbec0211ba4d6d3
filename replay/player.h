// The player: plays one role of a script against a live peer. Events in (bytes, ends, exit, time),
// actions out; holds what comes against the script and reports. Pure: time is an argument, and the
// same events give the same actions and the same report. Runs under the driver (tools/) or around a
// function (in_process.h).
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
#include "replay/report.h"
#include "replay/script.h"
#include "wire/decoder.h"

namespace midwire::replay {

inline constexpr int64_t kNever = INT64_MAX;

// When a message of ours goes out. Causal: when every answer and every request of the peer that
// were recorded before it have come. Strict: when everything recorded before it has, which must
// come in that order, too. Free: as soon as the values are there that it repeats.
enum class Order : uint8_t { kCausal, kStrict, kFree };
// What a request gets that the trace does not have, or (exhausted) has not once more.
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

// What the player asks for. Nothing here may call back.
class PlayerActions {
 public:
  virtual ~PlayerActions() = default;
  virtual void Send(std::string_view frame) = 0;  // to the peer
  // The peer has yet to read so much that no more shall be sent; OnRoom tells when it has.
  virtual bool Full() const { return false; }
  virtual void Close() = 0;             // our end towards the peer
  virtual void Signal(int number) = 0;  // to the plugin, as recorded
  virtual void Stderr(std::string_view bytes) = 0;
  virtual void Finish() = 0;
};

// Told of every message of the peer, for --update.
class Observer {
 public:
  virtual ~Observer() = default;
  // `step` is kNoStep for what the trace has not; of a batch the whole.
  virtual void OnLive(StepIndex step, bool differs, const wire::Frame& frame) = 0;
  // An answer of ours that the trace has not.
  virtual void OnMadeUp(std::string_view frame) = 0;
};

// How a process ended; see proxy::ExitStatus.
struct Ended {
  int code = -1;
  int signal = 0;
  bool operator==(const Ended&) const = default;
};

// How long a Send waits for notifications that were recorded before it, when nothing else is
// missing and the peer is silent: long enough for those that a busy plugin is about to send, short
// enough that a lost one does not end the run. Or twice as long as they took when recorded. Each
// time in vain halves it, a few times: many that are lost must not add up.
inline constexpr int64_t kNotificationPatienceNs = 1'000'000'000;
inline constexpr int kMaxHalvings = 6;
// An answer of ours waits for what our role did between the request and it: its notifications, its
// own calls and their answers. When the peer is silent for this long, it goes out all the same: the
// peer may do now one after the other what overlapped when it was recorded.
inline constexpr int64_t kAnswerPatienceNs = 250'000'000;
// Answers to requests that the trace does not have, while the peer does not read: a flood of them
// must not grow our memory. What is more gets none.
inline constexpr size_t kMaxMadeUpBytes = 16u << 20;
// How many times its timeout a peer may take that talks, but says nothing that is expected: a long
// message may be on its way, or a log that the trace has not.
inline constexpr int64_t kChatter = 4;
// After the plugin's exit: until then a process that it left behind may still write.
inline constexpr int64_t kAfterExitNs = 200'000'000;

class Player : private wire::FrameHandler {
 public:
  // All but the options are kept as pointers. `times` are nanoseconds of any clock that goes on.
  Player(const Script* script, Frames* frames, const Declarations* declared, Bindings* bindings,
         const PlayerOptions& options);

  void OnStart(int64_t now, PlayerActions* actions);
  void OnBytes(std::string_view bytes, int64_t now, PlayerActions* actions);
  void OnEof(int64_t now, PlayerActions* actions);  // the peer closed its end
  void OnExit(Ended ended, int64_t now, PlayerActions* actions);
  void OnRoom(int64_t now, PlayerActions* actions);
  void OnTime(int64_t now, PlayerActions* actions);
  int64_t Deadline() const { return deadline_; }
  bool finished() const { return finished_; }

  // Once it has finished.
  Report TakeReport();
  const std::vector<Matcher::Varying>& varying() const { return matcher_.varying(); }
  // Of a mock: how the recorded plugin ended.
  std::optional<Ended> recorded_end() const { return recorded_end_; }
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
  Report report_;
  Matcher matcher_;
  Composer composer_;
  wire::Decoder decoder_;

  StepIndex next_ = 0;  // our next Send that is no answer to the peer
  size_t next_mark_ = 0;
  size_t made_up_bytes_ = 0;
  // Our answers to requests that have come, and up to where what they wait for has happened.
  std::map<StepIndex, StepIndex> ready_;
  std::deque<std::string> made_up_;  // answers to requests that the trace does not have
  std::unordered_map<StepIndex, std::string> live_ids_;  // of the peer's requests in flight
  StepIndex low_hard_ = 0, low_all_ = 0;                 // before it nothing is expected any more
  StepIndex low_unsent_ = 0;                             // before it all our answers are sent
  StepIndex low_done_ = 0;  // before it nothing keeps an answer of ours back
  bool unread_ = false;     // a message of ours went out since the peer last had read all
  // Reverse calls that have not come, though the answer has that they were to come before.
  std::set<StepIndex> doubtful_;
  StepIndex last_of_peer_ = kNoStep;
  bool leaving_ = false;  // the host is done: what is left goes out
  int given_up_ = 0;      // how often notifications were waited for in vain
  StepIndex waits_for_ = kNoStep;
  StepIndex due_step_ = kNoStep;  // its gate opened at gate_ns_
  int64_t gate_ns_ = 0;
  int64_t active_ns_ = 0;    // the latest that either said anything
  int64_t progress_ns_ = 0;  // the latest that anything expected came, or went out
  int64_t deadline_ = kNever;
  bool pausing_ = false;      // for a recorded pause: the peer's silence is no fault
  bool host_closed_ = false;  // the recorded host closed the plugin's stdin before it ended
  bool closed_ = false, eof_ = false, hung_ = false, finished_ = false;
  std::optional<Ended> ended_, recorded_end_;
  int64_t ended_ns_ = 0;
  bool content_length_ = false;  // how our role frames, for answers that are made up
};

}  // namespace midwire::replay
