// Which revision of its dialect a session speaks, message by message: from the places of
// "negotiation" (doc/dialects.md). Called by check, show and stats. Pure; keeps no message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/exchange.h"
#include "wire/message.h"

namespace midwire::trace {

// A message as this reads it.
struct NegotiationInput {
  const wire::Message* message = nullptr;
  std::string_view method;  // of an answer: its request's
  std::string_view body;    // trimmed; loose JSON, or empty: not known
  uint64_t number = 0;
  const wire::OpenRequest* request = nullptr;  // of an answer; null: not known
};

class Negotiated {
 public:
  enum class How : uint8_t { kDefault, kOffered, kAgreed, kMessage };

  // `dialect` outlives it.
  explicit Negotiated(const wire::Dialect* dialect) : dialect_(dialect), current_(dialect) {}

  // The dialect of this message: a revision, or the dialect itself if it has none.
  const wire::Dialect* OnMessage(const NegotiationInput& in);
  // Forgets the session.
  void OnSessionEnd();

  const wire::Dialect* current() const { return current_; }  // of the latest message of its own
  How how() const { return how_; }
  // The value that selected current(); "": none.
  const std::string& version() const { return version_; }
  // All messages since the first agreement were of one revision.
  bool settled() const { return how_ >= How::kAgreed && !mixed_; }
  // A version that the last message introduced, for which there is no revision; "": none.
  const std::string& unknown() const { return unknown_; }
  const std::string& pointer() const { return pointer_; }  // where the message has it

 private:
  bool Take(const std::vector<wire::MethodPlace>& places, const NegotiationInput& in, How how);

  const wire::Dialect* dialect_;
  const wire::Dialect* current_;
  How how_ = How::kDefault;
  bool mixed_ = false;
  std::string version_, unknown_, pointer_;
  std::vector<std::string> reported_;  // unknown versions
  // Where messages changed the revision: for answers, which are of their requests' revision.
  struct Change {
    uint64_t number;
    const wire::Dialect* dialect;
  };
  std::deque<Change> changes_;
};

// What the parties of a session declare to support, at the "capabilities" of its dialect.
class Capabilities {
 public:
  explicit Capabilities(const wire::Dialect* dialect) : dialect_(dialect) {}
  // The first declaration of each party counts.
  void OnMessage(wire::Direction direction, const NegotiationInput& in);
  void OnSessionEnd() { names_ = {}; }
  // Of the party that sends in this direction: names of members that are neither false nor null, or
  // strings of a list, in order. Not escaped. At most kMaxCapabilities.
  const std::vector<std::string>& of(wire::Direction direction) const {
    return names_[static_cast<int>(direction)];
  }

 private:
  const wire::Dialect* dialect_;
  std::array<std::vector<std::string>, 2> names_;
};

// LSP has 16 groups of a client and 35 of a server.
inline constexpr size_t kMaxCapabilities = 64;

}  // namespace midwire::trace
