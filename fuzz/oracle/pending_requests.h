// The requests sent to a peer and their answers, in this run and in earlier runs, whose answers may
// arrive late. Finds the request of an answer without a search through all of them. Called by
// ProtocolOracle, which decides what is a fault. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wire/dialect/dialect.h"

namespace midwire::fuzz {

// Maximum number of requests in one run; no answer is expected to later ones. A case that is
// replayed is one run, and an index in a chain has 16 bits.
inline constexpr size_t kMaxPendingRequests = 60'000;
// Maximum number of unanswered requests of earlier runs that are kept completely. Of older ones
// only the hashes of their ids are kept, up to the second limit; then the peer must be restarted.
inline constexpr size_t kMaxEarlier = 64, kMaxForgotten = 64 * 1024;
// After so many runs, no answer arrives to an ambiguous request or to a message that is not a
// request. (If one does, its finding is rarely reproducible.)
inline constexpr uint32_t kAmbiguousRuns = 8;

struct PendingRequest {
  std::string id;      // its token
  std::string method;  // "" if the protocol does not have it
  const wire::MethodSpec* spec = nullptr;
  bool expected = false;  // an answer is expected; otherwise it is optional
  bool answered = false;
  bool ambiguous = false;    // a peer may read another id from it
  bool not_request = false;  // a peer may only refuse it, and does so at once
  bool slow = false;         // a peer may read a method from it whose answer comes late
  bool large = false;        // a peer with a limit may refuse it without its id
  bool probe = false;        // sent to find out whether the peer responds
  // Set by PendingRequests: one more than the index of the next request in the same chain, and of
  // the next unanswered one.
  uint16_t next = 0, next_open = 0;
  uint32_t run = 0;
};

// Its method for people: "?" if the protocol does not have it.
inline std::string NameOf(const PendingRequest& request) {
  return request.method.empty() ? "?" : request.method;
}

class PendingRequests {
 public:
  // The peer was restarted.
  void OnPeer();
  // A run begins: all requests so far belong to earlier runs.
  void OnRun();
  // Pointers to requests are valid until the next call of Add, OnRun or OnPeer. Returns its place,
  // which is valid in this run; 0: there are too many.
  size_t Add(PendingRequest request);
  const PendingRequest* At(size_t place) const {  // null: place 0
    return place != 0 ? &requests_[place - 1] : nullptr;
  }

  // Adds bytes in which a peer may find a request whose id is not known. slow: as in
  // PendingRequest.
  void AddUnreadable(bool slow) { unreadable_ = true, slow_ = slow_ || slow; }

  // The place of the last request of this run, and of one of them.
  size_t last() const { return requests_.size(); }
  size_t PlaceOf(const PendingRequest* request) const {  // 0: null
    return request != nullptr ? static_cast<size_t>(request - requests_.data()) + 1 : 0;
  }

  // Number of answers that are expected and have not arrived.
  size_t expected() const { return expected_; }
  // The first request with an expected answer, and the first of them that is large; null: none.
  const PendingRequest* FirstExpected() const;
  const PendingRequest* FirstLargeExpected() const;
  // Whether this run has a request with this id: with an expected answer, without an answer
  // (expected or optional), more than one.
  bool IsExpected(std::string_view id) const;
  bool IsOpen(std::string_view id) const;
  bool IsRepeated(std::string_view id) const;
  // Whether an answer with the id of `request` may belong to another request. It has the same id,
  // in this run or unanswered in an earlier one, or it is an ambiguous one of this run.
  bool MayAnswerAnother(const PendingRequest& request) const;
  // Whether there is an unanswered ambiguous request, of this run or an earlier one. An answer with
  // any id may belong to it.
  bool HasAmbiguous() const;
  // Whether an earlier run had the id.
  bool HadEarlier(std::string_view id) const;
  // More unanswered requests than can be remembered.
  bool full() const { return forgotten_.size() >= kMaxForgotten; }

  // Whether an answer with this id is a late one, to a request of an earlier run, as far as that is
  // known.
  bool IsLate(std::string_view id) const;

  // Marks the request of an answer with this id as answered: the first with an expected answer,
  // else the first with an optional one. null: there is none.
  const PendingRequest* Answer(std::string_view id);
  // Whether this run or an earlier one had the id, in any spelling (wire/respelt_ids.h).
  bool HadAnyType(std::string_view id) const;
  // The first request with this id in this run; null: none.
  const PendingRequest* First(std::string_view id) const;
  // The first request with an expected answer whose id differs only in its spelling or type: 1 for
  // "1". Null: none.
  const PendingRequest* ExpectedOfOtherType(std::string_view id) const;
  // `request`: of this run.
  void MarkAnswered(const PendingRequest* request);
  // The answer is not expected any more, because it may have arrived already in another form.
  void MakeOptional(const PendingRequest* request);
  // The same, of an answer that was received: another one to the same request is not late.
  bool AnswerEarlier(std::string_view id);
  // All answers become optional.
  void DropExpectations();
  // Calls visit(request) for each expected answer that is missing, and marks it as answered.
  template <typename Visit>
  void GiveUpExpected(Visit visit) {
    for (PendingRequest& request : requests_) {
      if (!request.expected || request.answered) continue;
      MarkAnswered(&request);
      visit(request);
    }
  }

 private:
  // Requests are chained by what their ids mean (wire/respelt_ids.h). If a peer's ids are all in
  // one chain, look-ups are as slow as in a list. Answered requests are in no open chain, because
  // mutants repeat one message up to a hundred times.
  static constexpr size_t kChains = 256;
  struct Chain {
    uint16_t first = 0, last = 0, first_open = 0, last_open = 0;  // as PendingRequest::next
  };
  static size_t ChainOf(std::string_view id);
  bool IsForgotten(std::string_view id) const;
  template <typename Is>
  const PendingRequest* Find(std::string_view id, Is is) const;
  template <typename Is>
  const PendingRequest* FindOpen(std::string_view id, Is is) const;
  PendingRequest& Mine(const PendingRequest* request) {
    return requests_[static_cast<size_t>(request - requests_.data())];
  }

  std::vector<PendingRequest> requests_;  // of this run
  std::vector<PendingRequest> earlier_;   // all of the last run, unanswered ones of runs before it
  std::array<Chain, kChains> chains_ = {};
  std::unordered_set<uint64_t> forgotten_;  // hashes of ids
  size_t expected_ = 0, ambiguous_open_ = 0, open_earlier_ = 0;
  uint32_t run_ = 0;
  bool unreadable_ = false;  // in this run
  bool slow_ = false;        // since the peer was started
};

}  // namespace midwire::fuzz
