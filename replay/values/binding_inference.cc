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

// A value that may have a key, or tokens.
void BindingInference::LearnValue(const Where& at, const CallClass& of, const PlaceTraits& place,
                                  std::string_view value, bool peers) {
  const bool digits = !value.starts_with('"') || wire::HasDigit(value);
  if (keys_->IsWeak(place, value,
                    digits)) {  // a weak value of the peer is looked at if it is hinted
    if (!peers && place.infers) MadeByPeer(keys_->WeakKey(value));
    return;
  }
  const Keys keys = keys_->Of(of, *at.path, place, value, digits);
  if (peers) {
    LearnPeers(keys, at, value);
  } else if (keys.declared || keys.strong || keys.weak) {
    LearnOurs(keys, at, value);
  }
  if (digits && place.infers && value.starts_with('"')) {
    LearnTokens(at, Unquoted(value), /*whole=*/false, peers);
  }
}

// Most names and texts have no digit, so that no part of them looks made: that is found out once,
// for all that is asked of them.
void BindingInference::Learn(const Script& script, StepIndex index, const MessageTokens& tokens) {
  const Step& step = script.steps[index];
  const CallClass& of = script.ClassOf(step);
  const std::string_view method = of.method;
  const bool peers = step.direction != ours_, infers = keys_->infers();
  if (peers && step.kind == Kind::kRequest && infers) LearnId(step, index, tokens.body());
  const auto on_name = [&](const Path& at, std::string_view name) {
    LearnTokens({index, method, &at}, Unquoted(name), /*whole=*/true, peers);
  };
  const auto on_value = [&](const Path& at, const PlaceTraits& place, std::string_view value) {
    LearnValue({index, method, &at}, of, place, value, peers);
  };
  if (const auto& shape = tokens.tokens().known_shape()) {
    for (const KnownPlace& place : PlacesOf(shape, tokens.tokens())) {
      if (place.is_name) {
        on_name(place.path, place.path.back().name);
      } else {
        on_value(place.path, place.about, tokens.tokens().begin()[place.token].In(tokens.body()));
      }
    }
    return;
  }
  tokens.Walk(
      &path_, [&](std::string_view name) { return keys_->MayHaveOfMessage(name); },
      [&](const Path& at) {
        if (IsNameOfInterest(at)) on_name(at, at.back().name);
      },
      [&](const Path& at, std::string_view value) {
        if (IsPlaceOfInterest(at)) on_value(at, keys_->About(at), value);
      });
}

bool BindingInference::IsNameOfInterest(const Path& at) const {
  const std::string_view name = at.back().name;
  return keys_->infers() && at.size() > 1 && !name.empty() && wire::HasDigit(name);
}

bool BindingInference::IsPlaceOfInterest(const Path& at) const {
  return (keys_->infers() && at.size() > 1) || keys_->MayHave(at);
}

// Of all messages of the shape. `tokens`: of one of them.
const std::vector<BindingInference::KnownPlace>& BindingInference::PlacesOf(
    const std::shared_ptr<const wire::JsonShape>& shape, const wire::JsonTokens& tokens) {
  for (const KnownShape& known : known_) {
    if (known.shape == shape) return known.places;
  }
  KnownShape& known = known_[next_known_++ % known_.size()];
  known.shape = shape;
  known.places.clear();
  Path path;
  const auto step = [&] {
    if (IsNameOfInterest(path)) known.places.push_back({.is_name = true, .path = path});
  };
  for (const wire::JsonTokens::Token* at = tokens.begin(); at != tokens.end(); ++at) {
    const uint32_t token = static_cast<uint32_t>(at - tokens.begin());
    if (at->type == wire::JsonToken::kClose) {
      path.pop_back();
      continue;
    }
    if (at->type == wire::JsonToken::kName) {
      path.back() = {std::string_view(shape->bytes).substr(shape->places[token], at->size), 0};
      step();
      continue;
    }
    if (!path.empty() && path.back().name.empty()) {
      ++path.back().index;
      step();
    }
    if (at->type == wire::JsonToken::kOpen) {
      path.push_back({{}, SIZE_MAX});  // before its first element
    } else if (IsPlaceOfInterest(path)) {
      known.places.push_back({.token = token, .about = keys_->About(path), .path = path});
    }
  }
  return known.places;
}

}  // namespace midwire::replay
