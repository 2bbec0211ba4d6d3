// Matcher: messages of which no recording is left, or that a mock refuses.
#include <algorithm>
#include <utility>

#include "replay/match/host_names.h"
#include "replay/match/matcher.h"
#include "replay/match/shown.h"
#include "wire/json/escape.h"

namespace midwire::replay {

using wire::Message;

std::string Matcher::NumberAndPlace(StepIndex step, const ValueDifference& difference) const {
  const std::string number = std::to_string(script_->steps[step].number);
  return "message " + number + (difference.pointer.empty() ? "" : ", " + difference.pointer);
}

// A request with the content of one that has arrived, of which no recording is left.
std::optional<Matcher::Match> Matcher::OnceMore(const Expectations::Key& key,
                                                ExpectedMessages* queue, const Message& message,
                                                std::string_view body) {
  const StepIndex before = queue->LastDoneWithContent(body, *progress_, &comparer_, *bindings_);
  if (before == kNoStep || !comparer_.Compare(before, message, body, 1).equal()) {
    return std::nullopt;
  }
  Difference item = {.difference = DifferenceKind::kExtra,
                     .closest = script_->steps[before].number,
                     .direction = key.direction,
                     .kind = message.kind,
                     .method = message.method};
  item.got = ShownMessage(message, body, comparer_.RulesOf(ClassOf(message, body)).ignores);
  item.text = "once more than recorded";
  log_.Add(std::move(item));
  return Match{.nearest = before, .exhausted = true};
}

// Whether a request differs from a recording only in what a host says of itself, and perhaps in the
// type of its id. One note says where first.
bool Matcher::OnlyNames(StepIndex step, const Message& message, std::string_view body) {
  const Verdict verdict = comparer_.Compare(step, message, body, kMaxPlaces);
  if (verdict.equal() || verdict.differences.size() >= kMaxPlaces) return false;
  const auto names = [&](const ValueDifference& item) {
    return item.pointer == "/id" || IsOfHost(*declared_, message.method, item);
  };
  if (!std::all_of(verdict.differences.begin(), verdict.differences.end(), names)) return false;
  const ValueDifference& first = verdict.differences.front();
  if (std::exchange(host_noted_, true)) return true;
  const auto shown = [](const std::string& value) {
    return value.empty() ? "missing" : wire::Escaped(Shown(value));
  };
  report_->notes.push_back("another host than recorded: " + first.pointer + " is " +
                           shown(first.got) + ", not " + shown(first.expected));
  return true;
}

// A request that has other content than any recording left.
Matcher::Match Matcher::Refuse(const Expectations::Key& key, ExpectedMessages* queue,
                               StepIndex nearest, const Verdict& verdict, const Message& message,
                               std::string_view body) {
  const ValueDifference& first = verdict.differences.front();
  Difference item = {.difference = DifferenceKind::kExtra,
                     .closest = script_->steps[nearest].number,
                     .direction = key.direction,
                     .kind = message.kind,
                     .method = message.method};
  DifferenceLog::SetPlace(first, &item);
  comparer_.DescribeItems(nearest, body, &item);
  item.text = "not in the trace with this content";
  log_.Add(std::move(item));
  return {.closest = NumberAndPlace(nearest, first)};
}

// A message that has no recording left.
Matcher::Match Matcher::Extra(const Expectations::Key& key, ExpectedMessages* queue,
                              const Message& message, std::string_view body) {
  Difference item = {.difference = DifferenceKind::kExtra,
                     .direction = key.direction,
                     .kind = message.kind,
                     .method = message.method};
  item.got = ShownMessage(message, body, comparer_.RulesOf(ClassOf(message, body)).ignores);
  if (IsAnswer(message.kind)) {
    ReportStrayAnswer(key.direction, message, std::move(item));
    return {};
  }
  if (options_.variations) item.call = options_.variations->CallOf(item.method, body);
  if (message.kind == Kind::kInvalid) {
    item.difference = DifferenceKind::kJunk;
    item.text = "JSON that is no JSON-RPC message";
  }
  if (queue == nullptr) {
    if (key.is_volatile) return {};
    const bool known = expected_.Find({key.method, key.direction, key.kind, true}) != nullptr;
    if (item.text.empty()) {
      item.text = known ? "the trace has only volatile messages of this method"
                        : "the trace has no message of this method";
    }
    log_.Add(std::move(item));
    return {};
  }
  if (item.text.empty()) item.text = "once more than recorded";
  const Match match = Nearest(*queue, message, body, &item);
  // Volatile messages may come more often.
  if (match.nearest == kNoStep || !script_->steps[match.nearest].is_volatile) {
    log_.Add(std::move(item));
  }
  return match;
}

// An answer that no request in flight waits for.
void Matcher::ReportStrayAnswer(Direction direction, const Message& message, Difference item) {
  const auto answered = open_.Answered(Opposite(direction), message.id.token);
  if (answered && *answered != kNoStep) {
    const Step& request = script_->steps[*answered];
    item.method = script_->methods[request.method];
    if (request.other != kNoStep) item.closest = script_->steps[request.other].number;
  }
  item.difference = answered ? DifferenceKind::kDoubled : DifferenceKind::kUnknown;
  item.text = answered ? "a second answer to a request that was answered already"
                       : "an answer to no request";
  log_.Add(std::move(item));
}

// The most similar one among those that arrived already.
Matcher::Match Matcher::Nearest(const ExpectedMessages& queue, const Message& message,
                                std::string_view body, Difference* item) {
  Match match;
  Verdict best;
  for (const StepIndex index : queue.used()) {
    Verdict verdict = comparer_.Compare(index, message, body, kMaxPlaces);
    // Of equally similar ones, the last.
    if (match.nearest != kNoStep && verdict.differences.size() > best.differences.size()) continue;
    match.nearest = index;
    best = std::move(verdict);
  }
  match.exhausted = match.nearest != kNoStep && best.equal();
  if (match.nearest != kNoStep) item->closest = script_->steps[match.nearest].number;
  if (!best.equal()) {
    DifferenceLog::SetPlace(best.differences.front(), item);
    comparer_.DescribeItems(match.nearest, body, item);
    match.closest = NumberAndPlace(match.nearest, best.differences.front());
  }
  return match;
}

}  // namespace midwire::replay
