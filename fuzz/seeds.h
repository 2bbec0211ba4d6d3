// What a fuzz run starts from: the host's side of recorded sessions as inputs, and what else a
// recording tells of the protocol (how a session opens and closes, what the host answers).
// Collected from traces through trace::Session, or made up from a dialect alone. Pure.
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

  wire::Direction ours;  // whose messages are mutated
  wire::Framing framing = wire::Framing::kAuto;
  Input opening;              // said to each fresh peer, as it is: initialize, initialized
  std::vector<Input> inputs;  // the sessions without opening and closing
  // By method, the first message of it alone: a mutant of a short input changes what matters in it.
  // A host's only; a plugin that says one thing and then nothing shows little of a host.
  std::map<std::string, Input, std::less<>> singles;
  Input closing;          // shutdown, exit
  uint64_t left_out = 0;  // messages, pieces of junk and sessions beyond the caps
  // By method of the peer's request: the body of an answer to it.
  std::map<std::string, std::string, std::less<>> answers;
  // Tokens of the ids that the peer's requests had, and the methods of those.
  std::map<std::string, std::set<std::string>, std::less<>> peer_ids;
  std::set<std::string, std::less<>> methods;  // any that was said
  // Our requests that were answered after a later one was, or not at all though a later one was.
  // The answer may wait for what is said later, so it is owed to none of them.
  std::set<std::string, std::less<>> late;
  int64_t slowest_ns = 0;    // of the recorded answers to our requests, but for those that open
  uint16_t usual_flags = 0;  // wire::MessageFlag bits that recorded messages have
  Vocabulary words;
  HandleTracker live;
};

// Sessions and bytes that are taken at most: more of the same protocol adds seconds to the start
// and nothing to the search.
inline constexpr size_t kMaxSeedSessions = 4096, kMaxSeedBytes = 64u << 20;

class SeedCollector : public trace::SessionHandler {
 public:
  // `dialect` may be null: then `initialize`, `shutdown` and `exit` are known by name.
  SeedCollector(Seeds* seeds, const wire::Dialect* dialect)
      : seeds_(seeds), dialect_(dialect), shutdown_methods_(dialect) {}

  void OnMessage(const trace::SaidMessage& said) override;
  void OnJunk(const trace::SaidJunk& junk) override;
  void OnSectionEnd(const wire::Exchanges&) override { EndSession(); }
  // After each trace.
  void EndSession();

 private:
  bool Opens(const wire::Message& message) const;
  bool Closes(const wire::Message& message) const;
  void Late(const std::string& method);

  Seeds* seeds_;
  const wire::Dialect* dialect_;
  const ShutdownMethods shutdown_methods_;
  size_t bytes_ = 0;
  // Of this session.
  Input session_;
  size_t opening_ = 0;  // parts at its start
  std::optional<size_t> closing_;
  bool opened_ = false;
  uint64_t answered_ = 0;                 // the latest request of ours that was answered, by number
  uint64_t heard_ = 0;                    // the first message of the peer's, by number
  std::map<uint64_t, std::string> open_;  // those that are not, by number: their methods
};

// Without a trace: an input for each method that `role` may say, with empty params, and one of all
// of them. For a peer of a protocol that nobody has described, `ping` stands in.
void MakeSeeds(const wire::Dialect* dialect, Seeds* seeds);

}  // namespace midwire::fuzz
