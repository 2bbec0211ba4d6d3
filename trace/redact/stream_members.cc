#include "trace/redact/stream_members.h"

#include <algorithm>
#include <utility>

#include "trace/redact/telling_names.h"
#include "wire/json/ascii.h"

namespace midwire::trace::redact {
namespace {

// "integer", "boolean", "varchar" are the longest types that texts mention.
constexpr size_t kLongestType = 8;
// Longer names are of no use (TellingOf).
constexpr size_t kLongestName = 64;
// A list of cookies has objects in it, and hardly anything in these.
constexpr size_t kDeepest = 16;
constexpr std::string_view kCookies = "ookies\"";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kValue = "value";

std::string_view TrimmedRight(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

size_t PastBlanks(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

}  // namespace

std::vector<StreamMembers::Part> StreamMembers::Find(std::string_view text, size_t from) {
  std::vector<Part> found;
  FindTypes(text, from, &found);
  string_at_ = from;
  begun_before_ = in_string_ && !string_.empty();
  for (size_t at = from; at < text.size();) {
    at = depth_ == 0 ? EnterCookies(text, at) : PassCookies(text, at, &found);
  }
  if (in_string_ && value_due_ && text.size() > string_at_) {
    found.push_back({string_at_, text.size() - string_at_});  // the rest of it comes later
  }
  return found;
}

// "apiKey":"string", with plain quotes: those of a text within a message have a backslash.
void StreamMembers::FindTypes(std::string_view text, size_t from, std::vector<Part>* found) const {
  for (size_t end = text.find('"', from); end != text.npos; end = text.find('"', end + 1)) {
    size_t begin = end;
    while (begin > 0 && end - begin < kLongestType && wire::IsLower(text[begin - 1])) --begin;
    if (begin == end || begin == 0 || text[begin - 1] != '"') continue;
    std::string_view before = TrimmedRight(text.substr(0, begin - 1));
    if (!before.ends_with(':')) continue;
    before = TrimmedRight(before.substr(0, before.size() - 1));
    if (!before.ends_with('"')) continue;
    before.remove_suffix(1);
    const size_t open = before.rfind('"');
    if (open == before.npos || before.size() - open > kLongestName) continue;
    const std::string_view name = before.substr(open + 1);
    const std::string_view value = text.substr(begin, end - begin);
    if (name.find('\\') != name.npos) continue;
    const NamedSecret secret = SecretBeside(TellingOf(name), value, Written::kString);
    if (secret.sure && !secret.text.empty()) found->push_back({begin, value.size()});
  }
}

// Where the list of cookies begins, after its bracket; the end of the text: nowhere.
size_t StreamMembers::EnterCookies(std::string_view text, size_t from) {
  // The name may have come before.
  size_t at = from > kLongestName ? from - kLongestName : 0;
  while ((at = text.find(kCookies, at)) != text.npos) {
    at += kCookies.size();
    const size_t colon = PastBlanks(text, at);
    if (colon == text.size() || text[colon] != ':') continue;
    const size_t bracket = PastBlanks(text, colon + 1);
    if (bracket == text.size() || text[bracket] != '[' || bracket < from) continue;
    depth_ = 1;
    in_string_ = escape_ = value_due_ = false;
    return bracket + 1;
  }
  return text.size();
}

size_t StreamMembers::PassCookies(std::string_view text, size_t at, std::vector<Part>* found) {
  const char c = text[at];
  if (c == '\n' && in_string_) {
    depth_ = 0;  // no JSON
  } else if (in_string_) {
    if (escape_) {
      escape_ = false;
    } else if (c == '\\') {
      escape_ = true;
    } else if (c == '"') {
      EndString(text, at, found);
      return at + 1;
    }
    if (string_.size() <= kValue.size()) string_ += c;
  } else if (c == '"') {
    in_string_ = true;
    begun_before_ = false;
    string_.clear();
    string_at_ = at + 1;
  } else if (c == ':') {
    value_due_ = depth_ == 2 && string_ == kValue;
  } else if (c == ',') {
    value_due_ = false;
  } else if (c == '{' || c == '[') {
    value_due_ = false;
    if (++depth_ > kDeepest) depth_ = 0;
  } else if (c == '}' || c == ']') {
    value_due_ = false;
    --depth_;
  }
  if (depth_ == 0) in_string_ = false;
  return at + 1;
}

void StreamMembers::EndString(std::string_view text, size_t end, std::vector<Part>* found) {
  in_string_ = false;
  if (!std::exchange(value_due_, false)) return;
  const Part part = {string_at_, end - string_at_};
  const std::string_view value = text.substr(part.at, part.size);
  // What is known as a whole may be a placeholder.
  const NamedSecret secret = SecretBeside(Telling::kSecret, value, Written::kString);
  if (begun_before_ || (secret.sure && !secret.text.empty())) found->push_back(part);
}

}  // namespace midwire::trace::redact
