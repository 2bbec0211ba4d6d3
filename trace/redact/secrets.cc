#include "trace/redact/secrets.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <set>
#include <utility>

#include "trace/redact/nested_encoding.h"
#include "wire/json/ascii.h"
#include "wire/json/cursor.h"

namespace midwire::trace::redact {
namespace {

// Enough that two of many secrets rarely share a token, few enough for the ten of one digit.
constexpr uint32_t kAttempts = 64;
// By TokenForm. Numbers within a narrow range need several.
constexpr uint32_t kForms = 4;
constexpr uint32_t kAttemptsPerForm = 16;

// The size of a value's first piece: all of a short value, otherwise whole characters.
size_t PieceSize(std::string_view value) {
  if (value.size() <= 2 * Secrets::kPiece) return value.size();
  size_t size = 0;
  while (size < Secrets::kPiece) size += CharacterLength(value.substr(size));
  return size;
}

}  // namespace

Secrets::Secrets(const TokenKey& key, const std::vector<std::string>& words) : key_(key) {
  for (const std::string_view word : std::set<std::string_view>(words.begin(), words.end())) {
    (words_ += word) += '\n';
    longest_word_ = std::max(longest_word_, word.size());
  }
}

bool Secrets::IsWord(std::string_view value) const {
  return value.size() <= longest_word_ && value.find('\n') == value.npos &&
         words_.find(value) != words_.npos;
}

void Secrets::AddPiece(std::string_view value) {
  std::string token;
  for (uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
    token = TokenOf(value, key_, attempt);
    if (token != value && used_.count(token) == 0) break;
  }
  const auto [at, added] = tokens_.emplace(value, std::move(token));
  used_.insert(at->second);
  here_.insert(at->first);
  ++only_at_places_;
}

// From now on it is searched for.
void Secrets::Seek(std::string_view known) {
  if (known.size() < kMinElsewhere || here_.erase(known) == 0 || IsWord(known)) return;
  --only_at_places_;
  longest_ = std::max(longest_, known.size());
  const auto at = tokens_.find(known);
  sorted_.push_back({at->first, at->second});
}

bool Secrets::Add(std::string_view value, Where where) {
  if (value.empty()) return true;
  sealed_ = false;
  if (value.size() > 2 * kPiece && IsNumber(value)) {  // pieces of it would not be numbers
    ++count_;
    ++only_at_places_;
    return true;
  }
  const bool whole = value.size() <= 2 * kPiece;
  bool is_new = false;
  while (!value.empty()) {
    const std::string_view piece = value.substr(0, PieceSize(value));
    if (tokens_.find(piece) == tokens_.end()) {
      if (bytes_ + piece.size() > kMaxBytes) return false;
      bytes_ += piece.size();
      AddPiece(piece);
      is_new = true;
    }
    const std::string_view known = tokens_.find(piece)->first;
    if (where == Where::kAnywhere) Seek(known);
    // A number within a longer one is not replaced, and a piece is next to the rest.
    if (!whole) pieces_.insert(known);
    value.remove_prefix(piece.size());
  }
  count_ += is_new;
  return true;
}

void Secrets::SetToken(Tokens::iterator at, const std::string& token) {
  used_.erase(at->second);
  std::memcpy(at->second.data(), token.data(), token.size());  // views of it stay valid
  used_.insert(at->second);
}

bool Secrets::TryAnotherToken(std::string_view value) {
  const auto known = tokens_.find(value);
  if (known == tokens_.end()) return false;
  uint32_t& attempt = attempts_[known->first];
  while (++attempt < kForms * kAttemptsPerForm) {
    const auto form = static_cast<TokenForm>(attempt / kAttemptsPerForm);
    const std::string token = TokenOf(value, key_, attempt, form);
    if (token == value || used_.contains(token)) continue;
    SetToken(known, token);
    return true;
  }
  // None that keeps more is needed: none fits.
  SetToken(known, TokenOf(known->first, key_, attempt));
  return false;
}

void Secrets::Keep(std::string_view value) {
  const auto known = tokens_.find(value);
  if (known == tokens_.end() || known->second == value) return;
  SetToken(known, std::string(value));
  ++kept_;
}

void Secrets::Seal() {
  sealed_ = true;
  std::sort(sorted_.begin(), sorted_.end(),
            [](const Sought& a, const Sought& b) { return a.value < b.value; });
  for (size_t i = 0; i < sorted_.size(); ++i) {
    // A value that this one begins with sorts before it, and so does what that one begins with.
    int64_t within = static_cast<int64_t>(i) - 1;
    while (within >= 0 && !sorted_[i].value.starts_with(sorted_[within].value)) {
      within = sorted_[within].within;
    }
    sorted_[i].within = within;
    sorted_[i].number = IsNumber(sorted_[i].value) && !pieces_.contains(sorted_[i].value);
  }
  beginnings_.Build(sorted_, [](const Sought& one) { return one.value; });
}

const std::string* Secrets::Find(std::string_view value) const {
  const auto at = tokens_.find(value);
  return at == tokens_.end() ? nullptr : &at->second;
}

const Secrets::Sought* Secrets::MatchAt(std::string_view text) const {
  if (!beginnings_.MayMatch(text.data())) return nullptr;
  const Beginnings::Range range = beginnings_.Find(text.data());
  if (range.to == 0) return nullptr;
  text = text.substr(0, longest_);
  const auto from = sorted_.begin() + range.from, to = sorted_.begin() + range.to;
  const auto above = std::upper_bound(
      from, to, text,
      [](std::string_view wanted, const Sought& one) { return wanted < one.value; });
  if (above == from) return nullptr;
  // All values that `text` begins with are this one, or values that this one begins with.
  const Sought* one = &*(above - 1);
  const size_t same = static_cast<size_t>(
      std::mismatch(one->value.begin(), one->value.end(), text.begin(), text.end()).first -
      one->value.begin());
  while (one->value.size() > same) {
    if (one->within < 0) return nullptr;
    one = &sorted_[static_cast<size_t>(one->within)];
  }
  return one;
}

void Secrets::Replace(std::string* text) const {
  assert(sealed_);
  std::string before;  // the original text: each of several overlapping secrets is replaced
  std::string_view all = *text;
  struct Match {
    const Sought* one = nullptr;
    size_t at = 0, end = 0;
  };
  const auto match_at = [&](size_t at) {
    for (const Sought* one = MatchAt(all.substr(at)); one != nullptr; one = Within(*one)) {
      const size_t end = at + one->value.size();
      const bool inside =
          (at > 0 && wire::IsDigit(all[at - 1])) || (end < all.size() && wire::IsDigit(all[end]));
      if (!one->number || !inside) return Match{one, at, end};
    }
    return Match();
  };
  size_t done = 0;
  const auto write = [&](const Match& match) {
    if (before.empty()) all = before = *text;
    const size_t from = std::max(match.at, done);
    std::memcpy(text->data() + from, match.one->token.data() + (from - match.at), match.end - from);
    done = match.end;
  };
  Match over;  // begins before `done` and reaches farthest beyond
  for (size_t at = 0; at + kMinElsewhere <= all.size(); ++at) {
    const bool may = beginnings_.MayMatch(all.data() + at);
    if (!may && at > done) continue;
    const Match match = may ? match_at(at) : Match();
    if (at < done) {
      if (match.end > std::max(done, over.end)) over = match;
    } else if (match.one != nullptr) {
      write(match);
    } else if (at == done && over.end > done) {
      write(over);
    }
  }
  if (over.end > done) write(over);
}

void Secrets::Rewrite(std::string* text) const {
  if (!sorted_.empty()) Rewrite(text, kReplacedLayers);
}

void Secrets::Rewrite(std::string* text, int layers) const {
  Replace(text);
  if (layers == 0) return;
  RewriteSpelt(text, layers);
  RewriteBase64(text, kMinElsewhere, [&](std::string* bytes) { Rewrite(bytes, layers - 1); });
}

void Secrets::RewriteSpelt(std::string* spelt, int layers) const {
  RewriteUnescaped(*spelt, spelt->data(),
                   [&](std::string_view, std::string* value) { Rewrite(value, layers - 1); });
}

void Secrets::RewriteJson(std::string* json) const {
  if (sorted_.empty()) return;
  std::string piece;
  // A token has the size and kind of what it replaces, so that the cursor can continue after it.
  wire::JsonCursor<> cursor(*json);
  for (wire::JsonToken token; (token = cursor.Next()) != wire::JsonToken::kEnd;) {
    const std::string_view text = cursor.text();
    char* const at = json->data() + (text.data() - json->data());
    if (text.front() == '"') {
      piece.assign(text.substr(1, text.size() - std::min<size_t>(text.size(), 2)));
      // With escapes only the value matters: changing half an escape would break it.
      piece.find('\\') == piece.npos ? Rewrite(&piece) : RewriteSpelt(&piece, kReplacedLayers);
      std::memcpy(at + 1, piece.data(), piece.size());
    } else if (token == wire::JsonToken::kScalar && text.size() >= kMinElsewhere) {
      const std::string* const known = Find(text);
      if (known != nullptr) std::memcpy(at, known->data(), known->size());
    }
  }
}

std::string Secrets::TokenFor(std::string_view value) const {
  if (value.size() > 2 * kPiece && IsNumber(value)) return TokenOf(value, key_);
  std::string token;
  while (!value.empty()) {
    const std::string_view piece = value.substr(0, PieceSize(value));
    const std::string* known = Find(piece);
    // The value may never have been added, such as one that was appended to the trace meanwhile.
    token += known != nullptr ? *known : TokenOf(piece, key_);
    value.remove_prefix(piece.size());
  }
  return token;
}

void Secrets::RewriteAll(char* spelt, size_t size) const {
  RewriteValue({spelt, size}, spelt,
               [&](std::string_view value, std::string* now) { *now = TokenFor(value); });
}

}  // namespace midwire::trace::redact
