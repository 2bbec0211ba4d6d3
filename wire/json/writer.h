// Writes a JSON value member by member, with its commas: the reports of stats, replay, check and
// fuzz. Appends and keeps nothing; members come out in the order of the calls. Does not check that
// brackets match.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "wire/json/base64.h"
#include "wire/json/value.h"

namespace midwire::wire {

class JsonWriter {
 public:
  explicit JsonWriter(std::string* out) : out_(out) {}

  JsonWriter& Key(std::string_view key) {
    Comma();
    AppendJsonString(key, out_);
    *out_ += ':';
    first_ = true;  // no comma before the value
    return *this;
  }
  void Number(std::integral auto value) {
    Comma();
    char digits[24];
    out_->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
  }
  void Bool(bool value) {
    Comma();
    *out_ += value ? "true" : "false";
  }
  void Text(std::string_view value) {
    Comma();
    AppendJsonString(value, out_);
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
  std::string* out_;
  bool first_ = true;
};

// Left out when empty. What is not UTF-8 is told exactly: two values may differ in that byte alone.
inline void WriteBytes(std::string_view key, std::string_view value, JsonWriter* json) {
  if (value.empty()) return;
  if (IsUtf8(value)) {
    json->Key(key).Text(value);
    return;
  }
  std::string base64;
  trace::AppendBase64(value, &base64);
  json->Key(std::string(key) + "_base64").Text(base64);
}

}  // namespace midwire::wire
