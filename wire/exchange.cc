#include "wire/exchange.h"

#include <algorithm>
#include <utility>

namespace midwire::wire {
namespace {

// An id is stored twice, once as the key.
size_t CostOf(const std::string& id, const std::string& method) {
  return 2 * id.size() + method.size();
}

}  // namespace

std::string_view Name(Direction direction) {
  return direction == Direction::kHostToPlugin ? "host-to-plugin" : "plugin-to-host";
}

std::string_view ShortName(Direction direction) {
  return direction == Direction::kHostToPlugin ? "h2p" : "p2h";
}

// The raw token is the key of the table: 1, 1.0 and "1" are ids of their own until an answer has
// none of them.
void Exchanges::Open(Direction direction, const Message& request, uint64_t number, int64_t time_ns,
                     uint32_t element) {
  Side& requests = side(direction);
  const size_t cost = CostOf(request.id.token, request.method);
  if (requests.held == kMaxOpenRequests || requests.bytes + cost > kMaxOpenBytes) {
    ++requests.overflow;
    return;
  }
  ++requests.held;
  requests.bytes += cost;
  requests.respelt.Open(request.id.token);
  const auto fill = [&](OpenRequest* slot) {
    slot->number = number;
    slot->time_ns = time_ns;
    slot->method = request.method;
    slot->id = request.id.token;
    slot->element = element;
  };
  if (auto found = requests.open.find(request.id.token); found != requests.open.end()) {
    fill(&found->second.later.emplace_back());
  } else if (requests.spare) {
    requests.spare.key() = request.id.token;
    fill(&requests.spare.mapped().first);
    requests.open.insert(std::move(requests.spare));
  } else {
    fill(&requests.open[request.id.token].first);
  }
}

std::optional<OpenRequest> Exchanges::Close(Direction direction, const Message& answer) {
  Side& requests = side(Opposite(direction));
  const auto found = requests.open.find(answer.id.token);
  if (found == requests.open.end()) return std::nullopt;
  return *CloseAt(&requests, found);
}

const OpenRequest* Exchanges::CloseMeant(Direction direction, const Message& answer) {
  Side& requests = side(Opposite(direction));
  const auto found = requests.open.find(answer.id.token);
  if (found != requests.open.end()) return CloseAt(&requests, found);
  const auto meant = requests.respelt.Find(requests.open, answer.id.token);
  if (meant == requests.open.end()) return nullptr;
  return CloseAt(&requests, requests.open.find(meant->first));
}

const OpenRequest* Exchanges::CloseAt(Side* side, Table::iterator found) {
  Side& requests = *side;
  --requests.held;
  Queue& queue = found->second;
  requests.bytes -= CostOf(queue.first.id, queue.first.method);
  requests.respelt.Close(queue.first.id);
  if (queue.next == queue.later.size()) {
    queue.later.clear();
    queue.next = 0;
    requests.spare = requests.open.extract(found);
    return &queue.first;  // in the node
  }
  requests.closed = std::exchange(queue.first, std::move(queue.later[queue.next++]));
  // An id that always has an open request would make `later` grow without end. Erasing half at a
  // time keeps the cost per request constant.
  if (2 * queue.next >= queue.later.size()) {
    queue.later.erase(queue.later.begin(), queue.later.begin() + queue.next);
    queue.next = 0;
  }
  return &requests.closed;
}

std::vector<OpenRequest> Exchanges::Unanswered(Direction direction) const {
  std::vector<OpenRequest> all;
  for (const auto& [id, queue] : side(direction).open) {
    all.push_back(queue.first);
    all.insert(all.end(), queue.later.begin() + queue.next, queue.later.end());
  }
  std::sort(all.begin(), all.end(),
            [](const OpenRequest& a, const OpenRequest& b) { return a.number < b.number; });
  return all;
}

uint64_t Exchanges::open_count(Direction direction) const {
  return side(direction).held + side(direction).overflow;
}

}  // namespace midwire::wire
