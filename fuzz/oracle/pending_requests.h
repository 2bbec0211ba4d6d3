// The pending: what was asked of the peer and what it has answered, in this run and in runs before,
// whose answers may come late. Finds what an answer answers without looking at all that was asked:
// the oracle keeps it, and judges. Pure.
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

// Requests of one run that are paired; what is beyond is owed nothing. A life that is played is one
// run, and a place in a chain has 16 bits.
inline constexpr size_t kMaxPendingRequests = 60'000;
// Unanswered ones of earlier runs that are remembered whole; of older ones, only that their ids
// were asked, for so many: then a fresh peer is due.
inline constexpr size_t kMaxEarlier = 64, kMaxForgotten = 64 * 1024;
// An odd request, or a stray, of so many runs ago will not be answered any more. (If it is after
// all, the finding that comes of it is seldom confirmed.)
inline constexpr uint32_t kOddRuns = 8;

struct PendingRequest {
  std::string id;      // its token
  std::string method;  // "" where it is no word of the protocol
  const wire::MethodSpec* spec = nullptr;
  bool must = false;  // it is owed an answer; else it may have one
  bool answered = false;
  bool odd = false;    // who reads it otherwise may find another id in it
  bool stray = false;  // no request at all: who answers it refuses it, and soon
  bool slow = false;   // who reads it otherwise may find something in it that takes its time
  bool large = false;  // who has a limit refuses it without its id
  // The pending's. One more than the place of the next in the same chain; and of those without an
  // answer.
  uint16_t next = 0, next_open = 0;
  uint32_t run = 0;
};

class PendingRequests {
 public:
  // A fresh peer.
  void OnPeer();
  // All that was asked is of an earlier run now.
  void OnRun();
  // Pointers to what was asked are valid until the next call of these.
  void Add(PendingRequest asked);

  // Something whose id we cannot see, and others may. slow: and it may take its time.
  void AddUnreadable(bool slow) { unreadable_ = true, slow_ = slow_ || slow; }

  // Those that must be answered and are not yet.
  size_t owed() const { return owed_; }
  // The first of them, and the first that is large; null: none.
  const PendingRequest* FirstOwed() const;
  PendingRequest* LargeOwed();
  // With this id, of this run: one that is owed an answer, one that has had it, one that has had
  // none, which may be one that is owed none; more than one at all.
  bool Owes(std::string_view id) const;
  bool Answered(std::string_view id) const;
  bool Open(std::string_view id) const;
  bool Repeated(std::string_view id) const;
  // Of this run and of those before: another one than `asked` that has its id and may be meant, as
  // one of this run that is odd may be.
  bool Ambiguous(const PendingRequest& asked) const;
  // One that was odd and has no answer, of this run or one before: it may be meant by any id.
  bool OddOpen() const;
  // Whether an earlier run had the id.
  bool Earlier(std::string_view id) const;
  // More was asked in vain than can be remembered.
  bool full() const { return forgotten_.size() >= kMaxForgotten; }

  // What an answer with this id answers: first what is owed one, then what may have one. Answered
  // now; null: nothing.
  PendingRequest* Answer(std::string_view id);
  // Whether this run or an earlier one had the id, but perhaps for its type.
  bool HadOfAnyType(std::string_view id) const;
  // The first with this id; null: none.
  const PendingRequest* First(std::string_view id) const;
  // One that is owed an answer, whose id is the same but for its type: 1 for "1". Null: none.
  PendingRequest* OfOtherType(std::string_view id);
  void Settle(PendingRequest* asked);  // it was answered
  void MakeOptional(
      PendingRequest* asked);  // it may have been: it is owed none any more, and may have one
  // Late answers are in order; one answers one request, where that is known. False: to none.
  bool AnswerEarlier(std::string_view id);
  // Nothing is owed any more.
  void DropExpectations();
  // Calls visit(request) for each that is owed an answer, which counts as had then.
  template <typename Visit>
  void GiveUp(Visit visit) {
    for (PendingRequest& asked : asked_) {
      if (!asked.must || asked.answered) continue;
      Settle(&asked);
      visit(asked);
    }
  }

 private:
  // By the id without its quotes. Who makes all fall into one chain makes us as slow as a list,
  // but for what was answered: mutants say one message a hundred times.
  static constexpr size_t kChains = 256;
  struct Chain {
    uint16_t first = 0, last = 0, first_open = 0, last_open = 0;  // as PendingRequest::next
  };
  static size_t ChainOf(std::string_view id);
  bool Forgotten(std::string_view id) const;
  template <typename Is>
  const PendingRequest* Find(std::string_view id, Is is) const;
  template <typename Is>
  const PendingRequest* FindOpen(std::string_view id, Is is) const;
  template <typename Is>
  PendingRequest* FindOpen(std::string_view id, Is is) {
    return const_cast<PendingRequest*>(std::as_const(*this).FindOpen(id, is));
  }

  std::vector<PendingRequest> asked_,
      earlier_;  // earlier: all of the last run, what is open of others
  std::array<Chain, kChains> chains_ = {};
  std::unordered_set<uint64_t> forgotten_;  // hashes of ids
  size_t owed_ = 0, odd_open_ = 0, open_earlier_ = 0;
  uint32_t run_ = 0;
  bool unreadable_ = false, slow_ = false;  // of this run; of this life
};

// A token without its quotes, if it has them.
std::string_view Unquoted(std::string_view token);

}  // namespace midwire::fuzz
