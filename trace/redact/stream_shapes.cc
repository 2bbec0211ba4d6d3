#include "trace/redact/stream_shapes.h"

#include <algorithm>
#include <utility>

#include "trace/redact/nested_encoding.h"
#include "trace/redact/telling_names.h"
#include "wire/json/ascii.h"

namespace midwire::trace::redact {
namespace {

// What shows that a word is a secret comes before it: "Authorization: Bearer ", "client_secret": ".
constexpr size_t kBefore = 256;
// Keys of a known length are shorter. Of a longer word, this much at its end is still held.
constexpr size_t kTail = 1024;
// Of 16384 bits, with headers and escapes.
constexpr size_t kMaxPrivateKey = 32 * 1024;
constexpr std::string_view kBegin = "-----BEGIN ";
constexpr std::string_view kEnd = "PRIVATE KEY";

// The characters that any shape may have within its secret.
bool IsOfWord(char c) {
  return static_cast<unsigned char>(c) > ' ' &&
         std::string_view("\"',;&<>(){}").find(c) == std::string_view::npos;
}

// Where a header "-----BEGIN RSA PRIVATE KEY-----" ends in `text`; npos: nowhere after `from`.
size_t EndOfPrivateKeyHeader(std::string_view text, size_t from) {
  for (size_t at = text.find(kEnd); at != text.npos; at = text.find(kEnd, at + 1)) {
    size_t end = at + kEnd.size();
    if (text.substr(end).starts_with(" BLOCK")) end += 6;
    if (!text.substr(end).starts_with("-----") || end + 5 <= from) continue;
    const size_t begin = text.substr(0, at).rfind(kBegin);
    if (begin == text.npos || at - begin > kBegin.size() + 40) continue;
    if (text.substr(begin + kBegin.size(), at - begin - kBegin.size()).find('-') != text.npos) {
      continue;  // this is the end of a key
    }
    return end + 5;
  }
  return text.npos;
}

// "integer", "boolean", "varchar" are the longest types that texts mention.
constexpr size_t kLongestType = 8;
// Longer names are of no use (TellingOf).
constexpr size_t kLongestName = 64;
// A list of cookies has objects in it, and hardly anything in these.
constexpr size_t kDeepest = 16;
constexpr std::string_view kCookies = "ookies\"";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kValue = "value";

// Where a member "value" begins whose object has not ended: a name that shows what it is may follow
// it ({"value":"...","name":"API_KEY"}). The end of the text: nowhere. Its first quote may have
// come before.
size_t OpenValue(std::string_view text) {
  static constexpr std::string_view kRest = "alue";
  const size_t brace = text.find_last_of("{}");
  size_t at = text.find(kRest, brace == text.npos ? 0 : brace + 1);
  for (; at != text.npos; at = text.find(kRest, at + 1)) {
    if (at == 0 || (text[at - 1] != 'v' && text[at - 1] != 'V')) continue;
    if (at > 1 && text[at - 2] != '"') continue;
    const size_t end = std::min(text.find_first_not_of('\\', at + kRest.size()), text.size());
    if (end == text.size() || text[end] == '"') return at - 1;
  }
  return text.size();
}

std::string_view TrimmedRight(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

size_t PastBlanks(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

}  // namespace

void StreamShapes::Feed(std::string_view bytes, std::string* out) {
  held_ += bytes;
  while (!held_.empty()) {
    if (inside_ != Inside::kNothing && !PassInside(out)) return;
    if (EnterPrivateKey(out)) continue;
    size_t word = held_.size();
    while (word > 0 && IsOfWord(held_[word - 1])) --word;
    if (held_.size() - word > kMaxHeld) return Overflow(word, out);
    const size_t value = OpenValue(held_);
    return Release(held_.size() - value > kMaxHeld ? word : std::min(word, value), out);
  }
}

void StreamShapes::Finish(std::string* out) {
  Release(held_.size(), out);
  inside_ = Inside::kNothing;
}

// The header of a private key is public; what follows it is replaced byte by byte.
bool StreamShapes::EnterPrivateKey(std::string* out) {
  const std::string text = before_ + held_;
  const size_t end = EndOfPrivateKeyHeader(text, before_.size());
  if (end == text.npos) return false;
  Release(end - before_.size(), out);
  Enter(Inside::kPrivateKey);
  return true;
}

void StreamShapes::Enter(Inside inside) {
  inside_ = inside;
  escape_ = dashes_ = size_ = 0;
}

// Replaces the bytes of a secret that has begun. False: all that is known belongs to it.
bool StreamShapes::PassInside(std::string* out) {
  std::string token;
  size_t at = 0;
  for (; at < held_.size() && inside_ != Inside::kNothing; ++at) {
    const char c = held_[at];
    if (inside_ == Inside::kWord && !IsOfWord(c) && escape_ == 0) break;
    ++size_;
    if (escape_ > 0) {
      escape_ = c == 'u' ? 4 : escape_ - 1;
      token += c;
      continue;
    }
    dashes_ = c == '-' ? dashes_ + 1 : 0;
    const bool ends = dashes_ == 5 || c == '"' || size_ == kMaxPrivateKey;
    if (inside_ == Inside::kPrivateKey && ends) inside_ = Inside::kNothing;
    if (c == '\\') escape_ = 1;
    token += TokenOfByte(c);
  }
  if (at < held_.size()) inside_ = Inside::kNothing;
  Remember(token);
  *out += token;
  held_.erase(0, at);
  return inside_ == Inside::kNothing;
}

// Releases bytes that are complete: no secret begins in them and ends after them.
void StreamShapes::Release(size_t size, std::string* out) {
  if (size == 0) return;
  const std::string came = before_ + held_.substr(0, size);
  std::string spelt = came;
  RewriteValue(came, spelt.data(), [&](std::string_view value, std::string* now) {
    EachMatch(*patterns_, value, Patterns::Rules::kAll, now->data(),
              [&](const Patterns::Match&, bool, std::string_view secret, char* to) {
                TokenOf(secret, key_).copy(to, secret.size());
              });
  });
  for (const StreamMembers::Part& part : members_.Find(came, before_.size())) {
    // The bytes as they came: a pattern may have replaced a part of them.
    std::string token = came.substr(part.at, part.size);
    RewriteValue(token, token.data(),
                 [&](std::string_view value, std::string* now) { *now = TokenOf(value, key_); });
    spelt.replace(part.at, part.size, token);
  }
  out->append(spelt, before_.size());
  Remember(std::string_view(held_).substr(0, size));
  held_.erase(0, size);
}

// A word that begins at `word` is longer than kMaxHeld. If a secret reaches its end, that secret
// goes on; otherwise all but the tail is released.
void StreamShapes::Overflow(size_t word, std::string* out) {
  const std::string text = before_ + held_;
  size_t cut = std::max(word, held_.size() - kTail) + before_.size();
  for (const Patterns::Match& match : patterns_->Find(text)) {
    if (match.end() == text.size()) {  // it may go on
      if (text.size() - match.at > kMaxHeld) {
        Release(held_.size(), out);
        return Enter(Inside::kWord);
      }
      cut = std::min(cut, match.at);
    } else if (match.at < cut && match.end() > cut) {
      cut = match.end();
    }
  }
  cut = std::max(cut, before_.size());
  Release(cut - before_.size(), out);
}

void StreamShapes::Remember(std::string_view released) {
  before_ += released;
  if (before_.size() > kBefore) before_.erase(0, before_.size() - kBefore);
}

char StreamShapes::TokenOfByte(char c) {
  if (!wire::IsAlphanumeric(c)) return c;
  return TokenOf("x" + std::to_string(size_) + c, key_).back();
}

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
