#include "replay/values/value_keys.h"

#include <algorithm>

#include "replay/values/text_tokens.h"
#include "trace/looks.h"
#include "wire/json/ascii.h"
#include "wire/json/unescape.h"

namespace midwire::replay {
namespace {

using wire::JsonType;
using wire::Path;

// Ten digits are not a counter: a time, a random number or an address.
constexpr size_t kStrongDigits = 10;
// A thread's number 9110 is the same one in `threadId` and in `id`; 1 is not.
constexpr size_t kDistinctSize = 4;

uint64_t Hash(char space, std::string_view name, std::string_view value) {
  const uint64_t a = std::hash<std::string_view>()(value);
  const uint64_t b = std::hash<std::string_view>()(name);
  return a * 0x9E3779B97F4A7C15u ^ (b + static_cast<unsigned char>(space)) * 0xC2B2AE3D27D4EB4Fu;
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

Keys ValueKeys::Of(const CallClass& of, const Path& path, std::string_view value,
                   bool digits) const {
  Keys keys;
  const JsonType type = wire::TypeOf(value);
  if (type == JsonType::kNull || type == JsonType::kBool || value.size() > kMaxBoundValue) {
    return keys;
  }
  const bool infers = declared_->infer_binds && !IsEnvelope(path);
  const bool may_be_declared = MayBeDeclared(LastOf(path));
  if (!infers && !may_be_declared) return keys;  // most members of the envelope
  const bool is_string = type == JsonType::kString;
  const bool escaped = is_string && value.find('\\') != value.npos;
  const std::string unescaped = escaped ? wire::StringValue(value) : std::string();
  const std::string_view text = escaped ? unescaped : is_string ? Unquoted(value) : value;

  if (may_be_declared) {
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
  if (!infers || text.empty()) return keys;
  if (!is_string && text.find_first_of(".eE") != text.npos) return keys;  // no integer
  const std::string_view name = NameOf(path);
  keys.hinted = trace::NamesIdentity(name);
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
