// The requests of a peer that have no valid answer yet. A peer may wait for each of them. Called by
// ProtocolOracle. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::fuzz {

// A peer that has sent more waits for answers without end.
inline constexpr size_t kMaxPeerRequests = 1024;

class PeerRequests {
 public:
  struct Request {
    std::string id;  // its token
    std::string method;
  };
  void OnPeer() { requests_.clear(), earlier_ = 0; }
  // A run begins: all requests so far are of earlier runs.
  void OnRun() { earlier_ = requests_.size(); }
  // False: there are too many to remember it.
  bool Add(std::string_view id, std::string_view method);
  // A valid answer with this id was sent. It closes one request of this run, because a peer that
  // repeats an id may wait for an answer to each, and all requests of earlier runs.
  void Answer(std::string_view id);

  bool empty() const { return requests_.empty(); }
  bool Has(std::string_view id) const;
  // All of them, in order; none is left.
  std::vector<Request> Take();

 private:
  std::vector<Request> requests_;
  size_t earlier_ = 0;  // the first ones: of earlier runs
};

}  // namespace midwire::fuzz
