#include "check/infer/handles.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "check/infer/json.h"
#include "check/infer/places.h"
#include "trace/looks.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

using wire::JsonType;

// Real protocols have a few thousand places with a scalar; more are not followed.
constexpr size_t kMaxScalarPlaces = 1u << 14;
constexpr uint32_t kNoPlace = UINT32_MAX;
// Spellings of places, including places that are not followed.
constexpr size_t kMaxHashes = 4 * kMaxScalarPlaces;
// Values of one session; about 150 bytes each. Further values are not recorded.
constexpr size_t kMaxSessionValues = 1u << 18;
constexpr size_t kMaxValue = 128;  // longer: content
// Places where the values of one place are made. Real places have two or three; relating all places
// to all would take gigabytes.
constexpr size_t kMaxMade = 64;
// Values that do not look generated ("1", 7) may be equal by chance: one match is no evidence.
constexpr uint64_t kMinWeakHits = 2;

bool IsInteger(std::string_view value) {
  return wire::TypeOf(value) == JsonType::kNumber && value.find_first_of(".eE") == value.npos;
}

// Whether `pattern` matches each path that `pointer` matches.
bool Covers(const wire::Pointer& pattern, const wire::Pointer& pointer) {
  if (pattern.steps.size() != pointer.steps.size()) return false;
  for (size_t i = 0; i < pattern.steps.size(); ++i) {
    if (pattern.steps[i] != wire::Pointer::kAny && pattern.steps[i] != pointer.steps[i]) {
      return false;
    }
  }
  return true;
}

// "sessionId", "object_ids" -> "session id", "object ids".
std::string Words(std::string_view member) {
  std::string words;
  bool lower = false;
  for (const char c : member) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (c == '_' || c == '-' || (upper && lower)) words += ' ';
    if (c != '_' && c != '-') words += static_cast<char>(upper ? c + ('a' - 'A') : c);
    lower = !upper;
  }
  return words;
}

// The name of a member. A bare "id" is preceded by the name of the object around the place where
// the value is made.
std::string NameOf(std::string_view member, const wire::Pointer& made) {
  std::string name = Words(member);
  if (name != "id" || made.steps.size() < 3) return name;
  const std::string& around = made.steps[made.steps.size() - 2];
  return around == wire::Pointer::kAny ? name : Words(around) + " " + name;
}

}  // namespace

void HandleFlow::OnMessage(const Observed& seen) {
  if (seen.kind() == wire::Kind::kRequest && open_.size() < wire::kMaxOpenRequests) {
    open_.insert(seen.number());
  }
  if (seen.json && !lost_ && CanBePlace(seen.method)) {
    wire::WalkScalars(
        seen.body, [&](const wire::Path& path) { at_.Step(path); },
        [&](const wire::Path& path, std::string_view value) {
          if (path.size() > 1 || (path.size() == 1 && path[0].name == "\"result\"")) {
            Take(seen, path, value);
          }
        });
  }
  if (seen.message->IsAnswer() && seen.request != nullptr) open_.erase(seen.request->number);
}

HandleFlow::PlaceIndex HandleFlow::PlaceOf(std::string_view method, const wire::Path& path) {
  if (path.size() > wire::kMaxPointerSteps) return kNoPlace;
  const uint64_t hash = Mixed(HashOf(method), at_.Of(path));
  if (const auto known = by_hash_.find(hash); known != by_hash_.end()) return known->second;
  const PlaceIndex index = NewPlaceOf(method, path);
  if (by_hash_.size() < kMaxHashes) by_hash_.emplace(hash, index);
  return index;
}

HandleFlow::PlaceIndex HandleFlow::NewPlaceOf(std::string_view method, const wire::Path& path) {
  std::optional<wire::Pointer> pointer = PatternOf(path);
  if (!pointer) return kNoPlace;
  std::string text = PlaceText(method, *pointer);
  if (const auto known = by_text_.find(text); known != by_text_.end()) return known->second;
  if (places_.size() >= kMaxScalarPlaces) return kNoPlace;
  Place place = {.method = std::string(method), .pointer = std::move(*pointer)};
  for (auto step = path.rbegin(); step != path.rend() && place.name.empty(); ++step) {
    if (!step->name.empty()) place.name = wire::StringValue(step->name);
  }
  place.identity = trace::NamesIdentity(place.name);
  by_text_.emplace(std::move(text), static_cast<PlaceIndex>(places_.size()));
  places_.push_back(std::move(place));
  return static_cast<PlaceIndex>(places_.size() - 1);
}

void HandleFlow::Take(const Observed& seen, const wire::Path& path, std::string_view value) {
  if (value == "null") return;  // an optional handle that is absent
  const PlaceIndex index = PlaceOf(seen.method, path);
  if (index == kNoPlace) return;
  Place& place = places_[index];
  const bool text = value.front() == '"';
  const bool strong =
      text && value.size() <= kMaxValue && trace::LooksMade(value.substr(1, value.size() - 2));
  const bool weak =
      place.identity && value.size() <= kMaxValue && (text ? value.size() > 2 : IsInteger(value));
  if (!strong && !weak) {
    ++place.misses;
    return;
  }
  const auto earlier = values_.find(std::string(value));
  if (earlier == values_.end()) {
    ++place.misses;
    if (values_.size() >= kMaxSessionValues) return;
    values_.emplace(
        value, Value{index, seen.direction(), seen.number(), seen.kind() == wire::Kind::kRequest});
    return;
  }
  Value& known = earlier->second;
  if (known.direction == seen.direction()) {
    ++place.misses;
    if (known.place != index) {
      places_[known.place].elsewhere = true;
    } else {
      known.number = seen.number();
      known.in_request = seen.kind() == wire::Kind::kRequest;
    }
    return;
  }
  if (!strong && !places_[known.place].identity) {
    ++place.misses;
    return;
  }
  if (place.made.size() >= kMaxMade && !place.made.contains(known.place)) {
    ++place.misses;
    return;
  }
  ++place.hits;
  place.strong_hits += strong;
  place.made.insert(known.place);
  if (!known.in_request || !open_.contains(known.number)) place.after_call = true;
  const uint64_t hash = std::hash<std::string_view>()(value);
  if (place.hits == 1) place.first_value = hash;
  place.several = place.several || hash != place.first_value;
}

void HandleFlow::OnSessionEnd() {
  values_.clear();
  open_.clear();
  lost_ = false;
}

bool HandleFlow::IsUsedAlone(PlaceIndex index) const {
  const Place& place = places_[index];
  return place.misses == 0 && (place.strong_hits > 0 || place.hits >= kMinWeakHits);
}

// A pattern with `*` also covers other places, which then must be uses of handles too.
bool HandleFlow::IsUsed(PlaceIndex index) const {
  if (!IsUsedAlone(index)) return false;
  const Place& place = places_[index];
  const auto& steps = place.pointer.steps;
  if (std::find(steps.begin(), steps.end(), wire::Pointer::kAny) == steps.end()) return true;
  for (PlaceIndex other = 0; other < places_.size(); ++other) {
    if (other == index || places_[other].method != place.method) continue;
    if (Covers(place.pointer, places_[other].pointer) && !IsUsedAlone(other)) return false;
  }
  return true;
}

// Places that share a place where values are made belong to one handle.
std::vector<HandleFlow::Handle> HandleFlow::Handles() const {
  std::vector<Handle> handles;
  for (PlaceIndex index = 0; index < places_.size(); ++index) {
    if (!IsUsed(index)) continue;
    Handle handle = {.made = places_[index].made, .used = {index}};
    std::erase_if(handles, [&](Handle& other) {
      const bool shared = std::any_of(other.made.begin(), other.made.end(),
                                      [&](PlaceIndex made) { return handle.made.contains(made); });
      if (shared) {
        handle.made.merge(other.made);
        handle.used.merge(other.used);
      }
      return shared;
    });
    handles.push_back(std::move(handle));
  }
  return handles;
}

std::set<std::string> HandleFlow::MadePlaces() const {
  std::set<std::string> texts;
  for (const Handle& handle : Handles()) {
    for (const PlaceIndex index : handle.made) {
      texts.insert(PlaceText(places_[index].method, places_[index].pointer));
    }
  }
  return texts;
}

wire::Json HandleFlow::Draft() const {
  std::map<std::string, wire::Json> drafts;  // by name
  for (const Handle& handle : Handles()) {
    std::set<std::string> made, used, names;
    bool of_call = true, several = false;
    for (const PlaceIndex index : handle.made) {
      const Place& place = places_[index];
      made.insert(PlaceText(place.method, place.pointer));
      // Otherwise the call that a value belongs to is unknown.
      of_call = of_call && (handle.made.size() == 1 || !place.elsewhere);
    }
    for (const PlaceIndex index : handle.used) {
      const Place& place = places_[index];
      used.insert(PlaceText(place.method, place.pointer));
      names.insert(NameOf(place.name, places_[*place.made.begin()].pointer));
      of_call = of_call && !place.after_call;
      several = several || place.several;
    }
    std::string name = *names.begin();
    for (int count = 2; drafts.contains(name); ++count) {
      name = *names.begin() + " " + std::to_string(count);
    }
    const auto list = [](const std::set<std::string>& texts) {
      std::vector<wire::Json> items;
      for (const std::string& text : texts) items.push_back(JsonText(text));
      return JsonList(std::move(items));
    };
    wire::Json draft = JsonObject();
    Put(&draft, "name", JsonText(name));
    Put(&draft, "made", list(made));
    Put(&draft, "used", list(used));
    // A single value may have been used within its call by chance.
    Put(&draft, "life", JsonText(of_call && several ? "call" : "session"));
    Put(&draft, "severity", JsonText("should"));
    drafts.emplace(name, std::move(draft));
  }
  std::vector<wire::Json> list;
  for (auto& [name, draft] : drafts) list.push_back(std::move(draft));
  return JsonList(std::move(list));
}

}  // namespace midwire::check
