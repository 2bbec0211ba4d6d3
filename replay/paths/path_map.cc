#include "replay/paths/path_map.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "wire/json/ascii.h"

namespace midwire::replay {
namespace {

// A scheme, "://" and the name of a host, which has at most 253 bytes: RFC 1035.
constexpr size_t kMaxHost = 300;

bool IsHigh(char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; }

// What a name in a path usually consists of. Blanks, quotes and brackets end a path in prose.
bool IsOfName(char c) {
  return wire::IsAlphanumeric(c) || std::string_view("_-.~+@%").find(c) != std::string_view::npos;
}

// The byte that "%2F" at `at` stands for.
std::optional<char> Encoded(std::string_view text, size_t at) {
  if (at + 3 > text.size() || text[at] != '%') return std::nullopt;
  const int high = wire::HexValue(text[at + 1]), low = wire::HexValue(text[at + 2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

// Quotation marks of prose, as compilers print them: U+2010 to U+203F, and U+00AB and U+00BB.
bool IsQuote(std::string_view text) {
  return text.starts_with("\xE2\x80") || text.starts_with("\xC2\xAB") ||
         text.starts_with("\xC2\xBB");
}

bool IsQuoteBefore(std::string_view text, size_t at) {
  return (at >= 3 && IsQuote(text.substr(at - 3, 3))) ||
         (at >= 2 && text[at - 2] == '\xC2' && IsQuote(text.substr(at - 2, 2)));
}

// An option of a compiler has its path without a blank: -I/home/ada.
bool IsOptionBefore(std::string_view text, size_t at) {
  size_t start = at;
  while (start > 0 && wire::IsLetter(text[start - 1])) --start;
  if (start == at || start == 0 || text[start - 1] != '-') return false;
  return start == 1 || (!IsOfName(text[start - 2]) && text[start - 2] != '/');
}

bool BeginsAt(std::string_view text, size_t at, bool absolute) {
  if (at == 0) return true;
  char before = text[at - 1];
  if (at >= 3) before = Encoded(text, at - 3).value_or(before);
  if (!absolute && before == '/') return true;
  if (before == '@' || (before != '/' && !IsOfName(before) && !IsHigh(before))) return true;
  return IsQuoteBefore(text, at) || (absolute && (IsUriPath(text, at) || IsOptionBefore(text, at)));
}

bool EndsAt(std::string_view text, size_t at) {
  // A full stop after a path is not a part of it.
  while (at < text.size() && text[at] == '.' && (at + 1 == text.size() || text[at + 1] != '/')) {
    if (++at < text.size() && IsOfName(text[at]) && text[at] != '.') return false;
  }
  if (at == text.size()) return true;
  const std::optional<char> encoded = Encoded(text, at);
  if (encoded == ' ') return false;  // of a name: blanks between paths are not encoded
  const char after = encoded.value_or(text[at]);
  return (!IsOfName(after) && !IsHigh(after)) || IsQuote(text.substr(at));
}

// Where `path` ends if the text has it at `at`, in any mix of plain and percent-encoded bytes.
std::optional<size_t> MatchAt(std::string_view text, size_t at, std::string_view path) {
  for (const char c : path) {
    if (at < text.size() && text[at] == c) {
      ++at;
    } else if (Encoded(text, at) == c) {
      at += 3;
    } else {
      return std::nullopt;
    }
  }
  return at;
}

std::string LongestWord(std::string_view path) {
  std::string_view longest;
  for (size_t i = 0; i < path.size(); ++i) {
    size_t end = i;
    while (end < path.size() && wire::IsAlphanumeric(path[end])) ++end;
    if (end - i > longest.size()) longest = path.substr(i, end - i);
    i = end;
  }
  return std::string(longest);
}

std::string WithoutLastSlashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

bool IsUriPath(std::string_view text, size_t at) {
  const size_t start = at - std::min(at, kMaxHost);
  const std::string_view before = text.substr(start, at - start);
  if (before.ends_with("file:")) return true;
  const size_t slashes = before.rfind("://");
  if (slashes == before.npos || slashes == 0 || !wire::IsAlphanumeric(before[slashes - 1]))
    return false;
  const std::string_view host = before.substr(slashes + 3);
  return std::all_of(host.begin(), host.end(),
                     [](char c) { return IsOfName(c) || c == ':' || c == '[' || c == ']'; });
}

std::string PercentEncoded(std::string_view path, std::string_view like) {
  bool lower = false;
  for (size_t at = 0; at < like.size(); ++at) {
    if (!Encoded(like, at)) continue;
    const auto is_lower = [](char c) { return c >= 'a'; };
    lower = lower || is_lower(like[at + 1]) || is_lower(like[at + 2]);
  }
  const char* const digits = lower ? "0123456789abcdef" : "0123456789ABCDEF";
  const bool encoded_slash = !like.empty() && like.find('/') == like.npos;
  std::string encoded;
  for (const char c : path) {
    const bool plain = wire::IsAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~' ||
                       (c == '/' && !encoded_slash) ||
                       (c != '%' && c != '/' && like.find(c) != like.npos);
    if (plain) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += digits[static_cast<unsigned char>(c) >> 4];
      encoded += digits[static_cast<unsigned char>(c) & 15];
    }
  }
  return encoded;
}

PathMap::PathMap(PathPairs pairs, bool verbatim) : verbatim_(verbatim) {
  for (size_t i = 0; i < pairs.size(); ++i) {
    Entry entry = {.from = WithoutLastSlashes(std::move(pairs[i].from)),
                   .to = WithoutLastSlashes(std::move(pairs[i].to)),
                   .index = i};
    const bool known = std::any_of(entries_.begin(), entries_.end(),
                                   [&](const Entry& other) { return other.from == entry.from; });
    if (entry.from.empty() || entry.from == "/" || entry.to.empty() || known) continue;
    entry.needle = LongestWord(entry.from);
    any_ = any_ || entry.from != entry.to;
    entries_.push_back(std::move(entry));
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.from.size() > b.from.size(); });
}

bool PathMap::MayFind(std::string_view bytes) const {
  // Called with each frame of a trace: memmem is several times as fast as find.
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return memmem(bytes.data(), bytes.size(), entry.needle.data(), entry.needle.size()) != nullptr;
  });
}

void PathMap::Find(std::string_view text, TextEdits* edits, std::vector<bool>* used) const {
  if (!MayFind(text)) return;
  for (size_t at = 0; at < text.size();) {
    size_t next = at + 1;
    for (const Entry& entry : entries_) {
      if (text[at] != entry.from[0] && text[at] != '%') continue;
      const std::optional<size_t> end = MatchAt(text, at, entry.from);
      if (!end || !BeginsAt(text, at, entry.from[0] == '/') || !EndsAt(text, *end)) continue;
      next = *end;
      if (used) (*used)[entry.index] = true;
      if (entry.from == entry.to) break;
      const std::string_view spelt = text.substr(at, *end - at);
      const bool encoded = spelt != entry.from || IsUriPath(text, at);
      const bool slash_follows =
          Encoded(text, *end).value_or(*end < text.size() ? text[*end] : 0) == '/';
      const std::string_view to = entry.to == "/" && slash_follows ? std::string_view() : entry.to;
      edits->push_back(
          {at, *end, encoded && !verbatim_ ? PercentEncoded(to, spelt) : std::string(to)});
      break;
    }
    at = next;
  }
}

std::string PathMap::Map(std::string_view text) const {
  TextEdits edits;
  Find(text, &edits);
  return Edited(text, edits);
}

PathMap PathMap::Reversed() const {
  PathPairs pairs;
  for (const Entry& entry : entries_) pairs.push_back({entry.to, entry.from});
  return PathMap(std::move(pairs));
}

}  // namespace midwire::replay
