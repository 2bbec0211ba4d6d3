#include "check/infer/volatile.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "check/infer/places.h"
#include "trace/looks.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

using wire::Direction;
using wire::Kind;

// Values of answers that are kept for comparison, 48 bytes each: those beyond are not compared.
constexpr size_t kMaxAnswerValues = 1u << 20;
// Limits: requests of a session that are distinguished, places that are listed, kinds of sessions,
// methods.
constexpr size_t kMaxRequests = 1u << 16, kMaxVolatilePlaces = 1u << 12, kMaxAlike = 64,
                 kMaxNotifiedMethods = 1024;

}  // namespace

void Volatility::OnMessage(const Observed& seen) {
  const bool host = seen.direction() == Direction::kHostToPlugin;
  const bool call = seen.kind() == Kind::kRequest || seen.kind() == Kind::kNotification;
  if (host && call)
    host_calls_ += Mixed(HashOf(seen.method), 1);  // a sum: order makes no difference
  if (!host && seen.kind() == Kind::kNotification && CanBePlace(seen.method)) {
    const auto known = notified_.find(std::string(seen.method));
    if (known != notified_.end()) {
      ++known->second;
    } else if (notified_.size() < kMaxNotifiedMethods) {
      notified_.emplace(seen.method, 1);
    }
  }
  if (!seen.json || !CanBePlace(seen.method)) return;
  if (seen.kind() == Kind::kRequest) OnRequest(seen);
  if (seen.kind() == Kind::kResponse && seen.request != nullptr) OnAnswer(seen);
}

void Volatility::OnRequest(const Observed& request) {
  if (times_.size() >= kMaxRequests) return;
  uint64_t key = Mixed(HashOf(request.method), static_cast<uint64_t>(request.direction()));
  if (!request.params.empty()) {
    // Members in any order; a generated value differs from session to session.
    wire::WalkScalars(
        request.params, [&](const wire::Path& path) { asked_at_.Step(path); },
        [&](const wire::Path& path, std::string_view value) {
          const bool made =
              value.front() == '"' && trace::LooksMade(value.substr(1, value.size() - 2));
          key += Mixed(asked_at_.Of(path), made ? 0 : HashOf(value));
        });
  }
  open_.Add(request, Mixed(key, ++times_[key]));
}

void Volatility::OnAnswer(const Observed& answer) {
  const std::optional<uint64_t> key = open_.Take(answer);
  if (!key) return;
  if (answer.result.empty()) return;
  wire::WalkScalars(
      answer.result, [&](const wire::Path& path) { answered_at_.Step(path); },
      [&](const wire::Path& path, std::string_view value) {
        const uint64_t hash = HashOf(value);
        const std::optional<uint64_t> known =
            values_.FindOrPut(Mixed(*key, answered_at_.Of(path)), hash);
        if (!known || *known == hash || places_.size() >= kMaxVolatilePlaces) return;
        wire::Path whole = {{answer.dap() ? "\"body\"" : "\"result\""}};
        whole.insert(whole.end(), path.begin(), path.end());
        if (const auto pattern = PatternOf(whole)) {
          places_.insert(PlaceText(answer.method, *pattern));
        }
      });
}

std::optional<uint64_t> FirstValues::FindOrPut(uint64_t place, uint64_t value) {
  if (2 * (count_ + 1) > slots_.size() && count_ < kMaxAnswerValues) Grow();
  Slot& slot = SlotOf(place);
  if (slot.used) return slot.value;
  if (count_ < kMaxAnswerValues) {
    ++count_;
    slot = {place, value, true};
  }
  return std::nullopt;
}

FirstValues::Slot& FirstValues::SlotOf(uint64_t place) {
  size_t at = (place * 0x9E3779B97F4A7C15u >> 20) & (slots_.size() - 1);
  while (slots_[at].used && slots_[at].place != place) at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

void FirstValues::Grow() {
  std::vector<Slot> before(std::max<size_t>(1024, 2 * slots_.size()));
  before.swap(slots_);
  for (const Slot& slot : before) {
    if (slot.used) SlotOf(slot.place) = slot;
  }
}

void Volatility::OnSessionEnd(bool whole) {
  if (whole && (alike_.size() < kMaxAlike || alike_.contains(host_calls_))) {
    Alike& alike = alike_[host_calls_];
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
  host_calls_ = 0;
}

std::set<std::string> Volatility::methods() const {
  std::set<std::string> methods;
  for (const auto& [shape, alike] : alike_) {
    for (const auto& [method, most] : alike.most) {
      if (alike.fewest.at(method) != most) methods.insert(method);
    }
  }
  return methods;
}

}  // namespace midwire::check
