#include "replay/values/binding_inference.h"

#include "replay/values/text_tokens.h"
#include "trace/looks.h"
#include "wire/json/digits.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::replay {

using wire::Path;

void BindingInference::Remember(uint64_t key, const Candidate& candidate, bool again) {
  if (candidates_.size() >= kMaxCandidates) {
    overflowed_ = true;
    return;
  }
  if (again) {
    candidates_.insert_or_assign(key, candidate);
  } else {
    candidates_.try_emplace(key, candidate);
  }
}

void BindingInference::Add(std::initializer_list<std::optional<uint64_t>> keys, StepIndex source,
                           const Where& at, std::string_view value, bool renamed) {
  Slot slot = {.recorded = std::string(value),
               .source = source,
               .to = PlaceOf(at.method, *at.path),
               .renamed = renamed};
  if (!slots_->Add(keys, std::move(slot))) overflowed_ = true;
}

// The candidate, if the peer sent it first; a value that was not sent before is ours from now on.
const BindingInference::Candidate* BindingInference::MadeByPeer(
    const std::optional<uint64_t>& key) {
  if (!key) return nullptr;
  const auto found = candidates_.find(*key);
  if (found == candidates_.end()) {
    Remember(*key, Candidate());
    return nullptr;
  }
  return found->second.step == kNoStep ? nullptr : &found->second;
}

// The id of a request of the peer is a value that it made, although it stands in the envelope.
void BindingInference::LearnId(const Step& step, StepIndex index, std::string_view body) {
  const std::string_view known = IdIn(step, body);
  const auto id = known.empty() ? wire::ValueAt(body, kId) : known;
  if (!id || wire::TypeOf(*id) != wire::JsonType::kString) return;
  const std::string_view text = Unquoted(*id);
  if (text.size() < kMinToken || text.size() > kMaxBoundValue || text.find('\\') != text.npos) {
    return;
  }
  keys_->AddId(text);
  Remember(ValueKeys::OfText(text), {.step = index, .unique = true});
}

void BindingInference::LearnPeers(const Keys& keys, const Where& at, std::string_view value) {
  const Candidate candidate = {
      .step = at.step, .source_key = keys.named.value_or(0), .unique = keys.unique};
  if (keys.declared && keys.made_here) Remember(*keys.declared, candidate, /*again=*/true);
  if (keys.strong) {
    const auto found = candidates_.find(*keys.strong);
    if (found == candidates_.end()) {
      Remember(*keys.strong, candidate);
    } else if (found->second.unique && found->second.step != kNoStep &&
               found->second.step != at.step && !trace::NamesDigest(NameOf(*at.path))) {
      Add({keys.strong}, found->second.step, at, value, /*renamed=*/true);
    }
  }
  if (keys.named) Remember(*keys.named, candidate);
  if (keys.hinted && keys.weak) Remember(*keys.weak, candidate);
}

void BindingInference::LearnOurs(const Keys& keys, const Where& at, std::string_view value) {
  const Candidate* declared = MadeByPeer(keys.declared);
  const Candidate* strong = MadeByPeer(keys.strong);
  const Candidate* named = MadeByPeer(keys.named);
  const Candidate* weak = MadeByPeer(keys.weak);
  if (declared) {
    // What looks made may have come before the place that is declared, as in a notification of it.
    const bool early = strong && strong->step < declared->step;
    const StepIndex source = early ? strong->step : declared->step;
    return Add({keys.declared, keys.strong}, source, at, value);
  }
  if (strong) return Add({keys.strong}, strong->step, at, value);
  const std::optional<uint64_t> any_name = keys.distinct ? keys.weak : std::nullopt;
  // Under another name, the peer may have sent it even before.
  const bool before = any_name && weak && named && weak->step < named->step;
  if (named) return Add({keys.named, any_name}, before ? weak->step : named->step, at, value);
  if (weak && keys.hinted) Add({keys.named, weak->source_key, any_name}, weak->step, at, value);
}

// Returns whether the token is known, so that its parts need no look.
bool BindingInference::LearnToken(const Where& at, std::string_view token, bool peers) {
  if (token.size() > kMaxBoundValue) return false;
  const uint64_t key = ValueKeys::OfText(token);
  const auto found = candidates_.find(key);
  const std::string quoted = '"' + std::string(token) + '"';
  if (found == candidates_.end()) {
    if (!trace::IsRandomToken(token)) return false;
    const bool unique = trace::IsUniqueId(token) && !trace::NamesDigest(NameOf(*at.path));
    Remember(key, peers ? Candidate{.step = at.step, .unique = unique} : Candidate{});
  } else if (found->second.step != kNoStep) {
    const bool repeated = peers && found->second.unique && found->second.step != at.step;
    if (!peers || repeated) Add({key}, found->second.step, at, quoted, /*renamed=*/repeated);
  }
  return true;
}

// whole: `spelt` itself is a token too, because it is no value that has keys of its own.
void BindingInference::LearnTokens(const Where& at, std::string_view spelt, bool whole,
                                   bool peers) {
  // What looks made has no escapes.
  if (whole && spelt.size() >= kMinToken && trace::LooksMade(spelt) &&
      LearnToken(at, spelt, peers)) {
    return;
  }
  VisitTokens(spelt, [&](std::string_view token) { return LearnToken(at, token, peers); });
}

// Most names and texts have no digit, so that no part of them looks made: that is found out once,
// for all that is asked of them.
void BindingInference::Learn(const Script& script, StepIndex index, const MessageTokens& tokens) {
  const Step& step = script.steps[index];
  const CallClass& of = script.ClassOf(step);
  const std::string_view method = of.method;
  const bool peers = step.direction != ours_, infers = keys_->infers();
  if (peers && step.kind == Kind::kRequest && infers) LearnId(step, index, tokens.body());
  const auto where = [&](const Path& path) { return Where{index, method, &path}; };
  const auto on_step = [&](const Path& path) {
    const std::string_view name = path.back().name;
    if (infers && path.size() > 1 && !name.empty() && wire::HasDigit(name)) {
      LearnTokens(where(path), Unquoted(name), /*whole=*/true, peers);
    }
  };
  const auto on_value = [&](const Path& path, std::string_view value) {
    if (!keys_->MayHave(path)) return;  // most members of the envelope
    const bool digits = wire::HasDigit(value);
    const Keys keys = keys_->Of(of, path, value, digits);
    if (peers) {
      LearnPeers(keys, where(path), value);
    } else if (keys.declared || keys.strong || keys.weak) {
      LearnOurs(keys, where(path), value);
    }
    if (digits && infers && value.starts_with('"') && !IsEnvelope(path)) {
      LearnTokens(where(path), Unquoted(value), /*whole=*/false, peers);
    }
  };
  tokens.Walk(&path_, on_step, on_value);
}

}  // namespace midwire::replay
