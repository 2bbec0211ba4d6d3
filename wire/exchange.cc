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

std::vector<std::string> OtherSpellings(const Id& id) {
  const std::string& token = id.token;
  if (id.type == Id::Type::kString) {
    // A string that is no number was never one.
    const std::string text = token.substr(1, token.size() - 2);
    const bool number = !text.empty() && text.find_first_not_of("0123456789.-") == text.npos;
    return number ? std::vector<std::string>{text} : std::vector<std::string>();
  }
  if (id.type != Id::Type::kInteger && id.type != Id::Type::kFraction) return {};
  std::vector<std::string> others = {'"' + token + '"'};
  others.push_back(token.ends_with(".0") ? token.substr(0, token.size() - 2) : token + ".0");
  return others;
}

// The raw token is the key: 1, 1.0 and "1" are spelt differently, so their type is not part of it.
void Exchanges::Open(Direction direction, const Message& request, uint64_t number,
                     int64_t time_ns) {
  Side& requests = side(direction);
  const size_t cost = CostOf(request.id.token, request.method);
  if (requests.held == kMaxOpenRequests || requests.bytes + cost > kMaxOpenBytes) {
    ++requests.overflow;
    return;
  }
  ++requests.held;
  requests.bytes += cost;
  const auto fill = [&](OpenRequest* slot) {
    slot->number = number;
    slot->time_ns = time_ns;
    slot->method = request.method;
    slot->id = request.id.token;
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
  return CloseAt(&requests, found);
}

std::optional<OpenRequest> Exchanges::CloseMeant(Direction direction, const Message& answer) {
  if (std::optional<OpenRequest> closed = Close(direction, answer)) return closed;
  Side& requests = side(Opposite(direction));
  if (requests.open.empty()) return std::nullopt;
  for (const std::string& other : OtherSpellings(answer.id)) {
    const auto found = requests.open.find(other);
    if (found != requests.open.end()) return CloseAt(&requests, found);
  }
  return std::nullopt;
}

OpenRequest Exchanges::CloseAt(Side* side, Table::iterator found) {
  Side& requests = *side;
  --requests.held;
  Queue& queue = found->second;
  requests.bytes -= CostOf(queue.first.id, queue.first.method);
  OpenRequest closed = queue.first;
  if (queue.next == queue.later.size()) {
    queue.later.clear();
    queue.next = 0;
    requests.spare = requests.open.extract(found);
  } else {
    queue.first = std::move(queue.later[queue.next++]);
    // An id that always has an open request would make `later` grow without end. Erasing half at a
    // time keeps the cost per request constant.
    if (2 * queue.next >= queue.later.size()) {
      queue.later.erase(queue.later.begin(), queue.later.begin() + queue.next);
      queue.next = 0;
    }
  }
  return closed;
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
