// Matcher: texts that come in pieces, and changed notifications, which are decided on at the end.
#include <algorithm>
#include <tuple>
#include <utility>

#include "replay/match/matcher.h"
#include "replay/match/shown.h"

namespace midwire::replay {

using wire::Message;

void Matcher::AddChunk(StepIndex index) {
  const Step& step = script_->steps[index];
  const std::string body(comparer_.Body(index));
  const Place* at = ChunkPlace(*declared_, script_->ClassOf(step), body);
  chunks_.Add(GroupOf(step), index, at, [&](StepIndex first) {
    return replay::Compare(comparer_.Body(first), body, {.places = &comparer_.RulesOf(step, at)},
                           [](const ValueDifference&) { return false; });
  });
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
  if (!verdict.equal()) DifferenceLog::SetPlace(verdict.differences.front(), &item);
  log_.Add(std::move(item));
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
  std::sort(undecided.begin(), undecided.end(), [](const Undecided& a, const Undecided& b) {
    return std::tie(a.body, a.from) < std::tie(b.body, b.from);
  });
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
    log_.From(it.from);
    Accept(pair.step, it.message, it.body,
           comparer_.Compare(pair.step, it.message, it.body, enough()));
    decided[pair.message] = true;
  }
  for (size_t i = 0; i < undecided.size(); ++i) {
    if (decided[i]) continue;
    log_.From(undecided[i].from);
    Extra(key, queue, undecided[i].message, undecided[i].body);
  }
  log_.From(0);
}

}  // namespace midwire::replay
