#include "replay/values/bindings.h"

#include <algorithm>

#include "replay/values/text_tokens.h"
#include "trace/looks.h"
#include "wire/json/digits.h"
#include "wire/json/path.h"

namespace midwire::replay {
namespace {

using wire::Path;

// Bindings that a report names; a session that generates a handle per call has more.
constexpr size_t kMaxNamed = 1000;
// A shorter live value would match anywhere in a text.
constexpr size_t kMinNamed = 3;

}  // namespace

// Not in the constructor: a trace's header may declare more.
void Bindings::Learn(const Script& script, StepIndex index, const MessageTokens& tokens) {
  keys_.Prepare();
  inference_->Learn(script, index, tokens);
}

void Bindings::EndInference() {
  if (!inference_) return;
  overflowed_ = inference_->overflowed();
  inference_.reset();
  tokens_ = keys_.infers() && any();
}

// A unique id is not renamed where a digest stands.
bool Bindings::Allowed(SlotIndex index, const Path& path) const {
  return !slot(index).renamed || !trace::NamesDigest(NameOf(path));
}

std::optional<SlotIndex> Bindings::FindKeys(const Keys& keys, const Path& path) const {
  const std::optional<uint64_t> any_name = keys.distinct ? keys.weak : std::nullopt;
  for (const auto& key : {keys.declared, keys.strong, keys.named, any_name}) {
    if (!key) continue;
    if (const auto found = slots_.Find(*key); found && Allowed(*found, path)) return found;
  }
  return std::nullopt;
}

std::optional<SlotIndex> Bindings::FindToken(std::string_view token, const Path& path) const {
  const auto found = slots_.Find(ValueKeys::OfText(token));
  return found && Allowed(*found, path) ? found : std::nullopt;
}

std::optional<SlotIndex> Bindings::Find(const CallClass& of, const Path& path,
                                        std::string_view recorded) const {
  return FindKeys(keys_.Of(of, path, recorded, wire::HasDigit(recorded)), path);
}

void Bindings::VisitTokens(const Path& path, std::string_view spelt,
                           const VisitToken& visit) const {
  if (!tokens_ || IsEnvelope(path)) return;
  replay::VisitTokens(spelt, [&](std::string_view token) {
    const auto found = FindToken(token, path);
    if (found) visit(*found, token);
    return found.has_value();
  });
}

void Bindings::VisitName(const Path& path, const VisitToken& visit) const {
  const std::string_view name = Unquoted(path.back().name);
  if (!tokens_ || path.size() < 2 || name.size() < kMinToken) return;
  if (const auto found = FindToken(name, path)) return visit(*found, name);
  VisitTokens(path, name, visit);
}

bool Bindings::MarkSlot(SlotIndex found, StepIndex index, std::string_view method,
                        const Path& path) {
  Slot& slot = slots_.all()[found];
  if (slot.source > index) return false;
  if (slot.source == index && slot.from.empty()) {
    slot.from = PlaceOf(method, path);
    slot.from_pattern = std::string(method) + PatternOf(path);
  }
  return true;
}

bool Bindings::Mark(const Script& script, StepIndex index, std::string_view body) {
  const CallClass& of = script.ClassOf(script.steps[index]);
  const std::string_view method = of.method;
  bool holds = false;
  const auto on_step = [&](const Path& path) {
    if (path.back().name.empty()) return;
    VisitName(path, [&](SlotIndex found, std::string_view) {
      holds = MarkSlot(found, index, method, path) || holds;
    });
  };
  wire::WalkScalars(body, on_step, [&](const Path& path, std::string_view value) {
    if (const auto found = Find(of, path, value)) {
      holds = MarkSlot(*found, index, method, path) || holds;
    } else if (value.starts_with('"')) {
      VisitTokens(path, Unquoted(value), [&](SlotIndex token, std::string_view) {
        holds = MarkSlot(token, index, method, path) || holds;
      });
    }
  });
  return holds;
}

bool Bindings::IsSource(SlotIndex index, std::string_view method, const Path& path) const {
  const Slot& it = slot(index);
  return !it.renamed && it.from_pattern == std::string(method) + PatternOf(path);
}

void Bindings::Set(SlotIndex index, std::string_view live) {
  Slot& it = slots_.all()[index];
  it.live = live;
  distinct_.insert_or_assign(DistinctKey(index, live), index);
  if (it.renamed) renamed_.try_emplace(it.live, index);
}

void Bindings::SetId(std::string_view recorded, std::string_view live) {
  if (!tokens_ || !recorded.starts_with('"') || live.size() > kMaxLiveValue) return;
  const auto found = slots_.Find(ValueKeys::OfText(Unquoted(recorded)));
  if (found && wire::TypeOf(live) == wire::JsonType::kString) Set(*found, live);
}

std::optional<SlotIndex> Bindings::RenamedTo(std::string_view live) const {
  const auto found = renamed_.find(std::string(live));
  return found == renamed_.end() ? std::nullopt : std::optional(found->second);
}

std::string Bindings::DistinctKey(SlotIndex index, std::string_view live) const {
  const Slot& it = slot(index);
  std::string_view kind = it.from_pattern;
  if (live.starts_with('"')) {
    while (kind.ends_with("/*")) kind.remove_suffix(2);  // the name of the list
    kind.remove_prefix(kind.rfind('/') + 1);
  }
  return std::string(kind) + '\n' + std::string(live);
}

std::optional<SlotIndex> Bindings::MergedWith(SlotIndex index, std::string_view live) const {
  if (distinct_.empty()) return std::nullopt;
  const auto found = distinct_.find(DistinctKey(index, live));
  if (found == distinct_.end() || found->second == index) return std::nullopt;
  const Slot& other = slot(found->second);
  const bool distinct = other.live == live && other.recorded != slot(index).recorded;
  return distinct ? std::optional(found->second) : std::nullopt;
}

void Bindings::Forget() {
  distinct_.clear();
  for (Slot& slot : slots_.all()) slot.live.clear();
  renamed_.clear();
}

std::string Bindings::Named(std::string text) const {
  const std::vector<Slot>& all = slots_.all();
  for (size_t i = 0; i < std::min(all.size(), kMaxNamed); ++i) {
    const Slot& slot = all[i];
    if (slot.live.empty() || slot.live == slot.recorded) continue;
    const std::string_view live = slot.live[0] == '"' ? Unquoted(slot.live) : slot.live;
    if (live.size() < kMinNamed) continue;
    const std::string name = "<b" + std::to_string(i + 1) + ">";
    for (size_t at = text.find(live); at != text.npos; at = text.find(live, at + name.size())) {
      text.replace(at, live.size(), name);
    }
  }
  return text;
}

}  // namespace midwire::replay
