#include "trace/redact/redactor.h"

#include <sodium.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "trace/redact/secret_place.h"
#include "wire/json/ascii.h"
#include "wire/json/chars.h"
#include "wire/json/unescape.h"

namespace midwire::trace::redact {
namespace {

// Up to this many open containers, names and values are distinguished; deeper, names in a secret
// container are hidden too.
constexpr size_t kMaxKnownDepth = 1024;
// Longer names match no pointer.
constexpr size_t kMaxName = 1024;

}  // namespace

Redactor::Redactor(std::vector<wire::Pointer> pointers, const Key& key,
                   std::vector<std::string> names)
    : pointers_(std::move(pointers)), key_(key), names_(std::move(names)) {
  assert(pointers_.size() <= kMaxPointers);
  static_assert(crypto_shorthash_KEYBYTES == sizeof(Key));
  static_assert(crypto_shorthash_BYTES == sizeof(uint64_t));
  alive_[0] = pointers_.size() == kMaxPointers ? ~Mask{0} : (Mask{1} << pointers_.size()) - 1;
}

void Redactor::Start() {
  place_ = Place::kStart;
  batch_ = escape_ = hide_ = name_due_ = false;
  depth_ = secret_depth_ = 0;
  objects_.clear();
  states_.clear();
}

void Redactor::Rewrite(char* bytes, size_t size) {
  for (char* at = bytes; at != bytes + size; ++at) {
    const char c = *at;
    switch (place_) {
      case Place::kStart:
        if (c != '{' && c != '[') break;
        batch_ = c == '[';
        place_ = Place::kBetween;
        Open(c == '{', SchemaState::kNone);
        break;
      case Place::kString:
        if (escape_) {
          escape_ = false;
        } else if (c == '"') {
          if (is_name_) EndName();
          place_ = Place::kBetween;
          break;
        } else if (c == '\\') {
          escape_ = escaped_ = true;
        }
        if (is_name_ && name_.size() <= kMaxName) name_ += c;
        if (hide_) *at = TokenOfString(c);
        break;
      case Place::kScalar:
        if (!wire::EndsJsonScalar(c)) {
          if (hide_) *at = TokenOfNumber(c);
          break;
        }
        place_ = Place::kBetween;
        [[fallthrough]];
      case Place::kBetween:
        if (c == '}' || c == ']') {
          Close();
        } else if (c == ',') {
          name_due_ = InObject();
          if (PathLength() <= wire::kMaxPointerSteps) ++index_[PathLength()];
        } else if (c == ':') {
          name_due_ = false;
        } else if (!wire::IsJsonBlank(c)) {
          StartValue(c);
          if (place_ == Place::kScalar && hide_) *at = TokenOfNumber(c);
        }
    }
  }
}

// The first byte of a name or a value.
void Redactor::StartValue(char c) {
  is_name_ = c == '"' && name_due_;
  if (is_name_) {
    name_.clear();
    escaped_ = false;
    hide_ = secret_depth_ > 0 && depth_ > kMaxKnownDepth;
    place_ = Place::kString;
    return;
  }
  const Mask mask = ChildMask();
  const size_t length = PathLength();
  const bool named = secret_depth_ == 0 && HasSecretName();
  bool placed = secret_depth_ > 0;
  for (size_t p = 0; p < pointers_.size() && !placed; ++p) {
    placed = length > 0 && (mask >> p & 1) && pointers_[p].steps.size() == length;
  }
  const bool secret = placed || named;
  const SchemaState state = StateOf(c, named && !placed);
  if (c == '{' || c == '[') {
    if (length <= wire::kMaxPointerSteps) alive_[length] = length == 0 ? alive_[0] : mask;
    if (secret && secret_depth_ == 0) secret_depth_ = depth_ + 1;
    Open(c == '{', state);
    return;
  }
  hide_ = secret && !IsOfSchema(state);
  place_ = c == '"' ? Place::kString : Place::kScalar;
  if (hide_) StartToken();
}

// The pointers that match the path of the value that starts here.
Redactor::Mask Redactor::ChildMask() const {
  const size_t length = PathLength();
  if (length == 0) return alive_[0];  // an element of a batch is a message of its own
  if (length > wire::kMaxPointerSteps) return 0;
  const std::string index = InObject() ? std::string() : std::to_string(index_[length]);
  const std::string_view step = InObject() ? std::string_view(name_) : std::string_view(index);
  Mask mask = 0;
  for (size_t p = 0; p < pointers_.size(); ++p) {
    const bool alive = alive_[length - 1] >> p & 1;
    if (alive && pointers_[p].steps.size() >= length &&
        pointers_[p].StepMatches(length - 1, step)) {
      mask |= Mask{1} << p;
    }
  }
  return mask;
}

// Of the value that starts here. What comes after it is not known yet, so that an object below
// "properties" counts as a schema.
SchemaState Redactor::StateOf(char c, bool named) const {
  if (states_.empty() || depth_ > kMaxKnownDepth) return SchemaState::kNone;
  const SchemaState above = states_.back();
  const std::string_view name = InObject() ? std::string_view(name_) : std::string_view();
  if (IsOfSchema(above)) return WithinSchema(above, name);
  if (named && above == SchemaState::kNames && c == '{') return SchemaState::kSchema;
  return c == '{' && HoldsSchemas(name) ? SchemaState::kNames : SchemaState::kNone;
}

void Redactor::Open(bool object, SchemaState state) {
  ++depth_;
  if (objects_.size() < kMaxKnownDepth) {
    objects_.push_back(object);
    states_.push_back(state);
  }
  name_due_ = object;
  if (PathLength() <= wire::kMaxPointerSteps) index_[PathLength()] = 0;
}

void Redactor::Close() {
  if (depth_ == 0) return;
  if (depth_ == secret_depth_) secret_depth_ = 0;
  if (depth_ <= kMaxKnownDepth) {
    objects_.pop_back();
    states_.pop_back();
  }
  --depth_;
  name_due_ = false;
  if (depth_ == 0) Start();
}

bool Redactor::InObject() const {
  return depth_ > 0 && depth_ <= kMaxKnownDepth && objects_[depth_ - 1];
}

bool Redactor::HasSecretName() const {
  return !names_.empty() && InObject() &&
         std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& name) { return wire::SameLetters(name, name_); });
}

void Redactor::EndName() {
  if (escaped_) name_ = wire::Unescape(name_);
  name_due_ = false;
}

void Redactor::StartToken() {
  chain_ = 0;
  exponent_ = false;
  first_digit_ = true;
}

// Depends on all of the secret up to and including c.
size_t Redactor::NextRandom(char c) {
  unsigned char text[sizeof chain_ + 1];
  std::memcpy(text, &chain_, sizeof chain_);
  text[sizeof chain_] = static_cast<unsigned char>(c);
  unsigned char hash[sizeof chain_];
  crypto_shorthash(hash, text, sizeof text, key_.data());
  std::memcpy(&chain_, hash, sizeof chain_);
  return chain_;
}

char Redactor::TokenOfString(char c) {
  if (mark_) return kMark;
  static constexpr std::string_view kAlphabet =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return kAlphabet[NextRandom(c) % kAlphabet.size()];
}

// Sign, point and exponent stay: the token must be a number in range. No leading zero.
char Redactor::TokenOfNumber(char c) {
  if (mark_) return Mark(c);
  if (c == 'e' || c == 'E') exponent_ = true;
  if (!wire::IsDigit(c) || exponent_) return c;
  const size_t random = NextRandom(c);
  const bool first = first_digit_;
  first_digit_ = false;
  return static_cast<char>(first ? '1' + random % 9 : '0' + random % 10);
}

// All of a number; nothing of true, false and null.
char Redactor::Mark(char c) {
  if (wire::IsDigit(c)) first_digit_ = false;
  const bool exponent = (c == 'e' || c == 'E') && !first_digit_;
  return wire::IsDigit(c) || c == '-' || c == '+' || c == '.' || exponent ? kMark : c;
}

}  // namespace midwire::trace::redact
