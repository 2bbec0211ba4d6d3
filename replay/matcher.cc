#include "replay/matcher.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "wire/json/decimal.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

using wire::Message;
using wire::Path;

const wire::Pointer kError = {{"error"}}, kResult = {{"result"}};
// Ignored in every message: ids are matched separately.
constexpr size_t kUsualIgnores = 3;
const wire::Pointer kId = {{"id"}}, kSeq = {{"seq"}}, kRequestSeq = {{"request_seq"}};

bool IsNumber(std::string_view token) { return !token.empty() && token[0] != '"'; }

bool SameScalar(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const wire::JsonType type = wire::TypeOf(a);
  if (type != wire::TypeOf(b)) return false;
  if (type == wire::JsonType::kString) return wire::SameString(a, b);
  return type == wire::JsonType::kNumber && wire::SameNumber(a, b);
}

// For reports: a request's id is chosen by the peer and often contains a pid, and reports must not
// differ from run to run. Its type is kept.
std::string ShownId(std::string_view id) {
  if (id.starts_with('"')) return "\"<id>\"";
  return id == "null" ? "null" : "<id>";
}

std::string ShownRequest(std::string_view body, const wire::Pointer& at) {
  const auto id = wire::IsLooseJson(body) ? wire::ValueAt(body, at) : std::nullopt;
  if (!id) return Shown(body);
  const size_t start = static_cast<size_t>(id->data() - body.data());
  std::string text(body.substr(0, start));
  text += ShownId(*id);
  text += body.substr(start + id->size());
  return Shown(text);
}

wire::Pointer PointerOf(const Path& path) {
  wire::Pointer pointer;
  for (const wire::PathStep& step : path) {
    pointer.steps.push_back(step.name.empty() ? std::to_string(step.index)
                                              : wire::StringValue(step.name));
  }
  return pointer;
}

// Digits are replaced, so that a banner with another pid or time counts as the same.
bool SameButForDigits(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      while (i < a.size() && is_digit(a[i])) ++i;
      while (j < b.size() && is_digit(b[j])) ++j;
    } else if (a[i++] != b[j++]) {
      return false;
    }
  }
  return i == a.size() && j == b.size();
}

}  // namespace

bool Matcher::QueueKey::operator<(const QueueKey& other) const {
  return std::tie(method, direction, kind) < std::tie(other.method, other.direction, other.kind);
}

Matcher::Matcher(const Script* script, Frames* frames, const Declarations* declared,
                 Bindings* bindings, Options options, ReplayReport* report)
    : script_(script),
      frames_(frames),
      declared_(declared),
      bindings_(bindings),
      options_(options),
      report_(report),
      arrived_(script->steps.size(), false) {
  for (StepIndex i = 0; i < script->steps.size(); ++i) {
    const Step& step = script->steps[i];
    if (!options.expected[static_cast<int>(step.direction)]) continue;
    if (step.kind == Kind::kBatch && i + 1 < script->steps.size() && script->steps[i + 1].element) {
      // Its elements are expected one by one: the peer may batch them otherwise.
      arrived_[i] = true;
      continue;
    }
    ++report->expected;
    if (IsAnswer(step.kind) && step.other != kNoStep) continue;
    queues_[{script->methods[step.method], step.direction, step.kind}].waiting.push_back(i);
  }
  for (const Mark& mark : script->marks) {
    if (mark.type == Mark::Type::kJunk) junk_[static_cast<int>(mark.direction)].push_back(&mark);
  }
}

std::string_view Matcher::Body(StepIndex index) {
  const Step& step = script_->steps[index];
  const Result<std::string_view> frame = frames_->Get(step.at, step.size);
  if (!frame) return "";  // a disk error: an empty body differs from everything
  return BodyOf(step, *frame);
}

const std::vector<const wire::Pointer*>& Matcher::IgnoresOf(uint32_t method) {
  const auto [found, fresh] = ignores_.try_emplace(method);
  if (fresh) {
    found->second = {&kId, &kSeq, &kRequestSeq};  // kUsualIgnores
    for (const Place& place : declared_->ignores) {
      if (place.OfMethod(script_->methods[method])) found->second.push_back(&place.pointer);
    }
  }
  return found->second;
}

std::string_view Matcher::LiveId(Direction direction, std::string_view recorded) const {
  const auto& ids = ids_[static_cast<int>(direction)];
  if (ids.empty()) return recorded;
  const auto found = ids.find(std::string(recorded));
  return found == ids.end() ? recorded : std::string_view(found->second);
}

void Matcher::LearnId(Direction direction, std::string_view recorded, std::string_view live) {
  auto& ids = ids_[static_cast<int>(direction)];
  if (recorded == live) {
    if (!ids.empty()) ids.erase(std::string(recorded));
  } else if (ids.size() < wire::kMaxOpenRequests) {
    ids[std::string(recorded)] = live;
  }
}

// A value at an ignored place is not compared, but our messages may still repeat it.
void Matcher::LearnIgnored(std::string_view method, std::string_view recorded,
                           std::string_view body, Binds* binds) const {
  if (!wire::IsLooseJson(recorded) || !wire::IsLooseJson(body)) return;
  size_t tried = 0;
  wire::WalkScalars(recorded, [&](const Path& path, std::string_view value) {
    if (tried == kMaxTried) return;
    const std::optional<SlotIndex> slot = bindings_->Find(method, path, value);
    if (!slot || !bindings_->IsSource(*slot, method, path)) return;
    if (binds->Find(*slot)) return;
    ++tried;
    const auto live = wire::ValueAt(body, PointerOf(path));
    if (live && live->size() <= kMaxLiveValue && wire::TypeOf(*live) == wire::TypeOf(value)) {
      binds->Add(*slot, *live);
    }
  });
}

Matcher::Verdict Matcher::Compare(StepIndex index, const Message& message, std::string_view body,
                                  size_t enough) {
  Verdict verdict;
  const Step& step = script_->steps[index];
  const std::string_view recorded = Body(index);
  const std::string& method = script_->methods[step.method];
  std::vector<std::pair<const EmbeddedId*, Direction>> embedded;
  for (const EmbeddedId& id : declared_->ids) {
    const Direction of = id.whose == IdOf::kSender ? step.direction : Opposite(step.direction);
    if (AnyLiveIds(of) && id.at.OfMethod(method)) embedded.emplace_back(&id, of);
  }
  if (!step.bound && embedded.empty() && recorded == body) return verdict;
  const auto live_of = [&](SlotIndex slot) -> std::string_view {
    const std::string* live = verdict.binds.Find(slot);
    return live ? *live : bindings_->slot(slot).live;
  };
  const auto judge = [&](const Path& path, std::string_view expected, std::string_view got) {
    for (const auto& [id, of] : embedded) {
      if (!wire::Matches(id->at.pointer, path)) continue;
      const std::string_view live = LiveId(of, expected);
      if (live == expected) continue;
      if (SameScalar(live, got)) return Judgement::kSame;
      verdict.wrong_id = verdict.differences.empty();
      return Judgement::kDifferent;
    }
    if (!step.bound) return Judgement::kByValue;
    const std::optional<SlotIndex> slot = bindings_->Find(method, path, expected);
    if (!slot) return Judgement::kByValue;
    if (wire::TypeOf(expected) != wire::TypeOf(got)) return Judgement::kDifferent;
    const std::string_view live = live_of(*slot);
    if (!live.empty() && SameScalar(live, got)) return Judgement::kSame;
    if (got.size() > kMaxLiveValue) return Judgement::kDifferent;
    if (live.empty() || bindings_->IsSource(*slot, method, path)) {
      verdict.binds.Add(*slot, got);
      return Judgement::kSame;
    }
    if (verdict.differences.empty()) verdict.inconsistent = true;  // the one that is reported
    return Judgement::kDifferent;
  };
  CompareRules rules = {.ignores = &IgnoresOf(step.method)};
  if (step.bound || !embedded.empty()) {
    rules.judge = judge;
    rules.judge_equals = true;
  }
  if (const PathMap& paths = declared_->same_paths; paths.any()) {
    rules.same_text = [&paths](std::string_view expected, std::string_view got) {
      return paths.MayFind(got) && paths.Map(wire::StringValue(got)) == wire::StringValue(expected);
    };
  }
  replay::Compare(recorded, body, rules, [&](ValueDifference difference) {
    if (verdict.differences.size() < enough) verdict.differences.push_back(std::move(difference));
    // A value that differs here may be a binding: later messages must not fail because of it.
    return verdict.differences.size() < enough || step.bound;
  });
  if (step.bound && rules.ignores->size() > kUsualIgnores) {
    LearnIgnored(method, recorded, body, &verdict.binds);
  }
  if (message.kind == Kind::kRequest && step.kind == Kind::kRequest) {
    const auto id = step.json ? wire::ValueAt(recorded, kId) : std::nullopt;
    if (id && wire::TypeOf(*id) != wire::TypeOf(message.id.token)) {
      verdict.differences.push_back({"/id", Shown(*id), ShownId(message.id.token)});
    }
  }
  return verdict;
}

Difference Matcher::ItemOf(DifferenceKind kind, StepIndex index) const {
  const Step& step = script_->steps[index];
  return {.difference = kind,
          .frame = step.number,
          .direction = step.direction,
          .kind = step.kind,
          .method = script_->methods[step.method]};
}

void Matcher::Add(Difference item) {
  if (++report_->difference_count > kMaxDifferences) {
    report_->more_disorder = report_->more_disorder || IsDisorder(item.difference);
    return;
  }
  item.got = bindings_->Named(std::move(item.got));
  report_->differences.push_back(std::move(item));
}

Matcher::Match Matcher::OnMessage(Direction direction, const Message& message,
                                  std::string_view body, bool content_length) {
  const std::string_view text = wire::Trimmed(body);
  const Match match = IsAnswer(message.kind) ? OnAnswer(direction, message, text)
                                             : OnOther(direction, message, text);
  bool& told = framing_reported_[static_cast<int>(direction)];
  if (match.step != kNoStep && !told) {
    const Step& step = script_->steps[match.step];
    if (!step.element && step.content_length != content_length) {
      told = true;
      Difference item = ItemOf(DifferenceKind::kFraming, match.step);
      item.expected = step.content_length ? "content-length" : "line";
      item.got = content_length ? "content-length" : "line";
      item.text = "framed otherwise than recorded (reported once)";
      Add(std::move(item));
    }
  }
  return match;
}

void Matcher::Accept(StepIndex index, const Message& message, std::string_view body,
                     const Verdict& verdict) {
  const Step& step = script_->steps[index];
  arrived_[index] = true;
  for (const auto& [slot, live] : verdict.binds.all) bindings_->Set(slot, live);
  if (message.kind == Kind::kRequest && step.kind == Kind::kRequest && step.json) {
    const std::string_view recorded = Body(index);
    if (const auto id = wire::ValueAt(recorded, message.flags & wire::kDap ? kSeq : kId)) {
      LearnId(step.direction, *id, message.id.token);
    }
  }
  if (verdict.equal() || step.is_volatile) {
    ++report_->matched;
  } else {
    const ValueDifference& first = verdict.differences.front();
    Difference item = ItemOf(
        verdict.inconsistent ? DifferenceKind::kInconsistent : DifferenceKind::kDiffers, index);
    item.pointer = first.pointer;
    item.expected = first.expected;
    item.got = first.got;
    if (verdict.inconsistent) {
      item.text = "a bound value is not the one that the peer sent before";
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
    Add(std::move(item));
    if (options_.all_places && varying_.size() < kMaxDifferences) {
      for (const ValueDifference& difference : verdict.differences) {
        varying_.push_back(
            {script_->methods[step.method] + ":" + difference.pointer, difference.got});
      }
    }
  }
  CheckOrder(index);
}

void Matcher::CheckOrder(StepIndex index) {
  const Step& step = script_->steps[index];
  if (step.is_volatile) return;
  const auto late = [&](StepIndex before) {
    Difference item = ItemOf(DifferenceKind::kOrder, index);
    item.text = "came after message " + std::to_string(script_->steps[before].number) +
                ", before which it was recorded";
    Add(std::move(item));
  };
  if (options_.in_order) {
    while (in_order_ < index &&
           (arrived_[in_order_] || script_->steps[in_order_].is_volatile ||
            !options_.expected[static_cast<int>(script_->steps[in_order_].direction)])) {
      ++in_order_;
    }
    if (in_order_ < index) {
      Difference item = ItemOf(DifferenceKind::kOrder, index);
      item.text = "came before message " + std::to_string(script_->steps[in_order_].number) +
                  ", after which it was recorded";
      Add(std::move(item));
    }
    return;
  }
  if (step.kind != Kind::kNotification) return;
  uint64_t key = uint64_t{step.method} * 2 + static_cast<uint64_t>(step.direction);
  const std::string& method = script_->methods[step.method];
  for (const Bind& bind : declared_->binds) {
    if (!step.json || bind.to.method.empty() || !bind.to.OfMethod(method)) continue;
    if (const auto token = wire::ValueAt(Body(index), bind.to.pointer)) {
      key ^= std::hash<std::string_view>()(*token) | 1u << 31;
      break;
    }
  }
  const auto [latest, first] = latest_.try_emplace(key, index);
  if (first) return;
  if (latest->second > index) return late(latest->second);
  latest->second = index;
}

// The open requests with that id, else with one that differs only in spelling or type ("1",
// 1, 1.0).
Matcher::Open::iterator Matcher::FindOpen(Open* open, const std::string& token) const {
  if (const auto found = open->find(token); found != open->end()) return found;
  if (token.size() > 2 && token.front() == '"') {
    const auto found = open->find(token.substr(1, token.size() - 2));
    return found != open->end() && IsNumber(found->first) ? found : open->end();
  }
  if (const auto found = open->find('"' + token + '"'); found != open->end()) return found;
  const auto number = [](std::string_view id) { return IsNumber(id) && id != "null"; };
  if (open->size() > kMaxTried || !number(token)) return open->end();
  return std::find_if(open->begin(), open->end(), [&](const auto& other) {
    return number(other.first) && wire::SameNumber(other.first, token);
  });
}

Matcher::Match Matcher::OnAnswer(Direction direction, const Message& message,
                                 std::string_view body) {
  const Direction requests = Opposite(direction);
  Open& table = open_[static_cast<int>(requests)];
  const Open::iterator found = FindOpen(&table, message.id.token);
  if (found == table.end()) return OnOther(direction, message, body);
  const bool respelt = found->first != message.id.token;
  std::vector<StepIndex>* open = &found->second;

  // The same id may be in flight twice; its answers may come in either order.
  size_t chosen = 0;
  Verdict verdict;
  bool held = false;
  const size_t enough = options_.all_places ? kMaxPlaces : 1;
  for (size_t i = 0; i < std::min(open->size(), kMaxTried); ++i) {
    const StepIndex request = (*open)[i];
    if (request == kNoStep || script_->steps[request].other == kNoStep) continue;
    Verdict other = Compare(script_->steps[request].other, message, body, enough);
    if (std::exchange(held, true) && !other.equal()) continue;
    chosen = i;
    verdict = std::move(other);
    if (verdict.equal()) break;
  }
  const StepIndex request = (*open)[chosen];
  open->erase(open->begin() + static_cast<std::ptrdiff_t>(chosen));
  answered_.push_back({requests, found->first, request});
  if (answered_.size() > kMaxAnswered) answered_.pop_front();
  if (open->empty()) table.erase(found);
  if (request == kNoStep) return {};  // the answer to a request that is not in the trace
  const StepIndex expected = script_->steps[request].other;
  if (expected == kNoStep) {
    if (script_->cut_off || script_->steps[request].is_volatile) return {};
    Difference item = ItemOf(DifferenceKind::kUnexpected, request);
    item.direction = direction;
    item.kind = message.kind;
    item.got = Shown(body);
    item.text = "this request was never answered in the trace";
    Add(std::move(item));
    return {};
  }
  if (respelt) {
    const std::string_view recorded = Body(expected);
    const auto id = script_->steps[expected].json ? wire::ValueAt(recorded, kId) : std::nullopt;
    verdict.differences.insert(verdict.differences.begin(),
                               {"/id", Shown(id.value_or("")), Shown(message.id.token)});
  }
  Accept(expected, message, body, verdict);
  return {.step = expected};
}

Matcher::Match Matcher::OnOther(Direction direction, const Message& message,
                                std::string_view body) {
  const auto queue = queues_.find({message.method, direction, message.kind});
  if (queue != queues_.end() && !queue->second.waiting.empty()) {
    return Take(&queue->second, message, body);
  }
  Difference item = {.difference = DifferenceKind::kExtra,
                     .direction = direction,
                     .kind = message.kind,
                     .method = message.method,
                     .got = message.kind == Kind::kRequest
                                ? ShownRequest(body, message.flags & wire::kDap ? kSeq : kId)
                                : Shown(body)};
  if (IsAnswer(message.kind)) {
    const auto answered =
        std::find_if(answered_.rbegin(), answered_.rend(), [&](const Answered& earlier) {
          return earlier.requests == Opposite(direction) && earlier.id == message.id.token;
        });
    const bool doubled = answered != answered_.rend();
    if (doubled && answered->request != kNoStep) {
      const Step& request = script_->steps[answered->request];
      item.method = script_->methods[request.method];
      if (request.other != kNoStep) item.closest = script_->steps[request.other].number;
    }
    item.difference = doubled ? DifferenceKind::kDoubled : DifferenceKind::kUnknown;
    item.text = doubled ? "a second answer to a request that was answered already"
                        : "an answer to no request";
    Add(std::move(item));
    return {};
  }
  if (message.kind == Kind::kInvalid) {
    item.difference = DifferenceKind::kJunk;
    item.text = "JSON that is no JSON-RPC message";
  }
  if (queue == queues_.end()) {
    if (declared_->Volatile(message.method)) return {};
    if (item.text.empty()) item.text = "the trace has no message of this method";
    Add(std::move(item));
    return {};
  }
  if (item.text.empty()) item.text = "once more than recorded";
  const Match match = Nearest(queue->second, message, body, &item);
  // Volatile messages may come more often.
  if (match.nearest == kNoStep || !script_->steps[match.nearest].is_volatile) Add(std::move(item));
  return match;
}

// The most similar one among those that arrived already.
Matcher::Match Matcher::Nearest(const Queue& queue, const Message& message, std::string_view body,
                                Difference* item) {
  Match match;
  Verdict best;
  for (const StepIndex index : queue.used) {
    Verdict verdict = Compare(index, message, body, kMaxPlaces);
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
  }
  return match;
}

Matcher::Match Matcher::Take(Queue* queue, const Message& message, std::string_view body) {
  size_t chosen = 0;
  Verdict best;
  for (size_t i = 0; i < std::min(queue->waiting.size(), kMaxTried); ++i) {
    Verdict verdict =
        Compare(queue->waiting[i], message, body, options_.all_places ? kMaxPlaces : 8);
    if (i == 0 || verdict.differences.size() < best.differences.size()) {
      chosen = i;
      best = std::move(verdict);
    }
    if (best.equal()) break;
  }
  const StepIndex index = queue->waiting[chosen];
  queue->waiting.erase(queue->waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
  queue->used.push_back(index);
  if (queue->used.size() > kMaxTried) queue->used.pop_front();
  Accept(index, message, body, best);
  return {.step = index};
}

void Matcher::OnRequest(Direction direction, std::string_view id, StepIndex step) {
  open_[static_cast<int>(direction)][std::string(id)].push_back(step);
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
  Add(std::move(item));
}

uint64_t Matcher::ReportMissing(StepIndex limit) {
  uint64_t behind = 0;
  for (StepIndex i = 0; i < script_->steps.size(); ++i) {
    const Step& step = script_->steps[i];
    if (arrived_[i] || step.is_volatile || !options_.expected[static_cast<int>(step.direction)]) {
      continue;
    }
    const bool asked = !IsAnswer(step.kind) || step.other == kNoStep || arrived_[step.other];
    if (i >= limit || !asked) {
      ++behind;
      continue;
    }
    Difference item = ItemOf(DifferenceKind::kMissing, i);
    item.expected = Shown(Body(i));
    item.text = IsAnswer(step.kind) ? "this request was not answered" : "not received";
    Add(std::move(item));
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
                                .replaced = !slot.live.empty() && slot.live != slot.recorded});
  }
}

}  // namespace midwire::replay
