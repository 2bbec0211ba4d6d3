#include "fuzz/oracle/pending_requests.h"

#include <algorithm>
#include <iterator>

#include "fuzz/hash.h"

namespace midwire::fuzz {

std::string_view Unquoted(std::string_view token) {
  return token.size() >= 2 && token[0] == '"' ? token.substr(1, token.size() - 2) : token;
}

size_t PendingRequests::ChainOf(std::string_view id) { return Hash(Unquoted(id)) % kChains; }

template <typename Is>
const PendingRequest* PendingRequests::Find(std::string_view id, Is is) const {
  size_t place = chains_[ChainOf(id)].first;
  while (place != 0 && !is(asked_[place - 1])) place = asked_[place - 1].next;
  return place != 0 ? &asked_[place - 1] : nullptr;
}

template <typename Is>
const PendingRequest* PendingRequests::FindOpen(std::string_view id, Is is) const {
  size_t place = chains_[ChainOf(id)].first_open;
  while (place != 0 && !is(asked_[place - 1])) place = asked_[place - 1].next_open;
  return place != 0 ? &asked_[place - 1] : nullptr;
}

void PendingRequests::OnPeer() {
  OnRun();
  earlier_.clear();
  forgotten_.clear();
  open_earlier_ = 0;
  slow_ = false;
}

void PendingRequests::OnRun() {
  std::erase_if(earlier_, [&](const PendingRequest& asked) {
    return asked.answered || (asked.stray && asked.run + kOddRuns < run_);
  });
  if (earlier_.size() > kMaxEarlier) {
    const auto kept = earlier_.end() - kMaxEarlier;
    for (auto asked = earlier_.begin(); asked != kept && !full(); ++asked) {
      if (!asked->stray) forgotten_.insert(Hash(asked->id));
    }
    earlier_.erase(earlier_.begin(), kept);
  }
  earlier_.insert(earlier_.end(), std::make_move_iterator(asked_.begin()),
                  std::make_move_iterator(asked_.end()));
  open_earlier_ = static_cast<size_t>(
      std::count_if(earlier_.begin(), earlier_.end(),
                    [](const PendingRequest& asked) { return !asked.answered; }));
  asked_.clear();
  chains_ = {};
  owed_ = odd_open_ = 0;
  ++run_;
  unreadable_ = false;
}

bool PendingRequests::Forgotten(std::string_view id) const {
  return !forgotten_.empty() && forgotten_.contains(Hash(id));
}

void PendingRequests::Add(PendingRequest asked) {
  if (asked_.size() >= kMaxPendingRequests) return;
  if (asked.must) ++owed_;
  if (asked.odd) ++odd_open_;
  asked.next = asked.next_open = 0;
  asked.run = run_;
  Chain& chain = chains_[ChainOf(asked.id)];
  asked_.push_back(std::move(asked));
  const auto place = static_cast<uint16_t>(asked_.size());
  (chain.first == 0 ? chain.first : asked_[chain.last - 1].next) = place;
  (chain.first_open == 0 ? chain.first_open : asked_[chain.last_open - 1].next_open) = place;
  chain.last = chain.last_open = place;
}

const PendingRequest* PendingRequests::FirstOwed() const {
  if (owed_ == 0) return nullptr;
  const auto found = std::find_if(asked_.begin(), asked_.end(), [](const PendingRequest& asked) {
    return asked.must && !asked.answered;
  });
  return found == asked_.end() ? nullptr : &*found;
}

PendingRequest* PendingRequests::LargeOwed() {
  if (owed_ == 0) return nullptr;
  const auto found = std::find_if(asked_.begin(), asked_.end(), [](const PendingRequest& asked) {
    return asked.large && asked.must && !asked.answered;
  });
  return found == asked_.end() ? nullptr : &*found;
}

bool PendingRequests::Owes(std::string_view id) const {
  return FindOpen(id, [&](const PendingRequest& asked) { return asked.must && asked.id == id; }) !=
         nullptr;
}

bool PendingRequests::Answered(std::string_view id) const {
  return Find(id, [&](const PendingRequest& asked) { return asked.answered && asked.id == id; }) !=
         nullptr;
}

bool PendingRequests::Open(std::string_view id) const {
  return FindOpen(id, [&](const PendingRequest& asked) { return asked.id == id; }) != nullptr;
}

const PendingRequest* PendingRequests::First(std::string_view id) const {
  return Find(id, [&](const PendingRequest& asked) { return asked.id == id; });
}

bool PendingRequests::Repeated(std::string_view id) const {
  const PendingRequest* first = First(id);
  return Find(id, [&](const PendingRequest& asked) { return &asked != first && asked.id == id; }) !=
         nullptr;
}

bool PendingRequests::Ambiguous(const PendingRequest& asked) const {
  const auto same = [&](const PendingRequest& other) {
    return &other != &asked && other.id == asked.id;
  };
  const auto late = [&](const PendingRequest& other) {
    return other.id == asked.id && !other.answered;
  };
  if (unreadable_ || Find(asked.id, same) != nullptr) return true;
  if (odd_open_ > 0 || Forgotten(asked.id)) return true;
  return open_earlier_ > 0 && std::any_of(earlier_.begin(), earlier_.end(), late);
}

bool PendingRequests::OddOpen() const {
  const auto still = [&](const PendingRequest& asked) {
    return asked.odd && !asked.answered && (asked.slow || asked.run + kOddRuns >= run_);
  };
  return unreadable_ || slow_ || odd_open_ > 0 ||
         std::any_of(earlier_.begin(), earlier_.end(), still);
}

bool PendingRequests::Earlier(std::string_view id) const {
  return Forgotten(id) || std::any_of(earlier_.begin(), earlier_.end(),
                                      [&](const PendingRequest& asked) { return asked.id == id; });
}

bool PendingRequests::HadOfAnyType(std::string_view id) const {
  const auto same = [&](const PendingRequest& asked) { return Unquoted(asked.id) == Unquoted(id); };
  return Find(id, same) != nullptr || std::any_of(earlier_.begin(), earlier_.end(), same);
}

PendingRequest* PendingRequests::Answer(std::string_view id) {
  PendingRequest* found =
      FindOpen(id, [&](const PendingRequest& asked) { return asked.must && asked.id == id; });
  if (found == nullptr)
    found = FindOpen(id, [&](const PendingRequest& asked) { return asked.id == id; });
  if (found != nullptr) Settle(found);
  return found;
}

PendingRequest* PendingRequests::OfOtherType(std::string_view id) {
  return FindOpen(id, [&](const PendingRequest& asked) {
    return asked.must && asked.id != id && Unquoted(asked.id) == Unquoted(id);
  });
}

void PendingRequests::Settle(PendingRequest* asked) {
  if (asked->answered) return;
  if (asked->must) --owed_;
  if (asked->odd) --odd_open_;
  asked->answered = true;
  Chain& chain = chains_[ChainOf(asked->id)];
  const auto place = static_cast<uint16_t>(asked - asked_.data() + 1);
  uint16_t before = 0;
  for (uint16_t at = chain.first_open; at != place; at = asked_[at - 1].next_open) before = at;
  (before == 0 ? chain.first_open : asked_[before - 1].next_open) = asked->next_open;
  if (chain.last_open == place) chain.last_open = before;
}

void PendingRequests::MakeOptional(PendingRequest* asked) {
  if (asked->must && !asked->answered) --owed_;
  asked->must = false;
}

bool PendingRequests::AnswerEarlier(std::string_view id) {
  PendingRequest* found = nullptr;
  for (PendingRequest& asked : earlier_) {
    if (asked.id != id) continue;
    if (found == nullptr || found->answered) found = &asked;
  }
  if (found == nullptr || found->answered) return Forgotten(id);
  --open_earlier_;
  found->answered = true;
  return true;
}

void PendingRequests::DropExpectations() {
  for (PendingRequest& asked : asked_) asked.must = false;
  owed_ = 0;
}

}  // namespace midwire::fuzz
