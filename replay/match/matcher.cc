#include "replay/match/matcher.h"

#include <algorithm>
#include <tuple>
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

void Matcher::AddChunk(StepIndex index) {
  const Step& step = script_->steps[index];
  const std::string body(comparer_.Body(index));
  const Place* at = ChunkPlace(*declared_, script_->ClassOf(step), body);
  chunks_.Add(GroupOf(step), index, at, [&](StepIndex first) {
    return replay::Compare(comparer_.Body(first), body, {.places = &comparer_.RulesOf(step, at)},
                           [](const ValueDifference&) { return false; });
  });
}

Matcher::Match Matcher::OnMessage(Direction direction, const Message& message,
                                  std::string_view body, bool content_length) {
  const std::string_view text = wire::Trimmed(body);
  const Match match = IsAnswer(message.kind) ? OnAnswer(direction, message, text)
                                             : OnOther(direction, message, text);
  if (match.step != kNoStep) CheckFraming(match.step, content_length);
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
    if (const auto id = wire::ValueAt(recorded, message.flags & wire::kDap ? kSeq : kId)) {
      ids_.Learn(step.direction, *id, message.id.token);
      bindings_->SetId(*id, message.id.token);
    }
  }
  if (step.is_volatile) return;
  if (verdict.equal()) {
    ++report_->matched;
  } else {
    ReportDiffers(index, message, body, verdict);
  }
}

void Matcher::ReportDiffers(StepIndex index, const Message& message, std::string_view body,
                            const Verdict& verdict) {
  const Step& step = script_->steps[index];
  const ValueDifference& first = verdict.differences.front();
  Difference item =
      log_.ItemOf(verdict.inconsistent || verdict.wrong_form ? DifferenceKind::kInconsistent
                                                             : DifferenceKind::kDiffers,
                  index);
  item.pointer = first.pointer;
  item.expected = first.expected;
  item.got = first.got;
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

// A piece of a text: compared with what is left of the text that it belongs to.
std::optional<Matcher::Match> Matcher::OnChunk(Direction direction, const CallClass& of,
                                               const Message& message, std::string_view body) {
  if (declared_->chunked.empty() || message.kind != Kind::kNotification) return std::nullopt;
  const Place* at = ChunkPlace(*declared_, of, body);
  if (!at || declared_->Volatile(of)) return std::nullopt;
  const auto method = std::find(script_->methods.begin(), script_->methods.end(), message.method);
  const uint64_t group = GroupOf(
      {.method = static_cast<uint32_t>(method - script_->methods.begin()), .direction = direction});
  Verdict verdict;
  const auto stream = chunks_.Find(group, [&](StepIndex first) {
    verdict = comparer_.Compare(first, message, body, 1, at);
    return verdict.equal();
  });
  if (!stream) {
    if (chunks_.FirstOf(group) == kNoStep) return std::nullopt;
    ReportStrayChunk(chunks_.FirstOf(group), verdict, body);
    return Match{};
  }
  for (const auto& [slot, live] : verdict.binds.all()) bindings_->Set(slot, live);
  const Chunks::Received received =
      chunks_.OnPiece(*stream, body, [this](StepIndex step) { return comparer_.Body(step); });
  for (const StepIndex done : received.done) progress_->SetDone(done);
  if (!received.differs) {
    report_->matched += received.done.size();
    return Match{.step = received.step};
  }
  Difference item = log_.ItemOf(DifferenceKind::kDiffers, received.step);
  item.pointer = wire::PointerText(at->pointer);
  item.expected = Shown(received.expected);
  item.got = Shown(received.got);
  item.text = received.expected.empty() ? "the text goes on after its recorded end"
                                        : "the text differs from here on";
  log_.Add(std::move(item));
  return Match{.step = received.step};
}

void Matcher::ReportStrayChunk(StepIndex first, const Verdict& verdict, std::string_view body) {
  Difference item = log_.ItemOf(DifferenceKind::kExtra, first);
  item.closest = std::exchange(item.frame, 0);
  item.got = Shown(body);
  item.text = "of none of the recorded texts";
  if (options_.variations) item.call = options_.variations->CallOf(item.method, body);
  if (!verdict.equal()) {
    item.pointer = verdict.differences.front().pointer;
    item.expected = verdict.differences.front().expected;
    item.got = verdict.differences.front().got;
  }
  log_.Add(std::move(item));
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
      undecided_[key].push_back({message, std::string(body)});
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
// type of its id. A note says where.
bool Matcher::OnlyNames(StepIndex step, const Message& message, std::string_view body) {
  const Verdict verdict = comparer_.Compare(step, message, body, kMaxPlaces);
  if (verdict.equal() || verdict.differences.size() >= kMaxPlaces) return false;
  const auto names = [&](const ValueDifference& item) {
    return item.pointer == "/id" || IsOfHost(*declared_, message.method, item);
  };
  if (!std::all_of(verdict.differences.begin(), verdict.differences.end(), names)) return false;
  const ValueDifference& first = verdict.differences.front();
  report_->notes.push_back("another host than recorded: " + first.pointer + " is " +
                           wire::Escaped(first.got.empty() ? "missing" : first.got) + ", not " +
                           wire::Escaped(first.expected.empty() ? "missing" : first.expected));
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
                     .method = message.method,
                     .pointer = first.pointer,
                     .expected = first.expected,
                     .got = first.got};
  item.text = "not in the trace with this content";
  log_.Add(std::move(item));
  return {.closest = NumberAndPlace(nearest, first)};
}

// Whether the decision about a changed notification can wait. One that teaches a bound value
// cannot, and with --update each is decided when it arrives.
bool Matcher::MayWait(const Expectations::Key& key, const ExpectedMessages& queue,
                      std::string_view body, StepIndex nearest) {
  if (key.kind != Kind::kNotification || options_.at_once || options_.in_order) return false;
  if (script_->steps[nearest].element || queue.bound(*script_)) return false;
  return undecided_[key].size() < kMaxUndecided &&
         undecided_bytes_ + body.size() <= kMaxUndecidedBytes;
}

// Nothing waits for as many recordings as there are undecided messages: one each is its recording.
void Matcher::Cover(const Expectations::Key& key, ExpectedMessages* queue) {
  const auto undecided = undecided_.find(key);
  if (undecided == undecided_.end()) return;
  for (const StepIndex step : queue->Waiting(*progress_, undecided->second.size())) {
    progress_->SetCovered(step);
  }
}

// The most similar pairs of messages and recordings that never came belong together; what remains
// is additional. The order of arrival makes no difference.
void Matcher::Decide(const Expectations::Key& key, std::vector<Undecided> undecided) {
  ExpectedMessages* queue = expected_.Find(key);
  std::sort(undecided.begin(), undecided.end(),
            [](const Undecided& a, const Undecided& b) { return a.body < b.body; });
  struct Pair {
    size_t differences;
    StepIndex step;
    size_t message;
  };
  std::vector<Pair> pairs;
  const std::vector<StepIndex> waiting = queue->Waiting(*progress_, kMaxUndecided);
  for (size_t i = 0; i < undecided.size(); ++i) {
    for (const StepIndex step : waiting) {
      const Verdict verdict =
          comparer_.Compare(step, undecided[i].message, undecided[i].body, kMaxPlaces);
      pairs.push_back({verdict.differences.size(), step, i});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.differences, a.step, a.message) < std::tie(b.differences, b.step, b.message);
  });
  std::vector<bool> decided(undecided.size(), false);
  for (const Pair& pair : pairs) {
    if (decided[pair.message] || progress_->done(pair.step)) continue;
    const Undecided& it = undecided[pair.message];
    queue->Use(pair.step);
    Accept(pair.step, it.message, it.body,
           comparer_.Compare(pair.step, it.message, it.body, enough()));
    decided[pair.message] = true;
  }
  for (size_t i = 0; i < undecided.size(); ++i) {
    if (!decided[i]) Extra(key, queue, undecided[i].message, undecided[i].body);
  }
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
    item->pointer = best.differences.front().pointer;
    item->expected = best.differences.front().expected;
    item->got = best.differences.front().got;
    match.closest = NumberAndPlace(match.nearest, best.differences.front());
  }
  return match;
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
    if (expected) item.expected = Shown(*expected);
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
