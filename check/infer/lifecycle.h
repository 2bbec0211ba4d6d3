// What all sessions share in how they open, close and end. Used by infer. Drafts the members that
// rules/lifecycle.cc checks, and never more than was recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "check/checker.h"
#include "wire/json/value.h"

namespace midwire::check {

class LifecycleLearner {
 public:
  void OnMessage(const Observed& seen);
  void OnEvent(int64_t time_ns, const Event& event);
  void OnGap() { session_.opened = session_.ready = session_.gap = true; }
  void OnSessionEnd();

  // The "lifecycle" of a dialect; without members: none.
  wire::Json Draft() const;

 private:
  // First and last use of a method, counted in calls of the host.
  struct Span {
    uint64_t first, last;
  };
  struct Session {
    bool opened = false, ready = false, early = false, waited = false, gap = false, lost = false;
    std::string first, last;
    uint64_t calls = 0;
    std::map<std::string, Span, std::less<>> methods;
    int64_t last_ns = 0;  // time of the last call or answer
    std::optional<ExitStatus> exit;
    int64_t took_ms = -1;  // from there to the exit
  };
  // Sessions that one method closed.
  struct Closing {
    uint64_t sessions = 0;
    std::set<int> exits;  // codes; -1: a signal
    int64_t longest_ms = -1;
  };

  const std::string* Last() const;

  Session session_;
  std::set<std::string> firsts_;
  bool early_ = false, waited_ = false;  // a request came before the first was answered; after that
  std::map<std::string, Closing, std::less<>> closings_;
  std::set<std::string> not_last_;  // something else came after them
  bool lost_ = false;               // more methods than are remembered
};

}  // namespace midwire::check
