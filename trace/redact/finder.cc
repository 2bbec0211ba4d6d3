#include "trace/redact/finder.h"

#include <cstring>

#include "trace/redact/nested_encoding.h"
#include "trace/redact/randomness.h"
#include "trace/redact/secrets.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace::redact {
namespace {

// Of characters of base64. Keys have at most hundreds. Certificates and tokens with claims have a
// few thousand, and shapes by which they are found.
constexpr size_t kLongEncoded = 1024;

constexpr bool IsWordChar(char c) {
  return wire::IsAlphanumeric(c) || c == '-' || c == '_' || c == '+' || c == '=';
}

bool IsNestedJson(std::string_view text) {
  const size_t at = text.find_first_not_of(" \t\r\n");
  return at != text.npos && (text[at] == '{' || text[at] == '[') && wire::IsLooseJson(text);
}

// The length of the text in base64 that begins there; 0: it is short.
size_t LongEncodedAt(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && (IsWordChar(text[length]) || text[length] == '/')) ++length;
  return length >= kLongEncoded ? length : 0;
}

// Returns whether it is surely a secret. now: where the value is in the text that is changed.
bool Put(std::string_view value, const Found& found, const Finder::Take& take, char* now) {
  if (now != nullptr && std::string_view(now, value.size()) != value) return found.sure;
  const std::string token = take(value, found);
  if (now != nullptr && found.sure) std::memcpy(now, token.data(), token.size());
  return found.sure;
}

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Finder::Finder(const SecretPlaces* places, const Patterns* patterns, bool audit)
    : places_(places),
      patterns_(patterns),
      nested_{.places = {}, .names = places->names, .telling = places->telling},
      audit_(audit) {}

void Finder::InMessage(std::string_view json, std::optional<std::string_view> method,
                       const Take& take, char* now) const {
  InJson(json, method, *places_, {}, kSearchedLayers, take, now);
}

void Finder::InText(std::string_view text, const Take& take, char* now) const {
  InString(text, {}, kSearchedLayers, take, now);
}

// `where` has the pointer of the string that the JSON text is in.
bool Finder::InJson(std::string_view json, std::optional<std::string_view> method,
                    const SecretPlaces& places, const Found& where, int layers, const Take& take,
                    char* now) const {
  const bool in_strings = !FindsNothingInStrings();
  if (places.empty() && !in_strings) return false;
  bool any = false;
  const auto found_at = [&](const wire::Path& path) {
    Found found = where;
    if (audit_ && layers == kSearchedLayers) found.pointer = wire::PointerText(path);
    return found;
  };
  // Calls look(value, to) with a value without its escapes. `to`: where it is in the copy.
  const auto without_escapes = [&](std::string_view spelt, char* at, const auto& look) {
    if (spelt.find('\\') == spelt.npos) return look(spelt, at);
    RewriteValue(spelt, at, [&](std::string_view value, std::string* to) {
      look(value, at == nullptr ? nullptr : to->data());
    });
  };
  const auto now_at = [&](std::string_view part) {
    return now == nullptr ? nullptr : now + (part.data() - json.data());
  };
  const auto take_placed = [&](const wire::Path& path, const PlacedSecret& secret) {
    Found found = found_at(path);
    found.sure = secret.sure;
    if (secret.telling) {
      found.rule = secret.sure ? "named" : "telling-name";
    } else if (audit_) {
      const SecretReason reason = ReasonOf(json, path, places);
      found.rule = reason.kind;
      found.text = reason.text;
    }
    any |= secret.sure;
    const std::string_view spelt = Inner(secret.value);
    char* const at = now_at(spelt);
    if (at != nullptr && std::string_view(at, spelt.size()) != spelt) return;
    without_escapes(spelt, at,
                    [&](std::string_view value, char* to) { Put(value, found, take, to); });
  };
  const auto look_into = [&](const wire::Path& path, std::string_view spelt) {
    without_escapes(spelt, now_at(spelt), [&](std::string_view value, char* to) {
      any |= InString(value, found_at(path), layers, take, to);
    });
  };
  WalkSecrets(
      json, method, places,
      [&](const wire::Path& path) {
        const std::string_view name = Inner(path.back().name);
        const bool looks = in_strings && now == nullptr;
        if (looks && name.size() >= Secrets::kMinElsewhere) look_into(path, name);
      },
      [&](const wire::Path& path, std::string_view value, const PlacedSecret* secret) {
        if (secret != nullptr) take_placed(path, *secret);
        if (!in_strings || (secret != nullptr && secret->sure)) return;  // found once
        // A number with a token for a part of it would be none: it is only looked at.
        if (value.starts_with('"') || now == nullptr) look_into(path, Inner(value));
      });
  return any;
}

bool Finder::InString(std::string_view value, const Found& where, int layers, const Take& take,
                      char* now) const {
  if (FindsNothingInStrings()) return false;
  const bool nested = layers > 0 && IsNestedJson(value);
  bool any = nested && InJson(value, {}, nested_, where, layers - 1, take, now);
  EachMatch(*patterns_, value, nested ? Patterns::Rules::kExpressions : Patterns::Rules::kAll, now,
            [&](const Patterns::Match& match, bool apart, std::string_view secret, char* to) {
              Found found = where;
              if (layers == kSearchedLayers) found.at += match.at;
              found.rule = match.expression ? "expression" : match.rule;
              found.text = match.expression ? match.rule : "";
              found.word = match.word;
              found.apart = apart;
              any |= Put(secret, found, take, to);
            });
  if (!nested && layers > 0) {
    RewriteUnescaped(value, now, [&](std::string_view text, std::string* to) {
      any |= InString(text, where, layers - 1, take, now == nullptr ? nullptr : to->data());
    });
  }
  if (audit_ && layers == kSearchedLayers && !any) FindWords(value, where, take);
  return any;
}

void Finder::FindWords(std::string_view value, const Found& where, const Take& take) const {
  for (size_t at = 0; at < value.size();) {
    const size_t from = at;
    // At the first character of a run: looked at once.
    if (from == 0 || !(IsWordChar(value[from - 1]) || value[from - 1] == '/')) {
      if (const size_t length = LongEncodedAt(value.substr(from)); length > 0) {
        take(value.substr(from, length), {where.pointer, where.at + from, kNotSearched, "", false});
        at += length;
        continue;
      }
    }
    while (at < value.size() && IsWordChar(value[at])) ++at;
    const std::string_view word = value.substr(from, at - from);
    if (IsRandomKey(word)) {
      take(word, {where.pointer, where.at + from, "random-word", "", false});
    }
    if (at == from) ++at;
  }
}

void Finder::InArguments(const std::vector<std::string>& arguments, const Take& take,
                         std::vector<std::string>* now) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    InArgument(arguments, i, take, now ? (*now)[i].data() : nullptr);
  }
}

void Finder::InArgument(const std::vector<std::string>& arguments, size_t i, const Take& take,
                        char* now) const {
  const std::string_view argument = arguments[i];
  const auto put = [&](std::string_view part, size_t at, const Found& found) {
    return Put(part, found, take, now == nullptr ? nullptr : now + at);
  };
  Found found;
  found.pointer = "/argv/" + std::to_string(i);
  const std::string_view before = i > 0 ? std::string_view(arguments[i - 1]) : "";
  const bool option = before.starts_with('-') && before.find('=') == before.npos;
  if (option && places_->telling && !IsOption(argument)) {
    const NamedSecret named = SecretBeside(TellingOf(before), argument, Written::kString);
    if (!named.text.empty()) {
      found.rule = named.sure ? "named" : "telling-name";
      found.sure = named.sure;
      if (put(named.text, static_cast<size_t>(named.text.data() - argument.data()), found)) return;
      found.sure = true;
    }
  }
  if (InString(argument, found, kSearchedLayers, take, now) || i == 0) return;
  // "mysql", "-pPASSWORD": what the option means depends on the program.
  std::string line = std::string(FileName(arguments[0])) + " ";
  if (option) (line += before) += ' ';
  const size_t begin = line.size();
  line += argument;
  for (const Patterns::Match& match : patterns_->Find(line)) {
    if (match.at < begin || match.expression) continue;
    found.rule = match.rule;
    found.word = match.word;
    put(argument.substr(match.at - begin, match.size), match.at - begin, found);
  }
}

}  // namespace midwire::trace::redact
