#include "fuzz/handle_tracker.h"

#include <algorithm>

#include "trace/looks.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::fuzz {
namespace {

using wire::JsonType;
using wire::Path;

// Places are stored as text; longer ones are skipped.
constexpr size_t kMaxPlaceSize = 512;

// The name of the member, or that of the array that holds the element.
std::string_view NameAt(const Path& path) {
  for (size_t i = path.size(); i-- > 0;) {
    const std::string_view name = path[i].name;
    if (!name.empty()) return name.substr(1, name.size() - 2);
  }
  return {};
}

// What identifies a value. One that looks generated is identified by itself. Others may be equal by
// chance, so they need the member's name too. `made` and `named` empty: the value is not bound.
struct Keys {
  std::string made;
  std::string named;  // begins with the name
  std::string value;  // of a value that does not look generated: under any name
};

void KeysOf(const Path& path, std::string_view value, Keys* keys) {
  keys->made.clear();
  keys->named.clear();
  keys->value.clear();
  const JsonType type = wire::TypeOf(value);
  if (type != JsonType::kNumber && type != JsonType::kString) return;
  if (value.size() > kMaxBoundValue) return;
  const std::string_view name = NameAt(path);
  std::string content;
  if (type == JsonType::kString) {
    content = wire::StringValue(value);
    if (trace::LooksMade(content)) {
      keys->made = "\"" + content;
      return;
    }
    content.insert(0, 1, '"');
  } else {
    // The id of a request is a counter of its sender and identifies nothing else.
    const bool of_message = path.size() == 1 || (path.size() == 2 && path[0].name.empty());
    if (of_message && name == "id") return;
    content = value;
  }
  if (content == "\"" || !trace::NamesIdentity(name)) return;
  keys->named.assign(name) += ':';
  keys->named += content;
  keys->value = ":" + content;
}

// The params of a cancellation have the id of one of our requests, not a handle of the peer.
bool IsCancel(std::string_view method) {
  return method.find("cancel") != method.npos || method.find("Cancel") != method.npos;
}

}  // namespace

void HandleTracker::Record(wire::Direction direction, std::string_view method,
                           std::string_view body) {
  if (!wire::IsLooseJson(body)) return;
  direction == ours_ ? RecordOurs(method, body) : RecordTheirs(method, body);
}

void HandleTracker::RecordTheirs(std::string_view method, std::string_view body) {
  Keys keys;
  wire::WalkScalars(body, [&](const Path& path, std::string_view value) {
    const JsonType type = wire::TypeOf(value);
    if (type != JsonType::kNumber && type != JsonType::kString) return;
    std::string place = std::string(method) + ":" + wire::PointerText(path);
    if (place.size() > kMaxPlaceSize) return;
    if (seen_.size() >= kMaxRemembered && !seen_.contains(place)) return;
    const Candidate candidate = {place, seen_[place].count++};
    KeysOf(path, value, &keys);
    for (const std::string* key : {&keys.made, &keys.named, &keys.value}) {
      if (key->empty() || sent_.contains(*key) || candidates_.size() >= kMaxRemembered) continue;
      candidates_.try_emplace(*key, candidate);
    }
  });
}

void HandleTracker::RecordOurs(std::string_view method, std::string_view body) {
  Keys keys;
  wire::WalkScalars(body, [&](const Path& path, std::string_view value) {
    KeysOf(path, value, &keys);
    const std::string& key = keys.made.empty() ? keys.named : keys.made;
    if (key.empty() || bound_.contains(key)) return;
    if (keys.made.empty() && IsCancel(method)) return;
    auto candidate = candidates_.find(key);
    if (candidate == candidates_.end() && !sent_.contains(key) && !keys.value.empty()) {
      candidate = candidates_.find(keys.value);
    }
    if (candidate != candidates_.end()) {
      // Each key begins with one character that is not part of the value.
      const std::string& marked = keys.made.empty() ? keys.value : keys.made;
      return Bind(key, std::string_view(marked).substr(1), candidate->second);
    }
    if (sent_.size() < kMaxRemembered) sent_.insert(key);
  });
}

void HandleTracker::Bind(const std::string& key, std::string_view value,
                         const Candidate& candidate) {
  if (bound_.size() >= kMaxBound) return;
  Seen& seen = seen_[candidate.place];
  if (seen.index == SIZE_MAX) {
    const size_t pointer = candidate.place.find(":/");
    const auto parsed = wire::ParsePointer(std::string_view(candidate.place).substr(pointer + 1));
    if (!parsed) return;  // deeper than a pointer may be
    seen.index = places_.size();
    places_.push_back({.pointer = *parsed});
    places_of_[candidate.place.substr(0, pointer)].push_back(seen.index);
  }
  places_[seen.index].needed = std::max(places_[seen.index].needed, candidate.nth + 1);
  bound_.emplace(key, Origin{seen.index, candidate.nth});
  values_.emplace_back(value);
}

void HandleTracker::Learn(std::string_view method, std::string_view body) {
  if (places_of_.empty()) return;
  const auto places = places_of_.find(std::string(method));
  if (places == places_of_.end() || !wire::IsLooseJson(body)) return;
  answered_ = true;
  for (const size_t index : places->second) {
    Place& place = places_[index];
    const auto value = wire::ValueAt(body, place.pointer);
    if (!value) continue;
    const JsonType type = wire::TypeOf(*value);
    if (type != JsonType::kNumber && type != JsonType::kString) continue;
    made_ = true;
    const bool fits = value->size() <= kMaxBoundValue;
    if (fits) place.latest = *value;
    const size_t nth = place.count++ % place.needed;
    if (place.live.size() <= nth) place.live.resize(nth + 1);
    place.live[nth] = fits ? *value : "";
  }
}

const std::string* HandleTracker::Live(const Use& use) const {
  const Place& place = places_[use.place];
  // A handle of an earlier run may be closed by now, so the latest of this run is preferred.
  const bool known = use.nth < place.count || (place.count == 0 && use.nth < place.live.size());
  const std::string& live = known ? place.live[use.nth] : place.latest;
  return live.empty() ? nullptr : &live;
}

bool HandleTracker::AreMade(const std::vector<Use>& uses) const {
  return std::all_of(uses.begin(), uses.end(),
                     [&](const Use& use) { return use.nth < places_[use.place].count; });
}

// A search is cheaper than a walk, and most bodies have no use. It cannot be made if there are many
// values, or if they may be spelt with escapes.
bool HandleTracker::MayHaveUses(std::string_view body) const {
  constexpr size_t kFew = 16;
  if (values_.size() > kFew || body.find('\\') != body.npos) return true;
  return std::any_of(values_.begin(), values_.end(),
                     [&](std::string_view value) { return body.find(value) != body.npos; });
}

bool HandleTracker::FindUses(std::string_view body, std::vector<Use>* uses) const {
  uses->clear();
  if (bound_.empty() || !MayHaveUses(body) || !wire::IsLooseJson(body)) return false;
  Keys keys;
  wire::WalkScalars(body, [&](const Path& path, std::string_view value) {
    KeysOf(path, value, &keys);
    const std::string& key = keys.made.empty() ? keys.named : keys.made;
    if (key.empty()) return;
    const auto bound = bound_.find(key);
    if (bound == bound_.end()) return;
    uses->push_back({.at = static_cast<size_t>(value.data() - body.data()),
                     .size = value.size(),
                     .place = bound->second.place,
                     .nth = bound->second.nth});
  });
  return !uses->empty();
}

bool HandleTracker::Apply(std::string_view body, const std::vector<Use>& uses,
                          std::string* out) const {
  size_t done = 0;
  bool changed = false;
  for (const Use& use : uses) {
    const std::string* live = Live(use);
    if (live == nullptr || *live == body.substr(use.at, use.size)) continue;
    if (!changed) out->clear();
    changed = true;
    out->append(body, done, use.at - done);
    *out += *live;
    done = use.at + use.size;
  }
  if (changed) out->append(body, done);
  return changed;
}

void HandleTracker::OnRun() {
  makes_ = makes_ || (made_ && run_ > 1);
  if (answered_) dry_ = made_ || !makes_ ? 0 : dry_ + 1;
  answered_ = made_ = false;
  ++run_;
  for (Place& place : places_) place.count = 0;
}

void HandleTracker::Forget() {
  OnRun();
  run_ = dry_ = 0;
  makes_ = false;
  for (Place& place : places_) {
    place.live.clear();
    place.latest.clear();
  }
}

}  // namespace midwire::fuzz
