#include "check/infer/lifecycle.h"

#include <algorithm>
#include <utility>

#include "check/infer/json.h"
#include "wire/json/utf8.h"

namespace midwire::check {
namespace {

using wire::Direction;
using wire::Kind;

// Methods of one session, and first, last and closing methods of all; real protocols have a few
// hundred.
constexpr size_t kMaxSessionMethods = 4096;
// How many sessions must end with a method whose name does not show that it ends a session.
constexpr uint64_t kMinClosings = 2;
constexpr std::string_view kClosingWords[] = {"shutdown", "exit", "quit",    "close", "disconnect",
                                              "stop",     "bye",  "dispose", "end",   "terminate"};
// The grace is one of these, at least ten times the recorded time: other machines are slower.
constexpr int64_t kGracesMs[] = {1000, 2000, 5000, 10'000, 30'000, 60'000, 300'000};
constexpr int64_t kSlower = 10;

bool SaysThatItCloses(std::string_view method) {
  const size_t word = method.find_last_of("/.:_");
  const std::string_view last = word == method.npos ? method : method.substr(word + 1);
  return std::any_of(std::begin(kClosingWords), std::end(kClosingWords),
                     [&](std::string_view closing) { return last == closing; });
}

bool Remember(std::string_view method, std::set<std::string>* methods) {
  if (methods->size() < kMaxSessionMethods) methods->emplace(method);
  return methods->contains(std::string(method));
}

}  // namespace

void LifecycleLearner::OnMessage(const Observed& seen) {
  Session& now = session_;
  const bool host = seen.direction() == Direction::kHostToPlugin;
  if (!host && seen.message->IsAnswer()) {
    if (!now.first.empty() && seen.method == now.first) now.ready = true;
    if (!now.last.empty() && seen.method == now.last) now.last_ns = seen.recorded->time_ns;
  }
  if (!host || (seen.kind() != Kind::kRequest && seen.kind() != Kind::kNotification)) return;
  if (!now.opened) now.first = seen.method;
  if (now.opened && seen.kind() == Kind::kRequest && seen.method != now.first) {
    (now.ready ? now.waited : now.early) = true;
  }
  now.opened = true;
  ++now.calls;
  now.last = seen.method;
  now.last_ns = seen.recorded->time_ns;
  const auto known = now.methods.find(seen.method);
  if (known != now.methods.end()) {
    known->second.last = now.calls;
  } else if (now.methods.size() < kMaxSessionMethods) {
    now.methods.emplace(seen.method, Span{now.calls, now.calls});
  } else {
    now.lost = true;
  }
}

void LifecycleLearner::OnEvent(int64_t time_ns, const Event& event) {
  const auto* exit = std::get_if<ExitStatus>(&event);
  if (exit == nullptr) return;
  session_.exit = *exit;
  if (session_.last_ns == 0 || time_ns == 0) return;
  session_.took_ms = (time_ns - session_.last_ns) / 1'000'000;
}

void LifecycleLearner::OnSessionEnd() {
  const Session now = std::exchange(session_, Session());
  lost_ = lost_ || now.lost;
  if (!now.first.empty()) lost_ = !Remember(now.first, &firsts_) || lost_;
  early_ = early_ || now.early;
  waited_ = waited_ || (now.waited && !now.gap);
  if (now.calls == 0) return;
  for (const auto& [method, span] : now.methods) {
    // Named once more: clang 14 captures no structured binding.
    const auto goes_on = [&, &self = method, &since = span.first](const auto& other) {
      return other.first != self && other.second.last > since;
    };
    if (method == now.last && std::none_of(now.methods.begin(), now.methods.end(), goes_on))
      continue;
    if (!Remember(method, &not_last_)) lost_ = true;
  }
  if (!now.exit || closings_.size() >= kMaxSessionMethods) return;
  Closing& closing = closings_[now.last];
  ++closing.sessions;
  closing.exits.insert(now.exit->signal != 0 ? -1 : now.exit->code);
  closing.longest_ms = std::max(closing.longest_ms, now.took_ms);
}

// The method that closed the most sessions; on a tie the first by name.
const std::string* LifecycleLearner::Last() const {
  const std::pair<const std::string, Closing>* best = nullptr;
  for (const auto& candidate : closings_) {
    const auto& [method, closing] = candidate;
    if (lost_ || not_last_.contains(method) || (firsts_.contains(method) && firsts_.size() == 1)) {
      continue;
    }
    if (closing.sessions < kMinClosings && !SaysThatItCloses(method)) continue;
    if (best == nullptr || closing.sessions > best->second.sessions) best = &candidate;
  }
  return best == nullptr ? nullptr : &best->first;
}

wire::Json LifecycleLearner::Draft() const {
  wire::Json draft = JsonObject();
  const bool first = !lost_ && firsts_.size() == 1 && wire::IsUtf8(*firsts_.begin());
  if (first) {
    Put(&draft, "first", JsonList({JsonText(*firsts_.begin())}));
    if (waited_ && !early_) Put(&draft, "before_ready", JsonText("must"));
  }
  const std::string* last = Last();
  if (last == nullptr || !wire::IsUtf8(*last)) return draft;
  Put(&draft, "last", JsonList({JsonText(*last)}));
  const Closing& closing = closings_.find(*last)->second;
  if (closing.longest_ms >= 0) {
    const auto grace = std::find_if(std::begin(kGracesMs), std::end(kGracesMs),
                                    [&](int64_t ms) { return ms >= kSlower * closing.longest_ms; });
    if (grace != std::end(kGracesMs)) Put(&draft, "grace_ms", JsonNumber(*grace));
  }
  if (closing.exits.size() == 1 && *closing.exits.begin() >= 0) {
    Put(&draft, "exit", JsonNumber(*closing.exits.begin()));
  }
  return draft;
}

}  // namespace midwire::check
