// Replaces the scalars at given JSON pointers by tokens of equal length, in place and in any
// chunking. So a recorder can redact each read as it writes it, before the rest of the secret has
// arrived (P1, P2 and P8 together). Framing stays intact; equal secrets get equal tokens.
//
// Each byte's token depends on the secret's bytes up to it, under a key (SipHash-2-4, chained). The
// price of not waiting: two secrets with the same beginning have tokens with the same beginning.
// Without the key, which is never stored, tokens reveal nothing else.
//
// Strings become letters and digits, numbers other numbers; names, true, false and null stay. A
// pointer to a container means every scalar in it. In a batch, pointers start at each element.
// Members with a secret name are secret anywhere; case is ignored. A JSON Schema that describes
// such a member stays (schema_state.h).
//
// It does not use JsonCursor: the first bytes of a secret are written before its last ones are
// read. It shares the cursor's classes of bytes, and with the search of whole texts what is secret
// (SecretPath).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/redact/secret_place.h"
#include "trace/redact/tokens.h"
#include "wire/json/pointer.h"

namespace midwire::trace::redact {

class Redactor {
 public:
  // For one direction; the key is shared by all of a session's.
  Redactor(std::vector<wire::Pointer> pointers, const TokenKey& key,
           std::vector<std::string> names = {});
  // The next byte begins a JSON text (or blanks before one).
  void Start();
  // A text has begun and not ended.
  bool inside() const { return depth_ > 0; }
  // The next bytes of the text. What precedes the first { or [ is left alone.
  void Rewrite(char* bytes, size_t size);

  // A secret, or the part of it that has been read.
  struct Place {
    uint64_t at = 0, size = 0;
  };
  // Replaces nothing: appends the places of the secrets in the next bytes, which begin at `offset`,
  // or makes the last place longer.
  void Locate(std::string_view bytes, uint64_t offset, std::vector<Place>* places);

 private:
  enum class Inside : uint8_t { kStart, kBetween, kString, kScalar };

  // An open container.
  struct Container {
    bool object = false;
    uint64_t index = 0;  // of the element being read
  };

  template <typename Hide>
  void Read(std::string_view bytes, const Hide& hide);
  void Open(bool object);
  void Close();
  void StartValue(char c);
  void EndName();
  void StartToken();
  size_t NextRandom(char c);
  char TokenOfString(char c);
  char TokenOfNumber(char c);
  bool IsOfNumber(char c);
  bool IsKnown() const { return depth_ > 0 && depth_ == containers_.size(); }
  bool InObject() const { return IsKnown() && containers_.back().object; }
  // Of what is known of the path.
  size_t PathLength() const { return containers_.size() - (batch_ ? 1 : 0); }

  std::shared_ptr<const StreamedPlaces> places_;  // by all copies
  SecretPath path_;
  TokenKey key_;

  Inside inside_ = Inside::kStart;
  bool batch_ = false;
  bool escape_ = false, escaped_ = false;
  bool name_due_ = false, is_name_ = false;
  bool hide_ = false;  // the scalar being read is a secret
  bool exponent_ = false, first_digit_ = false;
  size_t depth_ = 0;                   // open containers
  std::vector<Container> containers_;  // the first kMaxKnownDepth of them
  std::string name_;
  uint64_t chain_ = 0;
};

}  // namespace midwire::trace::redact
