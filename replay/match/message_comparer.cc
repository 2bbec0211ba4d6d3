#include "replay/match/message_comparer.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "replay/match/item_changes.h"
#include "replay/values/text_tokens.h"
#include "replay/values/value_form.h"
#include "trace/looks.h"
#include "wire/json/decimal.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

using wire::JsonType;
using wire::Path;

// Ignored in every message: ids are matched separately.
const wire::Pointer* const kIds[] = {&kId, &kSeq, &kRequestSeq};
constexpr size_t kUsualIgnores = std::size(kIds);

// Bound values at ignored places that one message may teach.
constexpr size_t kMaxLearned = 64;

bool SameScalar(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const JsonType type = wire::TypeOf(a);
  if (type != wire::TypeOf(b)) return false;
  if (type == JsonType::kString) return wire::SameString(a, b);
  return type == JsonType::kNumber && wire::SameNumber(a, b);
}

wire::Pointer PointerOf(const Path& path) {
  wire::Pointer pointer;
  for (const wire::PathStep& step : path) {
    pointer.steps.push_back(step.name.empty() ? std::to_string(step.index)
                                              : wire::StringValue(step.name));
  }
  return pointer;
}

// A value as a token of a text.
std::string_view AsToken(std::string_view value) {
  return value.starts_with('"') ? Unquoted(value) : value;
}

}  // namespace

// The rules for one comparison: what differs although its place is bound, and what it would bind.
class MessageComparer::Judging {
 public:
  Judging(const MessageComparer& of, const Step& step, std::vector<Embedded> embedded,
          Verdict* verdict)
      : of_(of),
        step_(step),
        class_(of.script_->ClassOf(step)),
        embedded_(std::move(embedded)),
        verdict_(verdict) {}

  bool any() const { return step_.bound || !embedded_.empty(); }
  // Of the strings that were judged last.
  const trace::Agreed& agreed() const { return agreed_; }

  Judgement Value(const Path& path, std::string_view expected, std::string_view got) {
    why_ = Why::kValue;
    agreed_ = {};
    for (const auto& [id, of] : embedded_) {
      if (!wire::Matches(id->at.pointer, path)) continue;
      const std::string_view live = of_.ids_->Of(of, expected);
      if (live == expected) continue;
      if (SameScalar(live, got)) return Judgement::kSame;
      why_ = Why::kWrongId;
      return Judgement::kDifferent;
    }
    if (!step_.bound) return Judgement::kByValue;
    if (const auto slot = of_.bindings_->Find(class_, path, expected)) {
      return Whole(path, *slot, expected, got);
    }
    if (!expected.starts_with('"')) return Judgement::kByValue;
    std::vector<Token> tokens;
    of_.bindings_->VisitTokens(path, Unquoted(expected), [&](SlotIndex slot, std::string_view at) {
      tokens.push_back({slot, at});
    });
    if (tokens.empty()) return Judgement::kByValue;
    if (!got.starts_with('"')) return Judgement::kDifferent;
    return SameText(path, tokens, Unquoted(expected), Unquoted(got)) ? Judgement::kSame
                                                                     : Judgement::kDifferent;
  }

  // The comparison reports a difference: the first one gives the verdict its reason.
  void OnDifference() {
    if (verdict_->differences.empty()) {
      verdict_->inconsistent = why_ == Why::kInconsistent;
      verdict_->wrong_form = why_ == Why::kWrongForm;
      verdict_->merged = why_ == Why::kMerged;
      verdict_->wrong_id = why_ == Why::kWrongId;
    }
    why_ = Why::kValue;
  }

  // Whether a member's name of the peer stands for a recorded one; both with quotes.
  bool Name(const Path& path, std::string_view expected, std::string_view got) {
    std::vector<Token> tokens;
    of_.bindings_->VisitName(path, [&](SlotIndex slot, std::string_view at) {
      tokens.push_back({slot, at});
    });
    return !tokens.empty() && SameText(path, tokens, Unquoted(expected), Unquoted(got));
  }

 private:
  struct Token {
    SlotIndex slot;
    std::string_view at;  // a span of the expected text
  };

  std::string_view LiveOf(SlotIndex slot) const {
    const std::string* live = verdict_->binds.Find(slot);
    return live ? *live : of_.bindings_->slot(slot).live;
  }

  Judgement Differs() {
    why_ = Why::kInconsistent;
    return Judgement::kDifferent;
  }

  // Whether the slot may get this value, which is another one than it has now, if it has any.
  bool MayBind(const Path& path, SlotIndex index, std::string_view got) const {
    if (got.size() > kMaxLiveValue) return false;
    const Slot& slot = of_.bindings_->slot(index);
    if (!slot.renamed) {
      return LiveOf(index).empty() || of_.bindings_->IsSource(index, class_.method, path);
    }
    if (!LiveOf(index).empty()) return false;
    if (trace::IsUniqueId(AsToken(slot.recorded)) && !trace::IsUniqueId(AsToken(got))) return false;
    for (const auto& other : {of_.bindings_->RenamedTo(got), verdict_->binds.RenamedTo(got)}) {
      if (other && *other != index) return false;
    }
    return true;
  }

  void Bind(SlotIndex slot, std::string_view live) {
    verdict_->binds.Add(slot, live, of_.bindings_->slot(slot).renamed,
                        of_.bindings_->DistinctKey(slot, live));
  }

  // Binds it in any case: our messages repeat what the peer knows. False: it is no good value.
  bool BindGood(SlotIndex slot, std::string_view recorded, std::string_view live) {
    const Bindings& bindings = *of_.bindings_;
    const auto here = verdict_->binds.DistinctOf(bindings.DistinctKey(slot, live));
    const bool merged =
        bindings.MergedWith(slot, live) ||
        (here && *here != slot && bindings.slot(*here).recorded != bindings.slot(slot).recorded);
    Bind(slot, live);
    if (merged) {
      why_ = Why::kMerged;
    } else if (!SameForm(recorded, live)) {
      why_ = Why::kWrongForm;
    } else {
      return true;
    }
    return false;
  }

  Judgement Whole(const Path& path, SlotIndex slot, std::string_view expected,
                  std::string_view got) {
    if (wire::TypeOf(expected) != wire::TypeOf(got)) return Judgement::kDifferent;
    const std::string_view live = LiveOf(slot);
    if (!live.empty() && SameScalar(live, got)) return Judgement::kSame;
    if (got.size() > kMaxLiveValue) return Judgement::kDifferent;
    if (!MayBind(path, slot, got)) return Differs();
    return BindGood(slot, expected, got) ? Judgement::kSame : Judgement::kDifferent;
  }

  // Whether `got` is the expected text with other tokens. Both are spelt as in JSON; where escapes
  // are spelt otherwise, only tokens that are known already are recognized.
  bool SameText(const Path& path, const std::vector<Token>& tokens, std::string_view expected,
                std::string_view got) {
    std::string substituted;
    size_t from = 0, at = 0;
    bool same = true;
    for (const auto& [slot, token] : tokens) {
      const size_t begin = static_cast<size_t>(token.data() - expected.data());
      const std::string_view literal = expected.substr(from, begin - from);
      substituted += literal;
      from = begin + token.size();
      same = same && got.substr(std::min(at, got.size())).starts_with(literal);
      at += literal.size();
      const std::string_view live = AsToken(LiveOf(slot));
      substituted += live.empty() ? token : live;
      if (!same) continue;
      if (!live.empty() && IsTokenAt(got, at, live)) {
        at += live.size();
        agreed_ = {from + 1, at + 1};  // with the quotes
        continue;
      }
      const std::string_view captured = LeadingToken(got.substr(at), token);
      const std::string quoted = '"' + std::string(captured) + '"';
      same = !captured.empty() && MayBind(path, slot, quoted);
      if (!same && !captured.empty()) Differs();
      same = same && BindGood(slot, '"' + std::string(token) + '"', quoted);
      at += captured.size();
      if (same) agreed_ = {from + 1, at + 1};
    }
    substituted += expected.substr(from);
    if (same && got.substr(std::min(at, got.size())) == expected.substr(from)) return true;
    const bool escapes = substituted.find('\\') != substituted.npos || got.find('\\') != got.npos;
    return escapes && wire::SameString('"' + substituted + '"', '"' + std::string(got) + '"');
  }

  const MessageComparer& of_;
  const Step& step_;
  const CallClass& class_;
  const std::vector<Embedded> embedded_;
  Verdict* verdict_;
  trace::Agreed agreed_;
  // Why the value that was judged last differs.
  enum class Why : uint8_t {
    kValue,
    kInconsistent,
    kWrongForm,
    kMerged,
    kWrongId
  } why_ = Why::kValue;
};

std::string_view MessageComparer::Body(StepIndex index) {
  const Step& step = script_->steps[index];
  const Result<std::string_view> frame = frames_->Get(step.at, step.size);
  if (!frame) return "";  // a disk error: an empty body differs from everything
  return BodyOf(step, *frame);
}

PlaceRules MessageComparer::RulesOf(const CallClass& of, const Place* chunk) const {
  PlaceRules rules = RulesFor(*declared_, of);
  if (chunk) rules.ignores.push_back(&chunk->pointer);
  rules.ignores.insert(rules.ignores.end(), std::begin(kIds), std::end(kIds));
  return rules;
}

const PlaceRules& MessageComparer::RulesOf(const Step& step, const Place* chunk) {
  const std::pair<uint32_t, const Place*> key(step.of, chunk);
  if (const auto found = rules_.find(key); found != rules_.end()) return found->second;
  return rules_.emplace(key, RulesOf(script_->ClassOf(step), chunk)).first->second;
}

std::vector<const wire::Pointer*> MessageComparer::VaryingOf(const Step& step) {
  const PlaceRules& rules = RulesOf(step);
  std::vector<const wire::Pointer*> places = rules.ignores;
  places.insert(places.end(), rules.unordered.begin(), rules.unordered.end());
  for (const auto& [pointer, shape] : rules.shapes) places.push_back(pointer);
  for (const EmbeddedId& id : declared_->ids) {
    if (script_->ClassOf(step).IsOf(id.at)) places.push_back(&id.at.pointer);
  }
  return places;
}

std::vector<MessageComparer::Embedded> MessageComparer::EmbeddedOf(const Step& step) const {
  std::vector<Embedded> embedded;
  for (const EmbeddedId& id : declared_->ids) {
    const Direction of = id.whose == IdOf::kSender ? step.direction : Opposite(step.direction);
    if (ids_->any(of) && script_->ClassOf(step).IsOf(id.at)) {
      embedded.push_back({&id, of});
    }
  }
  return embedded;
}

// A value at an ignored place is not compared, but our messages may still repeat it.
void MessageComparer::LearnIgnored(const CallClass& of, std::string_view recorded,
                                   std::string_view body, NewValues* binds) const {
  if (!wire::IsLooseJson(recorded) || !wire::IsLooseJson(body)) return;
  size_t tried = 0;
  wire::WalkScalars(recorded, [&](const Path& path, std::string_view value) {
    if (tried == kMaxLearned) return;
    const std::optional<SlotIndex> slot = bindings_->Find(of, path, value);
    if (!slot || binds->Find(*slot)) return;
    const bool source = bindings_->slot(*slot).renamed
                            ? bindings_->slot(*slot).live.empty()
                            : bindings_->IsSource(*slot, of.method, path);
    if (!source) return;
    ++tried;
    const auto live = wire::ValueAt(body, PointerOf(path));
    if (live && live->size() <= kMaxLiveValue && wire::TypeOf(*live) == wire::TypeOf(value)) {
      binds->Add(*slot, *live, bindings_->slot(*slot).renamed,
                 bindings_->DistinctKey(*slot, *live));
    }
  });
}

// `judging` stays where it is while the rules are used.
CompareRules MessageComparer::CompareRulesOf(const Step& step, const Place* chunk,
                                             Judging* judging) {
  CompareRules rules = {.places = &RulesOf(step, chunk), .ids = kIds};
  if (judging->any()) {
    rules.judge = [judging](const Path& path, std::string_view expected, std::string_view got) {
      return judging->Value(path, expected, got);
    };
    rules.judge_equals = true;
    rules.agreed = &judging->agreed();
  }
  if (const PathMap& paths = declared_->same_paths; paths.any()) {
    rules.same_text = [&paths](std::string_view expected, std::string_view got) {
      return paths.MayFind(got) && paths.Map(wire::StringValue(got)) == wire::StringValue(expected);
    };
  }
  if (step.bound) {
    rules.same_name = [judging](const Path& path, std::string_view expected, std::string_view got) {
      return judging->Name(path, expected, got);
    };
  }
  return rules;
}

Verdict MessageComparer::Compare(StepIndex index, const wire::Message& message,
                                 std::string_view body, size_t enough, const Place* chunk) {
  Verdict verdict;
  const Step& step = script_->steps[index];
  const std::string_view recorded = Body(index);
  Judging judging(*this, step, EmbeddedOf(step), &verdict);
  if (!judging.any() && recorded == body) return verdict;
  const CompareRules rules = CompareRulesOf(step, chunk, &judging);
  replay::Compare(recorded, body, rules, [&](ValueDifference difference) {
    judging.OnDifference();
    if (verdict.differences.size() < enough) verdict.differences.push_back(std::move(difference));
    // A value that differs here may be a binding: later messages must not fail because of it.
    return verdict.differences.size() < enough || step.bound;
  });
  if (step.bound && rules.places->ignores.size() > kUsualIgnores) {
    LearnIgnored(script_->ClassOf(step), recorded, body, &verdict.binds);
  }
  if (message.kind == Kind::kRequest && step.kind == Kind::kRequest) {
    const auto id = step.json ? wire::ValueAt(recorded, kId) : std::nullopt;
    if (id && wire::TypeOf(*id) != wire::TypeOf(message.id.token)) {
      verdict.differences.push_back({"/id", Shown(*id), Shown(message.id.token)});
    }
  }
  return verdict;
}

void MessageComparer::DescribeItems(StepIndex index, std::string_view body, Difference* item) {
  const Step& step = script_->steps[index];
  const std::string_view recorded = Body(index);
  if (item->pointer.empty() || !wire::IsLooseJson(recorded) || !wire::IsLooseJson(body)) return;
  Verdict scratch;
  Judging judging(*this, step, EmbeddedOf(step), &scratch);
  const CompareRules rules = CompareRulesOf(step, nullptr, &judging);
  replay::DescribeItems(
      recorded, body, item->pointer, rules,
      [&] {
        judging.OnDifference();
        // Values that the verdict bound by position, to another item than theirs.
        return !scratch.inconsistent;
      },
      &item->items);
}

}  // namespace midwire::replay
