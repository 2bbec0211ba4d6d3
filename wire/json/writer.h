// Writes a JSON value piece by piece, with its commas: events, cassettes, findings, reports and
// answers. Appends and keeps nothing; members come out in the order of the calls. Does not check
// that brackets match. Values that are built before they are written are for format.h.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "wire/json/base64.h"
#include "wire/json/chars.h"
#include "wire/json/quote.h"
#include "wire/json/utf8.h"

namespace midwire::wire {

// The longest JsonKey.
inline constexpr size_t kMaxJsonKey = 60;

// A name that is known when midwire is compiled, and needs no escapes: what most keys are. A comma,
// the key and its colon are appended as one piece: with four pieces `show --json` took a fifth
// longer.
struct JsonKey {
  template <size_t size>
  consteval JsonKey(const char (&name)[size]) : text(name, size - 1) {  // NOLINT: keys are literals
    static_assert(size <= kMaxJsonKey);
    for (const char c : text) {
      if (!IsJsonChar(c, kJsonPlain)) throw "a name that needs escapes";
    }
  }
  std::string_view text;
};

class JsonWriter {
 public:
  explicit JsonWriter(std::string* out) : out_(out) {}

  // Before the value of a member.
  JsonWriter& Key(JsonKey key) {
    char piece[kMaxJsonKey + 4];
    char* end = piece;
    if (!first_) *end++ = ',';
    *end++ = '"';
    end = std::copy(key.text.begin(), key.text.end(), end);
    *end++ = '"';
    *end++ = ':';
    out_->append(piece, static_cast<size_t>(end - piece));
    first_ = true;  // no comma before the value
    return *this;
  }
  template <typename Text>
  requires(std::convertible_to<const Text&, std::string_view> &&
           !std::is_array_v<Text>) JsonWriter& Key(const Text& utf8) {
    Comma();
    AppendJsonString(utf8, out_);
    return Colon();
  }
  // A name as it is spelt in JSON, without its quotes.
  JsonWriter& SpeltKey(std::string_view name) {
    Comma();
    *out_ += '"';
    out_->append(name);
    *out_ += '"';
    return Colon();
  }

  void Number(std::integral auto value) {
    char piece[24];
    char* digits = piece;
    if (!first_) *digits++ = ',';
    first_ = false;
    out_->append(piece, std::to_chars(digits, piece + sizeof piece, value).ptr - piece);
  }
  void Bool(bool value) {
    Comma();
    out_->append(value ? std::string_view("true") : std::string_view("false"));
  }
  void Text(std::string_view utf8) {
    Comma();
    AppendJsonString(utf8, out_);
  }
  // Text, or {"base64":"..."} where the bytes are not UTF-8 (AppendBytesJson).
  void Bytes(std::string_view bytes) {
    Comma();
    AppendBytesJson(bytes, out_);
  }
  // JSON as it stands: a value, or members or elements with the commas between them.
  void Raw(std::string_view json) {
    Comma();
    out_->append(json);
  }
  // The same, for output that people may see: AppendJsonOnOneLine.
  void OnOneLine(std::string_view json) {
    Comma();
    AppendJsonOnOneLine(json, out_);
  }
  void Open(char bracket) {
    Comma();
    *out_ += bracket;
    first_ = true;
  }
  void Close(char bracket) {
    *out_ += bracket;
    first_ = false;
  }

 private:
  void Comma() {
    if (!first_) *out_ += ',';
    first_ = false;
  }
  JsonWriter& Colon() {
    *out_ += ':';
    first_ = true;  // no comma before the value
    return *this;
  }

  std::string* out_;
  bool first_ = true;
};

// Writes nothing for an empty value. A value that is not UTF-8 is written exactly, as KEY_base64:
// two values may differ in one invalid byte only.
inline void WriteBytes(std::string_view key, std::string_view value, JsonWriter* json) {
  if (value.empty()) return;
  if (IsUtf8(value)) {
    json->Key(key).Text(value);
    return;
  }
  std::string base64;
  AppendBase64(value, &base64);
  json->Key(std::string(key) + "_base64").Text(base64);
}

}  // namespace midwire::wire
