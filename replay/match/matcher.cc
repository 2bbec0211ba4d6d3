#include "replay/match/matcher.h"

#include <algorithm>
#include <utility>

#include "replay/match/host_names.h"
#include "replay/match/id_members.h"
#include "replay/match/shown.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

using wire::Message;

const wire::Pointer kError = {{"error"}}, kResult = {{"result"}};

// Requests with the same id in flight whose recorded answers are compared with an answer.
constexpr size_t kMaxSameId = 64;

}  // namespace

Matcher::Matcher(const Script* script, Frames* frames, const Declarations* declared,
                 Bindings* bindings, Progress* progress, Options options, ReplayReport* report)
    : script_(script),
      frames_(frames),
      declared_(declared),
      bindings_(bindings),
      progress_(progress),
      options_(options),
      report_(report),
      scopes_(*declared),
      comparer_(script, frames, declared, bindings, &ids_),
      rules_(script, frames, declared, progress),
      log_(script, bindings, report) {
  for (StepIndex i = 0; i < script->steps.size(); ++i) {
    const Step& step = script->steps[i];
    if (!expects(step.direction) || progress->done(i)) continue;
    if (!step.is_volatile) ++report->expected;
    if (IsAnswer(step.kind) && step.other != kNoStep) continue;
    step.chunked ? AddChunk(i) : expected_.Add(*script, i);
  }
  for (const Mark& mark : script->marks) {
    if (mark.type == Mark::Type::kJunk) junk_[static_cast<int>(mark.direction)].push_back(&mark);
  }
}

// Of a live message by itself: an answer has no members of a request.
CallClass Matcher::ClassOf(const Message& message, std::string_view body) {
  return scopes_.Of(message.method, IsAnswer(message.kind) ? std::string_view() : body);
}

Matcher::Match Matcher::OnMessage(Direction direction, const Message& message,
                                  std::string_view body, bool content_length) {
  const std::string_view text = wire::Trimmed(body);
  const Match match = IsAnswer(message.kind) ? OnAnswer(direction, message, text)
                                             : OnOther(direction, message, text);
  if (match.step != kNoStep) CheckFraming(match.step, content_length);
  if (options_.unused != nullptr && !options_.unused->empty()) {
    options_.unused->OnMessage(match.step == kNoStep ? ClassOf(message, text)
                                                     : script_->ClassOf(script_->steps[match.step]),
                               text);
  }
  return match;
}

void Matcher::CheckFraming(StepIndex index, bool content_length) {
  const Step& step = script_->steps[index];
  bool& reported = framing_reported_[static_cast<int>(step.direction)];
  if (reported || step.element || step.content_length == content_length) return;
  reported = true;
  Difference item = log_.ItemOf(DifferenceKind::kFraming, index);
  item.expected = step.content_length ? "content-length" : "line";
  item.got = content_length ? "content-length" : "line";
  item.text = "framed otherwise than recorded (reported once)";
  log_.Add(std::move(item));
}

void Matcher::Accept(StepIndex index, const Message& message, std::string_view body,
                     const Verdict& verdict) {
  const Step& step = script_->steps[index];
  progress_->SetDone(index);
  for (const auto& [slot, live] : verdict.binds.all()) bindings_->Set(slot, live);
  if (message.kind == Kind::kRequest && step.kind == Kind::kRequest && step.json) {
    const std::string_view recorded = comparer_.Body(index);
    const bool dap = (message.flags & wire::kDap) != 0;
    const std::string_view known = dap ? std::string_view() : IdIn(step, recorded);
    const auto id = known.empty() ? wire::ValueAt(recorded, dap ? kSeq : kId) : known;
    if (id) LearnId(step, *id, message.id.token);
  }
  if (step.is_volatile) return;
  if (verdict.equal()) {
    ++report_->matched;
  } else {
    ReportDiffers(index, message, body, verdict);
  }
}

void Matcher::LearnId(const Step& step, std::string_view recorded, std::string_view live) {
  ids_.Learn(step.direction, recorded, live);
  bindings_->SetId(recorded, live);
}

// What OnMessage would do with equal bytes, without a look at them.
bool Matcher::OnRecorded(StepIndex index) {
  const Step& step = script_->steps[index];
  if (progress_->done(index) || step.chunked || !comparer_.ByBytes(step)) return false;
  const std::string id(IdIn(step, comparer_.Body(index)));
  if (id.empty()) return false;
  if (step.kind == Kind::kRequest) {
    ExpectedMessages* queue = expected_.Find(
        {script_->methods[step.method], step.direction, step.kind, step.is_volatile});
    if (queue == nullptr || queue->FirstWaiting(*progress_) != index) return false;
    queue->Use(index);
  } else {
    const Direction requests = Opposite(step.direction);
    const OpenRequests::Found found = open_.Find(requests, id);
    const bool only = found.steps != nullptr && found.id == id && found.steps->size() == 1;
    if (!only || step.other == kNoStep || found.steps->front() != step.other) return false;
    open_.Answer(requests, found, 0);
  }
  progress_->SetDone(index);
  if (step.kind == Kind::kRequest) LearnId(step, id, id);
  if (!step.is_volatile) ++report_->matched;
  CheckOrder(index);
  CheckFraming(index, step.content_length);
  return true;
}

void Matcher::ReportDiffers(StepIndex index, const Message& message, std::string_view body,
                            const Verdict& verdict) {
  const Step& step = script_->steps[index];
  Difference item =
      log_.ItemOf(verdict.inconsistent || verdict.wrong_form ? DifferenceKind::kInconsistent
                                                             : DifferenceKind::kDiffers,
                  index);
  DifferenceLog::SetPlace(verdict.differences.front(), &item);
  comparer_.DescribeItems(index, body, &item);
  if (verdict.inconsistent) {
    item.text = "a bound value is not the one that the peer sent before";
    // The value is another one on each run; that it is the recorded one says something.
    if (item.got != item.expected) item.got = "<other>";
  } else if (verdict.wrong_form) {
    item.text = "a generated value has not the form of the recorded one";
  } else if (verdict.wrong_id) {
    item.text = "the id of another request than recorded";
  } else if (step.kind != message.kind) {
    item.text = std::string("a recorded ") + std::string(wire::Name(step.kind)) + " came as " +
                std::string(wire::Name(message.kind));
    // The error text explains most, so it comes first.
    const bool error = message.kind == Kind::kError;
    const auto instead =
        wire::IsLooseJson(body) ? wire::ValueAt(body, error ? kError : kResult) : std::nullopt;
    if (instead) {
      item.text += ": " + wire::Escaped(bindings_->Named(Shown(*instead)));
    }
  }
  log_.Add(std::move(item));
  if (!options_.variations) return;
  options_.variations->OnVariation({.step = index,
                                    .method = script_->methods[step.method],
                                    .recorded = comparer_.Body(index),
                                    .live = body,
                                    .differences = verdict.differences});
}

// After the step was accepted.
void Matcher::CheckOrder(StepIndex index) {
  const Step& step = script_->steps[index];
  if (step.is_volatile || step.floating) return;
  const auto number = [&](StepIndex i) { return std::to_string(script_->steps[i].number); };
  const auto add = [&](DifferenceKind kind, std::string text, std::optional<StepIndex> of = {}) {
    Difference item = log_.ItemOf(kind, of.value_or(index));
    item.text = std::move(text);
    log_.Add(std::move(item));
  };
  if (options_.in_order) {
    if (const auto missing = rules_.MissingBefore(index)) {
      add(DifferenceKind::kOrder,
          "came before message " + number(*missing) + ", after which it was recorded");
    }
  } else if (step.kind == Kind::kNotification) {
    if (const auto later = rules_.OnNotification(index)) {
      add(DifferenceKind::kOrder,
          "came after message " + number(*later) + ", before which it was recorded");
    }
  }
  const auto early = [&](StepIndex answer, std::optional<StepIndex> of = {}) {
    add(DifferenceKind::kEarly,
        "came before our answer to its " + script_->methods[script_->steps[answer].method] +
            " (message " + number(script_->steps[answer].other) + ")",
        of);
  };
  if (IsAnswer(step.kind)) {
    const std::vector<StepIndex> unsent = rules_.UnsentBeforeAnswer(index);
    if (!unsent.empty()) early(unsent.front());
    for (const StepIndex answer : unsent) progress_->SetDoubtful(script_->steps[answer].other);
  } else if (step.kind == Kind::kRequest) {
    if (const auto unsent = rules_.UnsentBeforeCall(index)) early(*unsent);
    if (const auto later = rules_.CallBefore(index)) early(step.other, *later);
  }
}

Matcher::Match Matcher::OnAnswer(Direction direction, const Message& message,
                                 std::string_view body) {
  const Direction requests = Opposite(direction);
  const OpenRequests::Found found = open_.Find(requests, message.id.token);
  if (found.steps == nullptr) return OnOther(direction, message, body);
  const std::vector<StepIndex> open = *found.steps;

  // The same id may be in flight twice; its answers may come in either order.
  size_t chosen = 0;
  Verdict verdict;
  bool compared = false;
  for (size_t i = 0; i < std::min(open.size(), kMaxSameId); ++i) {
    if (open[i] == kNoStep || script_->steps[open[i]].other == kNoStep) continue;
    Verdict other = comparer_.Compare(script_->steps[open[i]].other, message, body,
                                      options_.variations ? kMaxPlaces : 1);
    if (std::exchange(compared, true) && !other.equal()) continue;
    chosen = i;
    verdict = std::move(other);
    if (verdict.equal()) break;
  }
  const StepIndex request = open[chosen];
  open_.Answer(requests, found, chosen);
  if (request == kNoStep) return {};  // the answer to a request that is not in the trace
  const StepIndex expected = script_->steps[request].other;
  if (expected == kNoStep) {
    if (script_->cut_off || script_->steps[request].is_volatile) return {};
    Difference item = log_.ItemOf(DifferenceKind::kUnexpected, request);
    item.direction = direction;
    item.kind = message.kind;
    item.got = Shown(body);
    item.text = "this request was never answered in the trace";
    log_.Add(std::move(item));
    return {};
  }
  if (found.id != message.id.token) {
    const std::string_view recorded = comparer_.Body(expected);
    const auto id = script_->steps[expected].json ? wire::ValueAt(recorded, kId) : std::nullopt;
    verdict.differences.insert(verdict.differences.begin(),
                               {"/id", Shown(id.value_or("")), Shown(message.id.token)});
  }
  Accept(expected, message, body, verdict);
  CheckOrder(expected);
  return {.step = expected};
}

Matcher::Match Matcher::OnOther(Direction direction, const Message& message,
                                std::string_view body) {
  if (options_.variations && message.kind == Kind::kNotification) {
    options_.variations->OnNotification(message.method, body);
  }
  const CallClass of = ClassOf(message, body);
  if (const std::optional<Match> match = OnChunk(direction, of, message, body)) return *match;
  const Expectations::Key key = {message.method, direction, message.kind,
                                 !IsAnswer(message.kind) && declared_->Volatile(of)};
  ExpectedMessages* queue = expected_.Find(key);
  if (queue != nullptr && queue->FirstWaiting(*progress_) != kNoStep) {
    return Take(key, queue, message, body);
  }
  return Extra(key, queue, message, body);
}

Matcher::Match Matcher::Take(const Expectations::Key& key, ExpectedMessages* queue,
                             const Message& message, std::string_view body) {
  StepIndex best = queue->FirstWaiting(*progress_);
  Verdict verdict = comparer_.Compare(best, message, body, enough());
  const auto try_all = [&](const std::vector<StepIndex>& steps) {
    for (const StepIndex step : steps) {
      if (verdict.equal()) return;
      Verdict other = comparer_.Compare(step, message, body, enough());
      // Of equally similar ones, the first.
      if (other.differences.size() >= verdict.differences.size()) continue;
      best = step;
      verdict = std::move(other);
    }
  };
  // An id of another type is no other content.
  const auto only_id = [&verdict] {
    return std::all_of(verdict.differences.begin(), verdict.differences.end(),
                       [](const ValueDifference& item) { return item.pointer == "/id"; });
  };
  if (!verdict.equal()) {
    try_all(queue->WithContent(body, *progress_, &comparer_, *bindings_));
    if (!only_id()) try_all(queue->Waiting(*progress_, kMaxTried));
  }
  if (!verdict.equal() && !script_->steps[best].is_volatile) {
    if (options_.mock && message.kind == Kind::kRequest && !only_id()) {
      if (const auto again = OnceMore(key, queue, message, body)) return *again;
      if (OnlyNames(best, message, body)) {
        std::erase_if(verdict.differences, [&](const ValueDifference& item) {
          return IsOfHost(*declared_, message.method, item);
        });
      }
    }
    if (options_.exact_requests && message.kind == Kind::kRequest && !verdict.equal() &&
        !only_id()) {
      return Refuse(key, queue, best, verdict, message, body);
    }
    if (MayWait(key, *queue, body, best)) {
      undecided_[key].push_back({message, std::string(body), log_.from()});
      undecided_bytes_ += body.size();
      Cover(key, queue);
      return {.undecided = true};
    }
  }
  queue->Use(best);
  Accept(best, message, body, verdict);
  CheckOrder(best);
  Cover(key, queue);
  return {.step = best};
}

void Matcher::OnJunk(Direction direction, std::string_view bytes, std::string_view text) {
  auto& recorded = junk_[static_cast<int>(direction)];
  Difference item = {
      .difference = DifferenceKind::kJunk, .direction = direction, .got = Shown(bytes)};
  item.text = text;
  if (!recorded.empty()) {
    const Mark& mark = *recorded.front();
    recorded.pop_front();
    const Result<std::string_view> expected = frames_->Get(mark.at, mark.size);
    if (expected && SameButForDigits(*expected, bytes)) return;
    if (expected) {
      trace::ShownPair shown = trace::ShowPair(*expected, bytes);
      item.expected = std::move(shown.expected);
      item.got = std::move(shown.got);
    }
  }
  log_.Add(std::move(item));
}

uint64_t Matcher::ReportMissing(StepIndex limit) {
  for (auto& [key, undecided] : std::exchange(undecided_, {})) Decide(key, std::move(undecided));
  uint64_t behind = 0;
  for (StepIndex i = 0; i < script_->steps.size(); ++i) {
    const Step& step = script_->steps[i];
    if (progress_->done(i) || step.is_volatile || !expects(step.direction)) continue;
    const bool requested =
        !IsAnswer(step.kind) || step.other == kNoStep || progress_->done(step.other);
    if (i >= limit || !requested) {
      ++behind;
      continue;
    }
    if (step.chunked && !chunks_.IsNext(i)) continue;  // one for each text
    Difference item = log_.ItemOf(DifferenceKind::kMissing, i);
    item.expected = Shown(comparer_.Body(i));
    item.text = step.chunked          ? "the text ends before the end of this"
                : IsAnswer(step.kind) ? "this request was not answered"
                                      : "not received";
    log_.Add(std::move(item));
  }
  return behind;
}

void ReportBindings(const Bindings& bindings, ReplayReport* report) {
  const std::vector<Slot>& slots = bindings.slots();
  for (size_t i = 0; i < std::min(slots.size(), kMaxDifferences); ++i) {
    const Slot& slot = slots[i];
    report->bindings.push_back({.name = "b" + std::to_string(i + 1),
                                .from = slot.from,
                                .to = slot.to,
                                .recorded = Shown(slot.recorded),
                                .replaced = !slot.live.empty() && slot.live != slot.recorded,
                                .renamed = slot.renamed});
  }
}

}  // namespace midwire::replay
