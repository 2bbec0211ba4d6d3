#include "trace/redact/redactor.h"

#include <sodium.h>

#include <cstring>
#include <utility>

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

std::vector<const wire::Pointer*> PointersTo(const std::vector<wire::Pointer>& all) {
  std::vector<const wire::Pointer*> pointers;
  for (const wire::Pointer& one : all) pointers.push_back(&one);
  return pointers;
}

}  // namespace

Redactor::Redactor(std::vector<wire::Pointer> pointers, const TokenKey& key,
                   std::vector<std::string> names)
    : places_(
          std::make_shared<StreamedPlaces>(StreamedPlaces{std::move(pointers), std::move(names)})),
      path_(PointersTo(places_->pointers), &places_->names),
      key_(key) {
  static_assert(crypto_shorthash_KEYBYTES == sizeof(TokenKey));
  static_assert(crypto_shorthash_BYTES == sizeof(uint64_t));
}

void Redactor::Start() {
  inside_ = Inside::kStart;
  batch_ = escape_ = hide_ = name_due_ = false;
  depth_ = 0;
  containers_.clear();
}

void Redactor::Rewrite(char* bytes, size_t size) {
  Read({bytes, size}, [&](size_t at, bool of_string) {
    bytes[at] = of_string ? TokenOfString(bytes[at]) : TokenOfNumber(bytes[at]);
  });
}

void Redactor::Locate(std::string_view bytes, uint64_t offset, std::vector<Place>* places) {
  Read(bytes, [&](size_t at, bool of_string) {
    if (!of_string && !IsOfNumber(bytes[at])) return;
    if (places->empty() || places->back().at + places->back().size != offset + at) {
      places->push_back({offset + at, 0});
    }
    ++places->back().size;
  });
}

// Calls hide(at, of_string) for each byte of a secret that is a string or another scalar, in order.
template <typename Hide>
void Redactor::Read(std::string_view bytes, const Hide& hide) {
  for (size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    switch (inside_) {
      case Inside::kStart:
        if (c != '{' && c != '[') break;
        batch_ = c == '[';
        inside_ = Inside::kBetween;
        Open(c == '{');
        break;
      case Inside::kString:
        if (escape_) {
          escape_ = false;
        } else if (c == '"') {
          if (is_name_) EndName();
          inside_ = Inside::kBetween;
          break;
        } else if (c == '\\') {
          escape_ = escaped_ = true;
        }
        if (is_name_ && name_.size() <= kMaxName) name_ += c;
        if (hide_) hide(at, /*of_string=*/true);
        break;
      case Inside::kScalar:
        if (!wire::EndsJsonScalar(c)) {
          if (hide_) hide(at, /*of_string=*/false);
          break;
        }
        inside_ = Inside::kBetween;
        [[fallthrough]];
      case Inside::kBetween:
        if (c == '}' || c == ']') {
          Close();
        } else if (c == ',') {
          name_due_ = InObject();
          if (IsKnown()) ++containers_.back().index;
        } else if (c == ':') {
          name_due_ = false;
        } else if (!wire::IsJsonBlank(c)) {
          StartValue(c);
          if (inside_ == Inside::kScalar && hide_) hide(at, /*of_string=*/false);
        }
    }
  }
}

// The first byte of a name or a value.
void Redactor::StartValue(char c) {
  const size_t length = PathLength();
  is_name_ = c == '"' && name_due_;
  if (is_name_) {
    name_.clear();
    escaped_ = false;
    hide_ = !IsKnown() && path_.IsSecret(length);
    inside_ = Inside::kString;
    return;
  }
  if (IsKnown() && length > 0) {
    const Container& in = containers_.back();
    in.object ? path_.Step(length, name_, /*member=*/true)
              : path_.Step(length, std::to_string(in.index), /*member=*/false);
    // What comes after it is not known yet, so that an object below "properties" counts as a
    // schema.
    if (c == '{' && path_.MayBeProperty(length)) path_.SetProperty(length);
  }
  if (c == '{' || c == '[') return Open(c == '{');
  hide_ = path_.IsSecret(length);
  inside_ = c == '"' ? Inside::kString : Inside::kScalar;
  if (hide_) StartToken();
}

void Redactor::Open(bool object) {
  ++depth_;
  if (containers_.size() < kMaxKnownDepth) containers_.push_back({object});
  name_due_ = object;
}

void Redactor::Close() {
  if (depth_ == 0) return;
  if (IsKnown()) containers_.pop_back();
  --depth_;
  name_due_ = false;
  if (depth_ == 0) Start();
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
  static constexpr std::string_view kAlphabet =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return kAlphabet[NextRandom(c) % kAlphabet.size()];
}

// Sign, point and exponent stay: the token must be a number in range. No leading zero.
char Redactor::TokenOfNumber(char c) {
  if (c == 'e' || c == 'E') exponent_ = true;
  if (!wire::IsDigit(c) || exponent_) return c;
  const size_t random = NextRandom(c);
  const bool first = first_digit_;
  first_digit_ = false;
  return static_cast<char>(first ? '1' + random % 9 : '0' + random % 10);
}

// All of a number; nothing of true, false and null.
bool Redactor::IsOfNumber(char c) {
  if (wire::IsDigit(c)) first_digit_ = false;
  const bool exponent = (c == 'e' || c == 'E') && !first_digit_;
  return wire::IsDigit(c) || c == '-' || c == '+' || c == '.' || exponent;
}

}  // namespace midwire::trace::redact
