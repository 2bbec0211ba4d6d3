#include "wire/dialect/method_scope.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/quote.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"

namespace midwire::wire {
namespace {

Error NotAScope(std::string_view text, const char* why) {
  return {"not a scope", "\"" + std::string(text) + "\"",
          std::string(why) + ": write METHOD[/params/name=VALUE]"};
}

// The first bracket of a scope: it comes before a place's pointer, and before what a declaration
// says of the place. In "/result/a[0]" it is part of a name.
size_t BracketOf(std::string_view text, size_t colon) {
  if (text.starts_with('/') && colon == text.npos) return text.npos;
  const size_t open = text.find('[');
  return open < std::min(colon, text.find('=')) ? open : text.npos;
}

// The size of the JSON string that the text begins with; nullopt: it does not end.
std::optional<size_t> QuotedSize(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return std::nullopt;
}

// Reads "[/pointer=VALUE]" at the front of *rest, and removes it. Returns what is wrong, or null.
const char* ReadMember(std::string_view* rest, ScopeMember* member) {
  rest->remove_prefix(1);
  const size_t equals = rest->find('=');
  if (equals == rest->npos || rest->find(']') < equals || !rest->starts_with('/')) {
    return "it names no member";
  }
  Result<Pointer> pointer = ParsePointer(rest->substr(0, equals));
  if (!pointer) return "its member is not a JSON pointer";
  member->pointer = std::move(*pointer);
  rest->remove_prefix(equals + 1);
  if (rest->starts_with('"')) {
    const std::optional<size_t> size = QuotedSize(*rest);
    if (!size || !IsLooseJson(rest->substr(0, *size))) return "its value is not a JSON string";
    member->value = StringValue(rest->substr(0, *size));
    member->strings = true;
    rest->remove_prefix(*size);
    member->begins = rest->starts_with('*');
    rest->remove_prefix(member->begins);
  } else {
    std::string_view value = rest->substr(0, rest->find(']'));
    rest->remove_prefix(value.size());
    member->begins = value.ends_with('*');
    if (value.empty()) return "its member has no value";
    value.remove_suffix(member->begins);
    member->value = value;
  }
  if (!rest->starts_with(']')) return "a ] is missing";
  rest->remove_prefix(1);
  return nullptr;
}

// Reads all members from the bracket on; returns where they end.
Result<size_t> ReadMembers(std::string_view text, size_t bracket, std::vector<ScopeMember>* to) {
  std::string_view rest = text.substr(bracket);
  while (rest.starts_with('[')) {
    if (to->size() == kMaxScopeMembers) return NotAScope(text, "it has more than 16 members");
    if (const char* wrong = ReadMember(&rest, &to->emplace_back())) return NotAScope(text, wrong);
  }
  return text.size() - rest.size();
}

}  // namespace

bool MatchesMethod(std::string_view pattern, std::string_view method) {
  if (!pattern.ends_with('*')) return pattern == method;
  return method.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool MatchesAny(std::span<const std::string> patterns, std::string_view method) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return MatchesMethod(pattern, method); });
}

bool ScopeMember::Matches(std::string_view json) const {
  const JsonType type = TypeOf(json);
  if (type == JsonType::kObject || type == JsonType::kArray) return false;
  if (strings && type != JsonType::kString) return false;
  const std::string text = type == JsonType::kString ? StringValue(json) : std::string(json);
  return begins ? text.starts_with(value) : text == value;
}

bool MethodScope::HasMembers(std::string_view body) const {
  return std::all_of(members.begin(), members.end(), [&](const ScopeMember& member) {
    const std::optional<std::string_view> value = ValueAt(body, member.pointer);
    return value && member.Matches(*value);
  });
}

Result<size_t> EndOfScope(std::string_view text) {
  const size_t bracket = BracketOf(text, text.find(":/"));
  std::vector<ScopeMember> members;
  return bracket == text.npos ? Result<size_t>(0) : ReadMembers(text, bracket, &members);
}

Result<MethodScope> ParseMethodScope(std::string_view text) {
  MethodScope scope;
  scope.text = text;
  const size_t bracket = std::min(text.find('['), text.size());
  scope.method = text.substr(0, bracket);
  if (bracket == text.size()) return scope;
  const Result<size_t> end = ReadMembers(text, bracket, &scope.members);
  if (!end) return end.error();
  if (*end != text.size()) return NotAScope(text, "something follows the ]");
  if (scope.method.empty()) scope.method = "*";
  return scope;
}

std::string ScopeMemberText(std::string_view pointer, std::string_view value) {
  if (pointer.find_first_of("=]") != pointer.npos || !IsUtf8(value)) return "";
  std::string text = "[" + std::string(pointer) + "=";
  const bool bare = !value.empty() && value.find_first_of("\"]\\") == value.npos &&
                    !value.ends_with('*') && !IsLooseJson(value) &&
                    std::none_of(value.begin(), value.end(),
                                 [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (bare) {
    text += value;
  } else {
    AppendJsonString(value, &text);
  }
  return text + "]";
}

}  // namespace midwire::wire
