#include "wire/secrets.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "wire/layers.h"

namespace midwire::wire {
namespace {

// Enough that two of many secrets hardly share a token, few enough for the ten of one digit.
constexpr uint32_t kAttempts = 64;
// Base64 of the shortest secret that is looked for, wherever in a group it begins.
constexpr size_t kMinRun = Secrets::kMinElsewhere * 4 / 3;

uint64_t Beginning(const char* text) {
  uint64_t beginning = 0;
  std::memcpy(&beginning, text, Secrets::kMinElsewhere);
  return beginning;
}

size_t FilterBit(uint64_t beginning) { return beginning * 0x9e3779b97f4a7c15u >> 48; }

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Secrets::Secrets(const TokenKey& key, std::vector<std::string> words)
    : key_(key), words_(std::move(words)) {}

bool Secrets::IsWord(std::string_view value) const {
  return std::any_of(words_.begin(), words_.end(),
                     [&](const std::string& word) { return word.find(value) != word.npos; });
}

bool Secrets::Add(std::string_view value) {
  if (value.empty() || tokens_.find(value) != tokens_.end()) return true;
  if (bytes_ + value.size() > kMaxBytes) return false;
  bytes_ += value.size();
  std::string token;
  for (uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
    token = TokenOf(value, key_, attempt);
    if (token != value && used_.count(token) == 0) break;
  }
  const auto [at, added] = tokens_.emplace(value, std::move(token));
  used_.insert(at->second);
  if (value.size() < kMinElsewhere || IsWord(value)) {
    ++only_at_places_;
    return true;
  }
  longest_ = std::max(longest_, value.size());
  const uint64_t beginning = Beginning(value.data());
  lengths_[beginning].insert(value.size());
  filter_.set(FilterBit(beginning));
  return true;
}

const std::string* Secrets::Find(std::string_view value) const {
  const auto at = tokens_.find(value);
  return at == tokens_.end() ? nullptr : &at->second;
}

void Secrets::Replace(std::string* text) const {
  const std::string_view all = *text;
  for (size_t at = 0; at + kMinElsewhere <= all.size(); ++at) {
    const uint64_t beginning = Beginning(all.data() + at);
    if (!filter_.test(FilterBit(beginning))) continue;
    const auto lengths = lengths_.find(beginning);
    if (lengths == lengths_.end()) continue;
    for (const size_t length : lengths->second) {
      const std::string_view value = all.substr(at, length);
      const std::string* token = value.size() == length ? Find(value) : nullptr;
      if (token == nullptr) continue;
      const bool inside = (at > 0 && IsDigit(all[at - 1])) ||
                          (at + length < all.size() && IsDigit(all[at + length]));
      if (inside && IsNumber(value)) continue;
      std::memcpy(text->data() + at, token->data(), length);
      at += length - 1;
      break;
    }
  }
}

void Secrets::Rewrite(std::string* text, int layers) const {
  Replace(text);
  if (layers == 0) return;
  if (text->find('\\') != text->npos) RewriteSpelt(text, layers);
  RewriteBase64(text, layers);
}

void Secrets::RewriteSpelt(std::string* spelt, int layers) const {
  Unescaped unescaped(*spelt);
  if (!unescaped.any()) return;
  Rewrite(&unescaped.text, layers - 1);
  unescaped.WriteBack(spelt->data());
}

void Secrets::RewriteBase64(std::string* text, int layers) const {
  std::string bytes, before;
  for (size_t at = 0; at < text->size(); ++at) {
    const size_t run = Base64Run(std::string_view(*text).substr(at));
    // What looks like base64 may begin before it does, as in "token/aGVsbG8": any of four
    // groupings.
    for (size_t skip = 0; skip < 4 && run >= kMinRun + skip; ++skip) {
      DecodeBase64Run(std::string_view(*text).substr(at + skip, run - skip), &bytes);
      before = bytes;
      Rewrite(&bytes, layers - 1);
      if (bytes == before) continue;
      EncodeBase64Run(before, bytes, text->data() + at + skip, run - skip);
    }
    at += run;
  }
}

void Secrets::RewriteJson(std::string* json) const {
  if (lengths_.empty()) return;
  std::string piece;
  for (size_t at = 0; at < json->size(); ++at) {
    const char c = (*json)[at];
    if (c == '"') {
      const size_t from = ++at;
      while (at < json->size() && (*json)[at] != '"') at += (*json)[at] == '\\' ? 2 : 1;
      piece.assign(*json, from, std::min(at, json->size()) - from);
      // With escapes only what it says counts: to change half an escape would break it.
      piece.find('\\') == piece.npos ? Rewrite(&piece) : RewriteSpelt(&piece, kLayers);
      std::memcpy(json->data() + from, piece.data(), piece.size());
    } else if (IsDigit(c) || c == '-') {
      const size_t end = std::min(json->find_first_not_of("0123456789+-.eE", at), json->size());
      const std::string_view number = std::string_view(*json).substr(at, end - at);
      const std::string* token = number.size() < kMinElsewhere ? nullptr : Find(number);
      if (token != nullptr) std::memcpy(json->data() + at, token->data(), token->size());
      at = end - 1;
    }
  }
}

void Secrets::RewriteAll(char* spelt, size_t size) const {
  const std::string_view value(spelt, size);
  Unescaped unescaped(value);
  const std::string* token = Find(unescaped.text);
  // Of one that was never added, as of one that a trace gained meanwhile.
  unescaped.text = token != nullptr ? *token : TokenOf(unescaped.text, key_);
  unescaped.WriteBack(spelt);
}

}  // namespace midwire::wire
