#include "trace/dialect/detect.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"
#include "wire/near_names.h"

namespace midwire::trace {
namespace {

// Points per call: known at all, as the right kind by the right party, with or without a version as
// the dialect has it, in its framing.
constexpr int kKnown = 1, kRight = 1, kVersion = 1, kFraming = 1;
// Points of a session: its first call is one that opens sessions; it has a revision or capabilities
// where the dialect has them.
constexpr int kFirst = 2, kHandshake = 4;

// What a candidate gets for an opening.
struct Score {
  int points = 0;
  size_t known = 0;
  bool framing = false, handshake = false;
};

bool Detects(const DialectOutline& dialect, std::string_view method) {
  return wire::MatchesAny(dialect.detect, method);
}

bool MayBe(const DialectOutline& dialect, const Opening& opening) {
  return std::any_of(opening.calls().begin(), opening.calls().end(),
                     [&](const auto& call) { return Detects(dialect, call.method); });
}

// A method of the dialect that is spelled otherwise: a mistake, not another protocol.
bool IsRespelt(const DialectOutline& dialect, std::string_view method) {
  return std::any_of(dialect.methods.begin(), dialect.methods.end(),
                     [&](const auto& known) { return wire::SpelledAlike(known.first, method); });
}

// The methods of the calls without those that several candidates detect: they show nothing.
std::set<std::string_view> TellingMethods(const Opening& opening,
                                          const std::vector<DialectOutline>& candidates) {
  std::set<std::string_view> telling;
  for (const Opening::Call& call : opening.calls()) telling.insert(call.method);
  std::erase_if(telling, [&](std::string_view method) {
    const auto detects = [&](const DialectOutline& one) { return Detects(one, method); };
    return std::count_if(candidates.begin(), candidates.end(), detects) > 1;
  });
  return telling;
}

// Whether more methods are unknown to the dialect than are its own and no other's: a private
// protocol that begins with `initialize`, as many do.
bool IsForeign(const DialectOutline& dialect, const std::set<std::string_view>& telling) {
  size_t strange = 0, own = 0;
  for (const std::string_view method : telling) {
    const bool known = Detects(dialect, method) || dialect.Find(method) != nullptr;
    if (!known && IsRespelt(dialect, method)) continue;
    ++(known ? own : strange);
  }
  return strange > own;
}

bool HasHandshake(const DialectOutline& dialect, const Opening& opening) {
  for (const Opening::Call& call : opening.calls()) {
    if (call.body.empty()) continue;
    for (const wire::MethodPlace& place : dialect.handshake) {
      if (place.OfMethod(call.method) && wire::ValueAt(call.body, place.pointer)) return true;
    }
  }
  return false;
}

// Whether the session has opened as the dialect's do, to the notification that ends a handshake:
// more than the name of a method. Its other methods may then be any: of extensions, or mistakes.
bool HasOpened(const DialectOutline& dialect, const Opening& opening) {
  const std::vector<Opening::Call>& calls = opening.calls();
  if (!dialect.framing || !opening.framed(*dialect.framing) || !HasHandshake(dialect, opening)) {
    return false;
  }
  const auto& opens = dialect.first;
  if (std::find(opens.begin(), opens.end(), calls.front().method) == opens.end()) return false;
  return std::any_of(calls.begin(), calls.end(), [&](const Opening::Call& call) {
    return !call.request && call.direction == calls.front().direction &&
           call.versioned == dialect.versioned && Detects(dialect, call.method);
  });
}

Score ScoreOf(const DialectOutline& dialect, const Opening& opening) {
  Score score;
  score.framing = !dialect.framing || opening.framed(*dialect.framing);
  for (const Opening::Call& call : opening.calls()) {
    const DialectOutline::Method* spec = dialect.Find(call.method);
    if (spec != nullptr) {
      ++score.known;
      const bool right = spec->from[static_cast<int>(call.direction)] &&
                         (call.request ? spec->request : spec->notification);
      score.points += kKnown + (right ? kRight : 0);
    }
    // DAP messages never have a version, so a dialect of DAP does not look for one.
    const bool fits = call.dap         ? !dialect.versioned
                      : call.versioned ? dialect.versioned
                                       : dialect.lenient;
    score.points += (fits ? kVersion : 0) + (score.framing ? kFraming : 0);
  }
  if (!opening.calls().empty()) {
    const std::string& first = opening.calls().front().method;
    const auto& opens = dialect.first;
    score.handshake = std::find(opens.begin(), opens.end(), first) != opens.end();
    score.points += score.handshake ? kFirst : 0;
  }
  if (HasHandshake(dialect, opening)) {
    score.handshake = true;
    score.points += kHandshake;
  }
  return score;
}

Detection::Sureness SurenessOf(const Detection& found) {
  using Sureness = Detection::Sureness;
  if (found.known == found.calls && found.framing && found.handshake) return Sureness::kCertain;
  if (10 * found.known >= 9 * found.calls && found.known >= 3) return Sureness::kCertain;
  return 2 * found.known > found.calls ? Sureness::kLikely : Sureness::kGuess;
}

}  // namespace

void Opening::OnMessage(const RecordedMessage& message) {
  if (full()) return;
  ++messages_;
  framings_ |= 1u << static_cast<int>(message.frame->framing);
  OnElement(message);
  if (calls_.empty() || calls_.size() > kBodies || !message.frame->whole()) return;
  const std::string_view body = wire::Trimmed(message.frame->body());
  const bool call = message.message->kind == wire::Kind::kRequest ||
                    message.message->kind == wire::Kind::kNotification;
  if (call && body.size() <= kMaxBody && wire::IsLooseJson(body)) calls_.back().body = body;
}

void Opening::OnElement(const RecordedMessage& element) {
  const wire::Message& message = *element.message;
  const bool request = message.kind == wire::Kind::kRequest;
  if (!request && message.kind != wire::Kind::kNotification) return;
  if (calls_.size() >= kMessages) return;  // a batch may hold thousands
  calls_.push_back({message.method,
                    element.direction,
                    request,
                    !(message.flags & wire::kNoVersion),
                    (message.flags & wire::kDap) != 0,
                    {}});
}

std::string_view Detection::SurenessText() const {
  constexpr std::string_view kWords[] = {"", "a guess", "likely", "certain"};
  return dialect != nullptr ? kWords[static_cast<int>(sureness)] : "";
}

std::string Detection::Text() const {
  if (dialect == nullptr) {
    return name() + (calls == 0 ? " (no calls to detect another from)" : " (no other one fits)");
  }
  std::string text = name() + " (" + std::string(SurenessText()) + ": " + std::to_string(known) +
                     " of " + std::to_string(calls) + (calls == 1 ? " call" : " calls");
  if (framing) text += ", framing";
  if (handshake) text += ", handshake";
  if (second != nullptr && sureness != Sureness::kCertain) text += "; next: " + second->name;
  return text + ")";
}

Detection Detect(const Opening& opening, const std::vector<DialectOutline>& candidates) {
  Detection found;
  found.calls = opening.calls().size();
  Score best;
  const auto better = [](const DialectOutline& a, const Score& of_a, const DialectOutline& b,
                         const Score& of_b) {
    const auto rank_a = std::tuple(of_a.points, a.bases.size());
    const auto rank_b = std::tuple(of_b.points, b.bases.size());
    return rank_a != rank_b ? rank_a > rank_b : a.name < b.name;
  };
  Score of_second;
  const std::set<std::string_view> telling = TellingMethods(opening, candidates);
  for (const DialectOutline& candidate : candidates) {
    // Before the points: those for its framing may put a foreign one in front of the right one.
    if (!MayBe(candidate, opening)) continue;
    if (IsForeign(candidate, telling) && !HasOpened(candidate, opening)) continue;
    const Score score = ScoreOf(candidate, opening);
    if (found.dialect == nullptr || better(candidate, score, *found.dialect, best)) {
      found.second = found.dialect;
      of_second = best;
      found.dialect = &candidate;
      best = score;
    } else if (found.second == nullptr || better(candidate, score, *found.second, of_second)) {
      found.second = &candidate;
      of_second = score;
    }
  }
  if (found.dialect == nullptr) return found;
  found.known = best.known;
  found.framing = best.framing;
  found.handshake = best.handshake;
  // Of two that fit equally, such as those whose sessions all begin with `initialize`, the name has
  // decided.
  const auto extends = [](const DialectOutline& a, const DialectOutline& b) {
    return std::find(a.bases.begin(), a.bases.end(), b.name) != a.bases.end();
  };
  const bool tied = found.second != nullptr && of_second.points == best.points &&
                    !extends(*found.dialect, *found.second);
  found.sureness = tied ? Detection::Sureness::kGuess : SurenessOf(found);
  return found;
}

}  // namespace midwire::trace
