#include "replay/bindings.h"

#include <algorithm>

#include "trace/looks.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::replay {
namespace {

using wire::JsonType;
using wire::Path;

// Bindings that a report names; a session that generates a handle per call has more.
constexpr size_t kMaxNamed = 1000;

std::string_view Unquoted(std::string_view name) {
  return name.size() < 2 ? std::string_view() : name.substr(1, name.size() - 2);
}

// The name of the member that holds the value, or that holds the array it is in.
std::string_view NameOf(const Path& path) {
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    if (!step->name.empty()) return Unquoted(step->name);
  }
  return "";
}

uint64_t Hash(char space, std::string_view name, std::string_view value) {
  const uint64_t a = std::hash<std::string_view>()(value);
  const uint64_t b = std::hash<std::string_view>()(name);
  return a * 0x9E3779B97F4A7C15u ^ (b + static_cast<unsigned char>(space)) * 0xC2B2AE3D27D4EB4Fu;
}

bool IsInteger(std::string_view number) { return number.find_first_of(".eE") == number.npos; }

std::string PatternOf(const Path& path) {
  std::string pattern;
  for (const wire::PathStep& step : path) {
    pattern += '/';
    pattern += step.name.empty() ? std::string_view("*") : step.name;
  }
  return pattern;
}

std::string PlaceOf(std::string_view method, const Path& path) {
  return std::string(method) + ":" + wire::PointerText(path);
}

// Top-level members belong to the protocol, except for a scalar result.
bool IsEnvelope(const Path& path) {
  return path.empty() || (path.size() == 1 && Unquoted(path[0].name) != "result");
}

}  // namespace

// Not in the constructor: a trace's header may declare more.
void Bindings::PrepareNames() {
  if (declared_names_.size() == 2 * declared_->binds.size()) return;
  declared_names_.clear();
  for (const struct Bind& bind : declared_->binds) {
    declared_names_.push_back(bind.from.pointer.steps.back());
    declared_names_.push_back(bind.to.pointer.steps.back());
  }
  for (std::string& name : declared_names_) {
    // May be an index, which stands for every element.
    if (name.find_first_not_of("0123456789") == name.npos) name = "*";
  }
  std::sort(declared_names_.begin(), declared_names_.end());
}

Bindings::Keys Bindings::KeysOf(std::string_view method, const Path& path,
                                std::string_view value) const {
  Keys keys;
  const JsonType type = wire::TypeOf(value);
  if (type == JsonType::kNull || type == JsonType::kBool || value.size() > kMaxBoundValue) {
    return keys;
  }
  const bool escaped = value.find('\\') != value.npos;
  const std::string unescaped = escaped ? wire::StringValue(value) : std::string();
  const bool is_string = type == JsonType::kString;
  const std::string_view text = escaped ? unescaped : is_string ? Unquoted(value) : value;
  const char space = is_string ? 's' : 'n';

  const std::string_view last =
      path.empty() || path.back().name.empty() ? "*" : Unquoted(path.back().name);
  const auto named = [&](std::string_view name) {
    return std::binary_search(declared_names_.begin(), declared_names_.end(), name,
                              std::less<std::string_view>());
  };
  if (named(last) || named("*")) {
    const auto at = [&](const Place& place) {
      return place.OfMethod(method) && wire::Matches(place.pointer, path);
    };
    for (const struct Bind& bind : declared_->binds) {
      const bool from = at(bind.from);
      if (!from && !at(bind.to)) continue;
      keys.declared = Hash(is_string ? 'S' : 'N', "", text);
      keys.made_here = keys.made_here || from;
    }
  }
  if (!declared_->infer_binds || IsEnvelope(path) || text.empty()) return keys;
  if (!is_string && !IsInteger(text)) return keys;
  const std::string_view name = NameOf(path);
  keys.hinted = trace::NamesIdentity(name);
  // Ten digits are not a counter: a time, a random number or an address.
  if (is_string ? trace::LooksMade(text) : text.size() >= 10) keys.strong = Hash(space, "", text);
  if (keys.hinted) keys.named = Hash(space, name, text);
  if (text.size() <= kMaxWeakValue) keys.weak = Hash(is_string ? 'w' : 'W', "", text);
  return keys;
}

void Bindings::Remember(uint64_t key, const Candidate& candidate, bool again) {
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

void Bindings::LearnPeers(StepIndex index, const Keys& keys) {
  const Candidate candidate = {.step = index, .source_key = keys.named.value_or(0)};
  if (keys.declared && keys.made_here) Remember(*keys.declared, candidate, /*again=*/true);
  if (keys.strong) Remember(*keys.strong, candidate, false);
  if (keys.named) Remember(*keys.named, candidate, false);
  if (keys.hinted && keys.weak) Remember(*keys.weak, candidate, false);
}

void Bindings::LearnOurs(const Keys& keys, std::string_view method, const Path& path,
                         std::string_view value) {
  const auto made_by_peer = [&](const std::optional<uint64_t>& key) -> const Candidate* {
    if (!key) return nullptr;
    const auto found = candidates_.find(*key);
    if (found == candidates_.end()) {
      Remember(*key, Candidate(), false);  // ours now
      return nullptr;
    }
    return found->second.step == kNoStep ? nullptr : &found->second;
  };
  const Candidate* declared = made_by_peer(keys.declared);
  const Candidate* strong = made_by_peer(keys.strong);
  const Candidate* named = made_by_peer(keys.named);
  const Candidate* weak = made_by_peer(keys.weak);
  const auto bind = [&](std::initializer_list<std::optional<uint64_t>> by,
                        const Candidate* source) {
    Bind(by, source->step, PlaceOf(method, path), value);
  };
  if (declared) return bind({keys.declared, keys.strong}, declared);
  if (strong) return bind({keys.strong}, strong);
  if (named) return bind({keys.named}, named);
  if (weak && keys.hinted) bind({keys.named, weak->source_key}, weak);
}

void Bindings::Bind(std::initializer_list<std::optional<uint64_t>> keys, StepIndex source,
                    std::string place, std::string_view value) {
  for (const auto& key : keys) {
    if (key && by_key_.contains(*key)) return;
  }
  if (slots_.size() == kMaxSlots) {
    overflowed_ = true;
    return;
  }
  for (const auto& key : keys) {
    if (key) by_key_.emplace(*key, static_cast<SlotIndex>(slots_.size()));
  }
  Slot slot;
  slot.recorded = value;
  slot.source = source;
  slot.to = std::move(place);
  slots_.push_back(std::move(slot));
}

void Bindings::Learn(const Script& script, StepIndex index, std::string_view body) {
  PrepareNames();
  const Step& step = script.steps[index];
  const std::string_view method = script.methods[step.method];
  wire::WalkScalars(body, [&](const Path& path, std::string_view value) {
    const Keys keys = KeysOf(method, path, value);
    if (step.direction != ours_) {
      LearnPeers(index, keys);
    } else if (keys.declared || keys.strong || keys.weak) {
      LearnOurs(keys, method, path, value);
    }
  });
}

std::optional<SlotIndex> Bindings::FindKeys(const Keys& keys) const {
  for (const auto& key : {keys.declared, keys.strong, keys.named}) {
    if (!key) continue;
    if (const auto found = by_key_.find(*key); found != by_key_.end()) return found->second;
  }
  return std::nullopt;
}

bool Bindings::Mark(const Script& script, StepIndex index, std::string_view body) {
  const std::string_view method = script.methods[script.steps[index].method];
  bool holds = false;
  wire::WalkScalars(body, [&](const Path& path, std::string_view value) {
    const std::optional<SlotIndex> found = FindKeys(KeysOf(method, path, value));
    if (!found || slots_[*found].source > index) return;
    holds = true;
    Slot& slot = slots_[*found];
    if (slot.source != index || !slot.from.empty()) return;
    slot.from = PlaceOf(method, path);
    slot.from_pattern = std::string(method) + PatternOf(path);
  });
  return holds;
}

std::optional<SlotIndex> Bindings::Find(std::string_view method, const Path& path,
                                        std::string_view recorded) const {
  return FindKeys(KeysOf(method, path, recorded));
}

bool Bindings::IsSource(SlotIndex index, std::string_view method, const Path& path) const {
  return slots_[index].from_pattern == std::string(method) + PatternOf(path);
}

std::string Bindings::Named(std::string text) const {
  for (size_t i = 0; i < std::min(slots_.size(), kMaxNamed); ++i) {
    const Slot& slot = slots_[i];
    if (slot.live.empty() || slot.live == slot.recorded) continue;
    const std::string_view live = slot.live[0] == '"' ? Unquoted(slot.live) : slot.live;
    if (live.size() < 3) continue;  // too short: it would match anywhere
    const std::string name = "<b" + std::to_string(i + 1) + ">";
    for (size_t at = text.find(live); at != text.npos; at = text.find(live, at + name.size())) {
      text.replace(at, live.size(), name);
    }
  }
  return text;
}

}  // namespace midwire::replay
