#include "replay/values/value_keys.h"

#include <algorithm>

#include "replay/values/text_tokens.h"
#include "trace/looks.h"
#include "wire/json/ascii.h"
#include "wire/json/unescape.h"
#include "wire/text_hash.h"

namespace midwire::replay {
namespace {

using wire::JsonType;
using wire::Path;

// Ten digits are not a counter: a time, a random number or an address.
constexpr size_t kStrongDigits = 10;
// A thread's number 9110 is the same one in `threadId` and in `id`; 1 is not.
constexpr size_t kDistinctSize = 4;

// `name`: "" for a key that counts under each name.
uint64_t Hash(char space, std::string_view name, std::string_view value) {
  const uint64_t a = wire::HashText(value), b = name.empty() ? 0 : wire::HashText(name);
  return a * 0x9E3779B97F4A7C15u ^ (b + static_cast<unsigned char>(space)) * 0xC2B2AE3D27D4EB4Fu;
}

// Whether the text of a number is that of an integer.
bool IsInteger(std::string_view number) {
  return std::none_of(number.begin(), number.end(),
                      [](char c) { return c == '.' || c == 'e' || c == 'E'; });
}

}  // namespace

std::string_view NameOf(const Path& path) {
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    if (!step->name.empty()) return Unquoted(step->name);
  }
  return "";
}

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

void ValueKeys::Prepare() {
  if (declared_names_.size() == 2 * declared_->binds.size()) return;
  declared_names_.clear();
  for (const Bind& bind : declared_->binds) {
    declared_names_.push_back(bind.from.pointer.steps.back());
    declared_names_.push_back(bind.to.pointer.steps.back());
  }
  for (std::string& name : declared_names_) {
    if (wire::IsDigits(name)) name = "*";  // may be an index, which stands for every element
  }
  std::sort(declared_names_.begin(), declared_names_.end());
  for (const std::string& name : declared_names_) {
    declared_marks_[MarkOf(name)] = true;
    any_declared_name_ = any_declared_name_ || name == "*";
  }
}

bool ValueKeys::IsDeclared(std::string_view name) const {
  return std::binary_search(declared_names_.begin(), declared_names_.end(), name,
                            std::less<std::string_view>());
}

// A long number in a text is the number: "job-1732345678901" may repeat 1732345678901.
uint64_t ValueKeys::OfText(std::string_view text) {
  const bool number = text.size() >= kStrongDigits && wire::IsDigits(text);
  return Hash(number ? 'n' : 's', "", text);
}

PlaceTraits ValueKeys::About(const Path& path) const {
  return {.hinted = trace::NamesIdentity(NameOf(path)),
          .may_be_declared = MayBeDeclared(LastOf(path)),
          .infers = infers() && !IsEnvelope(path)};
}

bool ValueKeys::IsWeak(const PlaceTraits& place, std::string_view value, bool digits) const {
  if (place.hinted || place.may_be_declared) return false;
  if (!value.starts_with('"')) return value.size() < kStrongDigits;
  if (digits || !ids_.empty()) return false;
  return !trace::IsUniqueId(Unquoted(value));
}

std::optional<uint64_t> ValueKeys::WeakKey(std::string_view value) const {
  if (!value.starts_with('"')) {
    const bool number = value.front() == '-' || wire::IsDigit(value.front());
    return number && IsInteger(value) ? std::optional(Hash('W', "", value)) : std::nullopt;
  }
  std::string_view text = Unquoted(value);
  // An escape may be longer than what it stands for.
  if (text.size() > kMaxWeakValue && text.find('\\') == text.npos) return std::nullopt;
  std::string unescaped;
  if (text.find('\\') != text.npos) text = unescaped = wire::StringValue(value);
  if (text.empty() || text.size() > kMaxWeakValue) return std::nullopt;
  return Hash('w', "", text);
}

Keys ValueKeys::Of(const CallClass& of, const Path& path, const PlaceTraits& place,
                   std::string_view value, bool digits) const {
  Keys keys;
  const JsonType type = wire::TypeOf(value);
  if (type == JsonType::kNull || type == JsonType::kBool || value.size() > kMaxBoundValue) {
    return keys;
  }
  if (!place.infers && !place.may_be_declared) return keys;  // most members of the envelope
  const bool is_string = type == JsonType::kString;
  const bool escaped = is_string && value.find('\\') != value.npos;
  const std::string unescaped = escaped ? wire::StringValue(value) : std::string();
  const std::string_view text = escaped ? unescaped : is_string ? Unquoted(value) : value;

  if (place.may_be_declared) {
    const auto at = [&](const Place& place) {
      return of.IsOf(place) && wire::Matches(place.pointer, path);
    };
    for (const Bind& bind : declared_->binds) {
      const bool from = at(bind.from);
      if (!from && !at(bind.to)) continue;
      keys.declared = Hash(is_string ? 'S' : 'N', "", text);
      keys.made_here = keys.made_here || from;
    }
  }
  if (!place.infers || text.empty()) return keys;
  if (!is_string && !IsInteger(text)) return keys;
  const std::string_view name = NameOf(path);
  keys.hinted = place.hinted;
  const bool unique = is_string && trace::IsUniqueId(text);
  keys.unique = unique && !trace::NamesDigest(name);
  const auto strong = [&] { return Hash(is_string ? 's' : 'n', "", text); };
  // A digit that is spelled as an escape has digits there too.
  if (is_string ? unique || (digits && trace::LooksMade(text)) || (!ids_.empty() && IsId(strong()))
                : text.size() >= kStrongDigits) {
    keys.strong = strong();
  }
  if (keys.hinted) keys.named = Hash(is_string ? 's' : 'n', name, text);
  if (text.size() <= kMaxWeakValue) keys.weak = Hash(is_string ? 'w' : 'W', "", text);
  keys.distinct = keys.hinted && text.size() >= kDistinctSize;
  return keys;
}

}  // namespace midwire::replay
