// The only file that includes RapidJSON.
#include "wire/json/value.h"

// RapidJSON 1.1 adds to a null pointer while its stack is empty: harmless, but clang's UBSan stops.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include "rapidjson/error/en.h"
#include "rapidjson/memorystream.h"
#include "rapidjson/reader.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#include "wire/json/decimal.h"

namespace midwire::wire {
namespace {

// What is JSON, but refused.
constexpr char kUnreadJson[] = "JSON that midwire does not read";
constexpr char kSurrogate[] = "a lone surrogate has no UTF-8";
constexpr char kLargeNumber[] = "a number outside the range of a double";

// RapidJSON turns an escape like \udc00 into three bytes that are not UTF-8.
bool HasSurrogate(std::string_view text) {
  for (size_t at = text.find('\xED'); at != text.npos; at = text.find('\xED', at + 1)) {
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return true;
  }
  return false;
}

// Receives the parser's events. `open_` holds the containers on the way down; a pointer in it stays
// valid because only the innermost container grows.
class Builder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Builder> {
 public:
  explicit Builder(Json* root) : root_(root) {}

  bool Null() { return Add(Json::Type::kNull) != nullptr; }
  bool Bool(bool value) {
    Add(Json::Type::kBool)->boolean = value;
    return true;
  }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
    Add(Json::Type::kNumber)->text.assign(text, size);
    return true;
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (HasSurrogate({text, size})) return Refuse(kSurrogate);
    Add(Json::Type::kString)->text.assign(text, size);
    return true;
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (HasSurrogate({text, size})) return Refuse(kSurrogate);
    name_.assign(text, size);
    return true;
  }
  bool StartObject() { return Open(Json::Type::kObject); }
  bool StartArray() { return Open(Json::Type::kArray); }
  bool EndObject(rapidjson::SizeType) { return Close(); }
  bool EndArray(rapidjson::SizeType) { return Close(); }

  const char* refused() const { return refused_; }

 private:
  Json* Add(Json::Type type) {
    Json* to = root_;
    if (!open_.empty() && open_.back()->is(Json::Type::kArray)) {
      to = &open_.back()->items.emplace_back();
    } else if (!open_.empty()) {
      open_.back()->members.push_back({std::move(name_), Json()});
      to = &open_.back()->members.back().second;
    }
    to->type = type;
    return to;
  }
  bool Open(Json::Type type) {
    if (open_.size() == kMaxDepth) return Refuse("nested deeper than 512 levels");
    open_.push_back(Add(type));
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }
  bool Refuse(const char* why) {
    refused_ = why;
    return false;
  }

  Json* root_;
  std::vector<Json*> open_;
  std::string name_;
  const char* refused_ = nullptr;
};

constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                            rapidjson::kParseValidateEncodingFlag;

// In the style of our own messages: "missing a comma or ] after an array element".
std::string ReasonOf(rapidjson::ParseErrorCode code) {
  std::string reason = GetParseError_En(code);
  if (reason.ends_with('.')) reason.pop_back();
  if (!reason.empty() && reason[0] >= 'A' && reason[0] <= 'Z') reason[0] += 'a' - 'A';
  return reason;
}

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  Json root;
  Builder builder(&root);
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::Reader reader;
  rapidjson::ParseResult parsed = reader.Parse<kFlags>(stream, builder);
  if (parsed.IsError()) {
    const std::string where = "byte " + std::to_string(parsed.Offset());
    const char* limit = builder.refused();
    if (parsed.Code() == rapidjson::kParseErrorNumberTooBig) limit = kLargeNumber;
    if (parsed.Code() == rapidjson::kParseErrorStringUnicodeSurrogateInvalid) limit = kSurrogate;
    if (limit != nullptr) return Error{kUnreadJson, where, limit};
    return Error{"not JSON", where, ReasonOf(parsed.Code())};
  }
  // RapidJSON treats a NUL as the end of its input.
  if (stream.Tell() != text.size()) {
    return Error{"not JSON", "byte " + std::to_string(stream.Tell()), "a NUL after the text"};
  }
  return root;
}

const Json* Json::Find(std::string_view name) const {
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    if (member->first == name) return &member->second;
  }
  return nullptr;
}

std::string_view Json::String(std::string_view name) const {
  const Json* member = Find(name);
  return member && member->is(Type::kString) ? std::string_view(member->text) : std::string_view();
}

std::optional<int64_t> Json::Integer() const {
  int64_t value = 0;
  return is(Type::kNumber) && ParseNumber(text, &value) ? std::optional(value) : std::nullopt;
}

}  // namespace midwire::wire
