// What a fuzz run starts from: one side of recorded sessions as inputs, and what a recording shows
// of the protocol. That is how a session opens and closes, and how requests are answered. Collected
// from traces through trace::Session, or made from a dialect alone. Called by tools, fuzz/oracle
// and fuzz/live. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/handle_tracker.h"
#include "fuzz/input.h"
#include "fuzz/shutdown_methods.h"
#include "fuzz/vocabulary.h"
#include "trace/session.h"
#include "wire/dialect/dialect.h"

namespace midwire::fuzz {

struct Seeds {
  explicit Seeds(wire::Direction role) : ours(role), live(role) {}

  wire::Direction ours;  // the direction whose messages are mutated
  wire::Framing framing = wire::Framing::kAuto;
  Input opening;              // sent unchanged to each fresh peer: initialize, initialized
  std::vector<Input> inputs;  // the sessions without opening and closing
  // By method, an input of its first message alone: a mutation of a short input changes more of
  // what matters. Of hosts only: a plugin that sends one message and stops tests little of a host.
  std::map<std::string, Input, std::less<>> singles;
  Input closing;          // shutdown, exit
  uint64_t left_out = 0;  // messages, pieces of junk and sessions beyond the limits
  // By method of the peer's request: the body of our answer to it.
  std::map<std::string, std::string, std::less<>> answers;
  // Tokens of the ids of the peer's requests, and the methods of these requests.
  std::map<std::string, std::set<std::string>, std::less<>> peer_ids;
  std::set<std::string, std::less<>> methods;  // all that occur in a message
  // Methods of our requests that were answered after a later request, slowly, or not at all
  // although a later one was answered. The answer may wait for a later message, so no answer is
  // required.
  std::set<std::string, std::less<>> late;
  // Methods of ours after which the plugin ended by itself, in each session that has them.
  std::set<std::string, std::less<>> ends;
  // Methods that may do the same: after them, the host closed stdin so soon that the recording
  // leaves open why the plugin ended. With the message, for a trial.
  std::map<std::string, Part, std::less<>> may_end;
  bool exits_at_eof = false;  // it exited with 0 at the end of its stdin, in a session
  // Its statuses at the end of stdin, in sessions that nothing else ended.
  std::set<int> eof_codes;
  int64_t slowest_ns = 0;    // of the recorded answers to our requests, except those that open
  uint16_t usual_flags = 0;  // wire::MessageFlag bits that recorded messages have
  Vocabulary words;
  HandleTracker live;
};

// Maximum number of sessions and of bytes: more of the same protocol makes the start slower by
// seconds and finds no more.
inline constexpr size_t kMaxSeedSessions = 4096, kMaxSeedBytes = 64u << 20;

class SeedCollector : public trace::SessionHandler {
 public:
  // `dialect` may be null: then `initialize` opens a session, `shutdown` and `exit` close it.
  SeedCollector(Seeds* seeds, const wire::Dialect* dialect)
      : seeds_(seeds), dialect_(dialect), shutdown_methods_(dialect) {}

  void OnMessage(const trace::RecordedMessage& sent) override;
  void OnJunk(const trace::RecordedJunk& junk) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;
  void OnSectionEnd(const wire::Exchanges&) override { EndSession(); }
  // After each trace.
  void EndSession();

 private:
  bool Opens(const wire::Message& message) const;
  bool Closes(const wire::Message& message) const;
  void AddLate(const std::string& method);
  void LearnEnd();

  Seeds* seeds_;
  const wire::Dialect* dialect_;
  const ShutdownMethods shutdown_methods_;
  size_t bytes_ = 0;
  // Of this session.
  Input session_;
  size_t opening_ = 0;  // number of parts in its opening
  std::optional<size_t> first_closing_part_;
  bool opened_ = false;
  uint64_t answered_ = 0;                 // number of the latest answered request of ours
  uint64_t received_ = 0;                 // number of the peer's first message; 0: none yet
  std::map<uint64_t, std::string> open_;  // unanswered requests: methods by number
  std::string last_method_;               // of our last message that is no answer
  size_t ending_part_ = 0;                // its place in session_
  bool at_eof_ = false;                   // its stdin was closed
  bool signalled_ = false;                // it got a signal
  int64_t last_time_ns_ = 0;              // of its last message
  bool asked_to_end_ = false;             // its stdin was closed, or it got a signal
  bool asked_soon_ = false;               // its stdin was closed, right after the last message
  bool ended_itself_ = false;             // with 0, and was not asked to
  bool may_have_ended_itself_ = false;    // with 0, and was asked to soon
  // Of all sessions: methods after which it ended by itself, and methods after which it did not.
  std::set<std::string, std::less<>> ends_, goes_on_;
  std::map<std::string, Part, std::less<>> may_end_;
};

// Seeds without a trace: an input for each method that `ours` may send, with empty params, and one
// input of all of them. Without a dialect the only input is `ping`.
void MakeSeeds(const wire::Dialect* dialect, Seeds* seeds);

}  // namespace midwire::fuzz
