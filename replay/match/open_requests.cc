#include "replay/match/open_requests.h"

#include <algorithm>
#include <utility>

#include "wire/json/decimal.h"

namespace midwire::replay {
namespace {

bool IsNumber(std::string_view token) {
  return !token.empty() && token[0] != '"' && token != "null";
}

}  // namespace

void OpenRequests::Open(Direction direction, std::string_view id, StepIndex step) {
  Table& open = open_[static_cast<int>(direction)];
  if (!spare_) {
    open[std::string(id)].push_back(step);
    return;
  }
  // A node of the table and a vector for one step, neither of which is allocated again.
  spare_.key().assign(id);
  spare_.mapped().clear();
  auto inserted = open.insert(std::move(spare_));
  inserted.position->second.push_back(step);
  spare_ = std::move(inserted.node);  // empty, unless the id is in flight already
}

OpenRequests::Found OpenRequests::Find(Direction direction, const std::string& token) const {
  const Table& open = open_[static_cast<int>(direction)];
  const auto of = [&](Table::const_iterator at) {
    return at == open.end() ? Found{} : Found{at->first, &at->second};
  };
  if (const auto found = open.find(token); found != open.end()) return of(found);
  if (token.size() > 2 && token.front() == '"') {
    const auto found = open.find(token.substr(1, token.size() - 2));
    return found != open.end() && IsNumber(found->first) ? of(found) : Found{};
  }
  if (const auto found = open.find('"' + token + '"'); found != open.end()) return of(found);
  if (open.size() > kMaxSpellings || !IsNumber(token)) return {};
  return of(std::find_if(open.begin(), open.end(), [&](const auto& other) {
    return IsNumber(other.first) && wire::SameNumber(other.first, token);
  }));
}

void OpenRequests::Answer(Direction direction, const Found& found, size_t place) {
  Table& open = open_[static_cast<int>(direction)];
  const auto at = open.find(found.id);
  answered_.push_back({direction, found.id, at->second[place]});
  if (answered_.size() > kMaxAnswered) answered_.pop_front();
  at->second.erase(at->second.begin() + static_cast<std::ptrdiff_t>(place));
  if (at->second.empty()) spare_ = open.extract(at);
}

std::optional<StepIndex> OpenRequests::Answered(Direction direction, std::string_view id) const {
  const auto at = std::find_if(answered_.rbegin(), answered_.rend(), [&](const Past& past) {
    return past.direction == direction && past.id == id;
  });
  return at == answered_.rend() ? std::nullopt : std::optional(at->request);
}

}  // namespace midwire::replay
