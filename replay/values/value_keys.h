// Keys by which a value is recognized where it occurs again, as a whole, as a token of a longer
// string, or as a member's name. Computed by the inference of bindings for the trace and by
// Bindings during a run, with the same result. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "replay/script/declared.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::replay {

// A longer string is content, not an identity; the limit is lower for one that does not look
// generated.
inline constexpr size_t kMaxBoundValue = 512, kMaxWeakValue = 32;

// Strong keys suffice: their values are unlikely to be equal by chance. Weak ones (17, "1") count
// together with the member's name, if that name shows that they are identities.
struct Keys {
  std::optional<uint64_t> declared, strong, named, weak;
  bool hinted = false;     // the member's name shows that it is an identity
  bool distinct = false;   // weak, but long enough to be recognized under another such name
  bool made_here = false;  // the place is the `from` of a declared binding
  bool unique = false;     // a UUID or ULID, and the member's name names no digest
};

// Top-level members belong to the protocol, except for a scalar result.
inline constexpr std::string_view kResultName = "\"result\"";
inline bool IsEnvelope(const wire::Path& path) {
  return path.empty() || (path.size() == 1 && path[0].name != kResultName);
}

// What the place of a value alone decides.
struct PlaceTraits {
  bool hinted = false;  // see Keys
  bool may_be_declared = false;
  bool infers = false;  // its value may have keys that are not declared
};

class ValueKeys {
 public:
  explicit ValueKeys(const Declarations* declared) : declared_(declared) {}

  // Call after the trace's header is read, which may declare more.
  void Prepare();
  PlaceTraits About(const wire::Path& path) const;
  // `digits`: whether the value as spelled has one.
  Keys Of(const CallClass& of, const wire::Path& path, std::string_view value, bool digits) const {
    return Of(of, path, About(path), value, digits);
  }
  Keys Of(const CallClass& of, const wire::Path& path, const PlaceTraits& place,
          std::string_view value, bool digits) const;
  // Whether a value at this place can have any key.
  bool MayHave(const wire::Path& path) const {
    return (infers() && !IsEnvelope(path)) || MayBeDeclared(LastOf(path));
  }
  // The same of a scalar member of the message itself; `name` has its quotes.
  bool MayHaveOfMessage(std::string_view name) const {
    return (infers() && name == kResultName) || MayBeDeclared(name.substr(1, name.size() - 2));
  }
  // Whether a value there has no key but perhaps a weak one: a quick look, as that holds for most
  // values of a trace. `digits`: as above.
  bool IsWeak(const PlaceTraits& place, std::string_view value, bool digits) const;
  // Of such a value.
  std::optional<uint64_t> WeakKey(std::string_view value) const;
  // The strong key of a token, of a member's name without quotes, or of an id.
  static uint64_t OfText(std::string_view text);
  // From now on this string, an id of a request of the peer, has a strong key wherever it stands.
  void AddId(std::string_view text) { ids_.insert(OfText(text)); }
  bool infers() const { return declared_->infer_binds; }
  bool IsId(uint64_t key) const { return ids_.contains(key); }

 private:
  // What a declared place must end with; of an element, and of the whole message, `*`.
  static std::string_view LastOf(const wire::Path& path) {
    if (path.empty() || path.back().name.size() < 2) return "*";
    return path.back().name.substr(1, path.back().name.size() - 2);
  }
  static uint8_t MarkOf(std::string_view name) {
    const size_t first = name.empty() ? 0 : static_cast<unsigned char>(name[0]);
    return static_cast<uint8_t>(first + 32 * name.size());
  }
  bool MayBeDeclared(std::string_view name) const {
    return any_declared_name_ || (declared_marks_[MarkOf(name)] && IsDeclared(name));
  }
  bool IsDeclared(std::string_view name) const;

  const Declarations* declared_;

  std::vector<std::string> declared_names_;  // last steps of declared places, sorted
  // What they have at the place of their first byte and size: most names are none of them.
  std::array<bool, 256> declared_marks_{};
  bool any_declared_name_ = false;  // one of them is *
  std::unordered_set<uint64_t> ids_;
};

// The name of the member that holds the value, or that holds the array it is in.
std::string_view NameOf(const wire::Path& path);
// The path with indices as `*`.
std::string PatternOf(const wire::Path& path);
std::string PlaceOf(std::string_view method, const wire::Path& path);  // METHOD:POINTER

}  // namespace midwire::replay
