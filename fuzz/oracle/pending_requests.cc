#include "fuzz/oracle/pending_requests.h"

#include <algorithm>
#include <iterator>

#include "fuzz/hash.h"
#include "wire/respelt_ids.h"

namespace midwire::fuzz {
namespace {

// Whether an id is `id` or another spelling of it.
class MeansId {
 public:
  explicit MeansId(std::string_view id) : key_(wire::IdKey(id, &space_)) {}
  MeansId(const MeansId&) = delete;  // key_ may point into it
  MeansId& operator=(const MeansId&) = delete;

  bool operator()(std::string_view id) const {
    std::string space;
    return wire::IdKey(id, &space) == key_;
  }

 private:
  std::string space_;
  std::string_view key_;
};

auto IsOpenWith(std::string_view id) {
  return [id](const PendingRequest& request) { return request.id == id && !request.answered; };
}

}  // namespace

size_t PendingRequests::ChainOf(std::string_view id) {
  std::string space;
  return Hash(wire::IdKey(id, &space)) % kChains;
}

template <typename Is>
const PendingRequest* PendingRequests::Find(std::string_view id, Is is) const {
  size_t place = chains_[ChainOf(id)].first;
  while (place != 0 && !is(requests_[place - 1])) place = requests_[place - 1].next;
  return place != 0 ? &requests_[place - 1] : nullptr;
}

template <typename Is>
const PendingRequest* PendingRequests::FindOpen(std::string_view id, Is is) const {
  size_t place = chains_[ChainOf(id)].first_open;
  while (place != 0 && !is(requests_[place - 1])) place = requests_[place - 1].next_open;
  return place != 0 ? &requests_[place - 1] : nullptr;
}

void PendingRequests::OnPeer() {
  requests_.clear();
  earlier_.clear();
  OnRun();
  forgotten_.clear();
  open_earlier_ = 0;
  slow_ = false;
}

void PendingRequests::OnRun() {
  std::erase_if(earlier_, [&](const PendingRequest& request) {
    return request.answered || (request.not_request && request.run + kAmbiguousRuns < run_);
  });
  if (earlier_.size() > kMaxEarlier) {
    const auto kept = earlier_.end() - kMaxEarlier;
    for (auto request = earlier_.begin(); request != kept && !full(); ++request) {
      if (!request->not_request) forgotten_.insert(Hash(request->id));
    }
    earlier_.erase(earlier_.begin(), kept);
  }
  earlier_.insert(earlier_.end(), std::make_move_iterator(requests_.begin()),
                  std::make_move_iterator(requests_.end()));
  open_earlier_ = static_cast<size_t>(
      std::count_if(earlier_.begin(), earlier_.end(),
                    [](const PendingRequest& request) { return !request.answered; }));
  requests_.clear();
  chains_ = {};
  expected_ = ambiguous_open_ = 0;
  ++run_;
  unreadable_ = false;
}

bool PendingRequests::IsForgotten(std::string_view id) const {
  return !forgotten_.empty() && forgotten_.contains(Hash(id));
}

size_t PendingRequests::Add(PendingRequest request) {
  if (requests_.size() >= kMaxPendingRequests) return 0;
  if (request.expected) ++expected_;
  if (request.ambiguous) ++ambiguous_open_;
  request.next = request.next_open = 0;
  request.run = run_;
  Chain& chain = chains_[ChainOf(request.id)];
  requests_.push_back(std::move(request));
  const auto place = static_cast<uint16_t>(requests_.size());
  (chain.first == 0 ? chain.first : requests_[chain.last - 1].next) = place;
  (chain.first_open == 0 ? chain.first_open : requests_[chain.last_open - 1].next_open) = place;
  chain.last = chain.last_open = place;
  return place;
}

const PendingRequest* PendingRequests::FirstExpected() const {
  if (expected_ == 0) return nullptr;
  const auto found = std::find_if(
      requests_.begin(), requests_.end(),
      [](const PendingRequest& request) { return request.expected && !request.answered; });
  return found == requests_.end() ? nullptr : &*found;
}

const PendingRequest* PendingRequests::FirstLargeExpected() const {
  if (expected_ == 0) return nullptr;
  const auto found =
      std::find_if(requests_.begin(), requests_.end(), [](const PendingRequest& request) {
        return request.large && request.expected && !request.answered;
      });
  return found == requests_.end() ? nullptr : &*found;
}

bool PendingRequests::IsExpected(std::string_view id) const {
  return FindOpen(id, [&](const PendingRequest& request) {
           return request.expected && request.id == id;
         }) != nullptr;
}

bool PendingRequests::IsOpen(std::string_view id) const {
  return FindOpen(id, [&](const PendingRequest& request) { return request.id == id; }) != nullptr;
}

const PendingRequest* PendingRequests::First(std::string_view id) const {
  return Find(id, [&](const PendingRequest& request) { return request.id == id; });
}

bool PendingRequests::IsRepeated(std::string_view id) const {
  const PendingRequest* first = First(id);
  return Find(id, [&](const PendingRequest& request) {
           return &request != first && request.id == id;
         }) != nullptr;
}

bool PendingRequests::MayAnswerAnother(const PendingRequest& request) const {
  const auto same = [&](const PendingRequest& other) {
    return &other != &request && other.id == request.id;
  };
  if (unreadable_ || Find(request.id, same) != nullptr) return true;
  return ambiguous_open_ > 0 || IsLate(request.id);
}

bool PendingRequests::HasAmbiguous() const {
  const auto still = [&](const PendingRequest& request) {
    return request.ambiguous && !request.answered &&
           (request.slow || request.run + kAmbiguousRuns >= run_);
  };
  return unreadable_ || slow_ || ambiguous_open_ > 0 ||
         std::any_of(earlier_.begin(), earlier_.end(), still);
}

bool PendingRequests::HadEarlier(std::string_view id) const {
  return IsForgotten(id) ||
         std::any_of(earlier_.begin(), earlier_.end(),
                     [&](const PendingRequest& request) { return request.id == id; });
}

bool PendingRequests::HadAnyType(std::string_view id) const {
  const MeansId means(id);
  const auto same = [&](const PendingRequest& request) { return means(request.id); };
  return Find(id, same) != nullptr || std::any_of(earlier_.begin(), earlier_.end(), same);
}

bool PendingRequests::IsLate(std::string_view id) const {
  return IsForgotten(id) ||
         (open_earlier_ > 0 && std::any_of(earlier_.begin(), earlier_.end(), IsOpenWith(id)));
}

const PendingRequest* PendingRequests::Answer(std::string_view id) {
  const PendingRequest* found = FindOpen(
      id, [&](const PendingRequest& request) { return request.expected && request.id == id; });
  if (found == nullptr)
    found = FindOpen(id, [&](const PendingRequest& request) { return request.id == id; });
  if (found != nullptr) MarkAnswered(found);
  return found;
}

const PendingRequest* PendingRequests::ExpectedOfOtherType(std::string_view id) const {
  const MeansId means(id);
  return FindOpen(id, [&](const PendingRequest& request) {
    return request.expected && request.id != id && means(request.id);
  });
}

void PendingRequests::MarkAnswered(const PendingRequest* request) {
  if (request->answered) return;
  if (request->expected) --expected_;
  if (request->ambiguous) --ambiguous_open_;
  Mine(request).answered = true;
  Chain& chain = chains_[ChainOf(request->id)];
  const auto place = static_cast<uint16_t>(request - requests_.data() + 1);
  uint16_t before = 0;
  for (uint16_t at = chain.first_open; at != place; at = requests_[at - 1].next_open) before = at;
  (before == 0 ? chain.first_open : requests_[before - 1].next_open) = request->next_open;
  if (chain.last_open == place) chain.last_open = before;
}

void PendingRequests::MakeOptional(const PendingRequest* request) {
  if (request->expected && !request->answered) --expected_;
  Mine(request).expected = false;
}

bool PendingRequests::AnswerEarlier(std::string_view id) {
  const auto found = std::find_if(earlier_.begin(), earlier_.end(), IsOpenWith(id));
  if (found == earlier_.end()) return IsForgotten(id);
  --open_earlier_;
  found->answered = true;
  return true;
}

void PendingRequests::DropExpectations() {
  for (PendingRequest& request : requests_) request.expected = false;
  expected_ = 0;
}

}  // namespace midwire::fuzz
