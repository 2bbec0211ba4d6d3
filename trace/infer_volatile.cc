#include "trace/infer_volatile.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "trace/infer_places.h"
#include "trace/looks.h"
#include "wire/json_parts.h"

namespace midwire::trace {
namespace {

using wire::Direction;
using wire::Kind;

// Values of answers that are kept for comparison, 40 bytes each: those beyond are not compared.
constexpr size_t kMaxValues = 1u << 20;
// Requests of a session that are told apart, places that are listed, kinds of sessions, methods.
constexpr size_t kMaxRequests = 1u << 16, kMaxPlaces = 1u << 12, kMaxAlike = 64, kMaxMethods = 1024;

uint64_t Hash(std::string_view text) { return std::hash<std::string_view>()(text); }

uint64_t Mixed(uint64_t a, uint64_t b) {
  a ^= b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2);
  return a * 0xC2B2AE3D27D4EB4Fu;
}

uint64_t PathHash(const wire::Path& path) {
  uint64_t hash = 0;
  for (const wire::PathStep& step : path) {
    hash = Mixed(hash, step.name.empty() ? step.index : Hash(step.name));
  }
  return hash;
}

}  // namespace

void Volatility::OnMessage(const Observed& seen) {
  const bool host = seen.direction() == Direction::kHostToPlugin;
  const bool call = seen.kind() == Kind::kRequest || seen.kind() == Kind::kNotification;
  if (host && call) said_ += Mixed(Hash(seen.method), 1);  // in whichever order
  if (!host && seen.kind() == Kind::kNotification && CanBePlace(seen.method)) {
    const auto known = notified_.find(std::string(seen.method));
    if (known != notified_.end()) {
      ++known->second;
    } else if (notified_.size() < kMaxMethods) {
      notified_.emplace(seen.method, 1);
    }
  }
  if (!seen.json || !CanBePlace(seen.method)) return;
  if (seen.kind() == Kind::kRequest) Asked(seen);
  if (seen.kind() == Kind::kResponse && seen.request != nullptr) Answered(seen);
}

void Volatility::Asked(const Observed& request) {
  if (times_.size() >= kMaxRequests) return;
  uint64_t key = Mixed(Hash(request.method), static_cast<uint64_t>(request.direction()));
  if (!request.params.empty()) {
    // Members in any order; what a program made differs from session to session.
    wire::WalkScalars(request.params, [&](const wire::Path& path, std::string_view value) {
      const bool made = value.front() == '"' && LooksMade(value.substr(1, value.size() - 2));
      key += Mixed(PathHash(path), made ? 0 : Hash(value));
    });
  }
  open_.Add(request, Mixed(key, ++times_[key]));
}

void Volatility::Answered(const Observed& answer) {
  const std::optional<uint64_t> key = open_.Take(answer);
  if (!key) return;
  wire::WalkScalars(answer.body, [&](const wire::Path& path, std::string_view value) {
    if (path.empty() || ("/" + wire::StringValue(path[0].name)) != answer.result_pointer()) return;
    const uint64_t place = Mixed(*key, PathHash(path));
    const auto known = values_.find(place);
    if (known == values_.end()) {
      if (values_.size() < kMaxValues) values_.emplace(place, Hash(value));
    } else if (known->second != Hash(value) && places_.size() < kMaxPlaces) {
      if (const auto pattern = PatternOf(path)) {
        places_.insert(PlaceText(answer.method, *pattern));
      }
    }
  });
}

void Volatility::OnSessionEnd(bool whole) {
  if (whole && (alike_.size() < kMaxAlike || alike_.contains(said_))) {
    Alike& alike = alike_[said_];
    for (const auto& [method, count] : notified_) {
      if (alike.sessions == 0) alike.fewest[method] = count;
      const uint64_t most = alike.most[method];
      alike.most[method] = std::max(most, count);
    }
    for (const auto& [method, most] : alike.most) {
      const auto now = notified_.find(method);
      uint64_t& fewest = alike.fewest[method];  // 0 where an earlier session had none
      fewest = std::min(fewest, now == notified_.end() ? 0 : now->second);
    }
    ++alike.sessions;
  }
  times_.clear();
  open_.Clear();
  notified_.clear();
  said_ = 0;
}

std::set<std::string> Volatility::methods() const {
  std::set<std::string> methods;
  for (const auto& [said, alike] : alike_) {
    for (const auto& [method, most] : alike.most) {
      if (alike.fewest.at(method) != most) methods.insert(method);
    }
  }
  return methods;
}

}  // namespace midwire::trace
