#include "fuzz/oracle/ledger.h"

#include <algorithm>
#include <iterator>

#include "fuzz/hash.h"

namespace midwire::fuzz {

std::string_view Unquoted(std::string_view token) {
  return token.size() >= 2 && token[0] == '"' ? token.substr(1, token.size() - 2) : token;
}

size_t Ledger::ChainOf(std::string_view id) { return Hash(Unquoted(id)) % kChains; }

template <typename Is>
const Asked* Ledger::Find(std::string_view id, Is is) const {
  size_t place = chains_[ChainOf(id)].first;
  while (place != 0 && !is(asked_[place - 1])) place = asked_[place - 1].next;
  return place != 0 ? &asked_[place - 1] : nullptr;
}

template <typename Is>
const Asked* Ledger::FindOpen(std::string_view id, Is is) const {
  size_t place = chains_[ChainOf(id)].first_open;
  while (place != 0 && !is(asked_[place - 1])) place = asked_[place - 1].next_open;
  return place != 0 ? &asked_[place - 1] : nullptr;
}

void Ledger::OnPeer() {
  OnRun();
  earlier_.clear();
  forgotten_.clear();
  open_earlier_ = 0;
  slow_ = false;
}

void Ledger::OnRun() {
  std::erase_if(earlier_, [&](const Asked& asked) {
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
  open_earlier_ = static_cast<size_t>(std::count_if(
      earlier_.begin(), earlier_.end(), [](const Asked& asked) { return !asked.answered; }));
  asked_.clear();
  chains_ = {};
  owed_ = odd_open_ = 0;
  ++run_;
  unreadable_ = false;
}

bool Ledger::Forgotten(std::string_view id) const {
  return !forgotten_.empty() && forgotten_.contains(Hash(id));
}

void Ledger::Add(Asked asked) {
  if (asked_.size() >= kMaxAsked) return;
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

const Asked* Ledger::FirstOwed() const {
  if (owed_ == 0) return nullptr;
  const auto found = std::find_if(asked_.begin(), asked_.end(),
                                  [](const Asked& asked) { return asked.must && !asked.answered; });
  return found == asked_.end() ? nullptr : &*found;
}

Asked* Ledger::LargeOwed() {
  if (owed_ == 0) return nullptr;
  const auto found = std::find_if(asked_.begin(), asked_.end(), [](const Asked& asked) {
    return asked.large && asked.must && !asked.answered;
  });
  return found == asked_.end() ? nullptr : &*found;
}

bool Ledger::Owes(std::string_view id) const {
  return FindOpen(id, [&](const Asked& asked) { return asked.must && asked.id == id; }) != nullptr;
}

bool Ledger::Answered(std::string_view id) const {
  return Find(id, [&](const Asked& asked) { return asked.answered && asked.id == id; }) != nullptr;
}

bool Ledger::Open(std::string_view id) const {
  return FindOpen(id, [&](const Asked& asked) { return asked.id == id; }) != nullptr;
}

const Asked* Ledger::First(std::string_view id) const {
  return Find(id, [&](const Asked& asked) { return asked.id == id; });
}

bool Ledger::Repeated(std::string_view id) const {
  const Asked* first = First(id);
  return Find(id, [&](const Asked& asked) { return &asked != first && asked.id == id; }) != nullptr;
}

bool Ledger::Ambiguous(const Asked& asked) const {
  const auto same = [&](const Asked& other) { return &other != &asked && other.id == asked.id; };
  const auto late = [&](const Asked& other) { return other.id == asked.id && !other.answered; };
  if (unreadable_ || Find(asked.id, same) != nullptr) return true;
  if (odd_open_ > 0 || Forgotten(asked.id)) return true;
  return open_earlier_ > 0 && std::any_of(earlier_.begin(), earlier_.end(), late);
}

bool Ledger::OddOpen() const {
  const auto still = [&](const Asked& asked) {
    return asked.odd && !asked.answered && (asked.slow || asked.run + kOddRuns >= run_);
  };
  return unreadable_ || slow_ || odd_open_ > 0 ||
         std::any_of(earlier_.begin(), earlier_.end(), still);
}

bool Ledger::Earlier(std::string_view id) const {
  return Forgotten(id) || std::any_of(earlier_.begin(), earlier_.end(),
                                      [&](const Asked& asked) { return asked.id == id; });
}

bool Ledger::HadOfAnyType(std::string_view id) const {
  const auto same = [&](const Asked& asked) { return Unquoted(asked.id) == Unquoted(id); };
  return Find(id, same) != nullptr || std::any_of(earlier_.begin(), earlier_.end(), same);
}

Asked* Ledger::Answer(std::string_view id) {
  Asked* found = FindOpen(id, [&](const Asked& asked) { return asked.must && asked.id == id; });
  if (found == nullptr) found = FindOpen(id, [&](const Asked& asked) { return asked.id == id; });
  if (found != nullptr) Settle(found);
  return found;
}

Asked* Ledger::OfOtherType(std::string_view id) {
  return FindOpen(id, [&](const Asked& asked) {
    return asked.must && asked.id != id && Unquoted(asked.id) == Unquoted(id);
  });
}

void Ledger::Settle(Asked* asked) {
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

void Ledger::Waive(Asked* asked) {
  if (asked->must && !asked->answered) --owed_;
  asked->must = false;
}

bool Ledger::AnswerEarlier(std::string_view id) {
  Asked* found = nullptr;
  for (Asked& asked : earlier_) {
    if (asked.id != id) continue;
    if (found == nullptr || found->answered) found = &asked;
  }
  if (found == nullptr || found->answered) return Forgotten(id);
  --open_earlier_;
  found->answered = true;
  return true;
}

void Ledger::Excuse() {
  for (Asked& asked : asked_) asked.must = false;
  owed_ = 0;
}

}  // namespace midwire::fuzz
