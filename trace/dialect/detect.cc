#include "trace/dialect/detect.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

namespace midwire::trace {
namespace {

using wire::Dialect;
using wire::Severity;

bool MayBe(const Dialect& dialect, const Opening& opening) {
  if (dialect.framing && !opening.framed(*dialect.framing)) return false;
  return std::any_of(opening.calls().begin(), opening.calls().end(), [&](const auto& call) {
    return wire::MatchesAny(dialect.detect_methods, call.method);
  });
}

// Whether more methods are unknown to the dialect than are its own and no other's: a private
// protocol that begins with `initialize`, as many do.
bool IsForeign(const Dialect& dialect, const Opening& opening,
               const std::vector<Dialect>& candidates) {
  std::set<std::string_view> strange, own;
  for (const Opening::Call& call : opening.calls()) {
    const auto detects = [&](const Dialect& candidate) {
      return wire::MatchesAny(candidate.detect_methods, call.method);
    };
    if (std::count_if(candidates.begin(), candidates.end(), detects) > 1) continue;
    const bool known = detects(dialect) || dialect.Find(call.method) != nullptr;
    (known ? own : strange).insert(call.method);
  }
  return strange.size() > own.size();
}

int Fitness(const Dialect& dialect, const Opening& opening) {
  int fitness = 0;
  for (const Opening::Call& call : opening.calls()) {
    const wire::MethodSpec* spec = dialect.Find(call.method);
    const bool known = spec != nullptr && spec->from[static_cast<int>(call.direction)] &&
                       (call.request ? spec->request : spec->notification);
    // DAP messages never have a version, so a DAP dialect does not look for one.
    const bool looks = dialect.jsonrpc_missing != Severity::kOff;
    const bool fits = call.dap         ? !looks
                      : call.versioned ? looks
                                       : dialect.jsonrpc_missing != Severity::kMust;
    fitness += (known ? 2 : 0) + (fits ? 1 : 0);
  }
  return fitness;
}

}  // namespace

void Opening::OnMessage(const RecordedMessage& message) {
  if (full()) return;
  ++messages_;
  framings_ |= 1u << static_cast<int>(message.frame->framing);
  OnElement(message);
}

void Opening::OnElement(const RecordedMessage& element) {
  const wire::Message& message = *element.message;
  const bool request = message.kind == wire::Kind::kRequest;
  if (!request && message.kind != wire::Kind::kNotification) return;
  if (calls_.size() >= kMessages) return;  // a batch may hold thousands
  calls_.push_back({message.method, element.direction, request, !(message.flags & wire::kNoVersion),
                    (message.flags & wire::kDap) != 0});
}

const Dialect* Detect(const Opening& opening, const std::vector<Dialect>& candidates) {
  const Dialect* best = nullptr;
  const auto rank = [&](const Dialect& dialect) {
    return std::tuple(Fitness(dialect, opening), dialect.bases.size());
  };
  for (const Dialect& candidate : candidates) {
    if (!MayBe(candidate, opening)) continue;
    if (best == nullptr || rank(candidate) > rank(*best) ||
        (rank(candidate) == rank(*best) && candidate.name < best->name)) {
      best = &candidate;
    }
  }
  return best == nullptr || IsForeign(*best, opening, candidates) ? nullptr : best;
}

}  // namespace midwire::trace
