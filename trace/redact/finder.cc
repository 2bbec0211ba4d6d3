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

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

// What happens to a secret: it is only looked at, or replaced.
class Finder::Sink {
 public:
  Sink(const Finder::Take& take, bool hides) : take_(take), hides_(hides) {}

  bool hides() const { return hides_; }
  size_t taken() const { return taken_; }
  // now: where the value is in the text that is changed.
  void Take(std::string_view value, const Found& found, char* now) const {
    taken_ += found.sure;
    if (hides_ && (!found.sure || std::string_view(now, value.size()) != value)) return;
    const std::string token = take_(value, found);
    if (hides_) std::memcpy(now, token.data(), token.size());
  }
  // With JSON escapes.
  void TakeSpelt(std::string_view spelt, const Found& found, char* now) const {
    if (spelt.find('\\') == spelt.npos) return Take(spelt, found, now);
    if (hides() && std::string_view(now, spelt.size()) != spelt) return;
    RewriteValue(spelt, now,
                 [&](std::string_view value, std::string* to) { Take(value, found, to->data()); });
  }

 private:
  const Finder::Take& take_;
  const bool hides_;
  mutable size_t taken_ = 0;
};

Finder::Finder(const SecretPlaces* places, const Patterns* patterns, bool audit)
    : places_(places),
      patterns_(patterns),
      nested_{.places = {}, .names = places->names, .telling = places->telling},
      audit_(audit) {}

void Finder::InMessage(std::string_view json, std::optional<std::string_view> method,
                       const Take& take, char* now) const {
  InJson(json, method, *places_, {}, kSearchedLayers, Sink(take, now != nullptr), now);
}

void Finder::InText(std::string_view text, const Take& take, char* now) const {
  InString(text, {}, kSearchedLayers, Sink(take, now != nullptr), now);
}

// `where` has the pointer of the string that the JSON text is in.
void Finder::InJson(std::string_view json, std::optional<std::string_view> method,
                    const SecretPlaces& places, const Found& where, int layers, const Sink& sink,
                    char* now) const {
  const bool in_strings = !FindsNothingInStrings();
  if (places.empty() && !in_strings) return;
  const auto now_at = [&](std::string_view part) {
    return now == nullptr ? nullptr : now + (part.data() - json.data());
  };
  const auto found_at = [&](const wire::Path& path) {
    Found found = where;
    if (audit_ && layers == kSearchedLayers) found.pointer = wire::PointerText(path);
    return found;
  };
  const auto look = [&](const wire::Path& path, std::string_view spelt) {
    const Found found = found_at(path);
    const std::string_view inner = Inner(spelt);
    if (inner.find('\\') == inner.npos) {
      InString(inner, found, layers, sink, now_at(inner));
      return;
    }
    RewriteValue(inner, now_at(inner), [&](std::string_view value, std::string* to) {
      InString(value, found, layers, sink, to->data());
    });
  };
  WalkSecrets(
      json, method, places,
      [&](const wire::Path& path) {
        const std::string_view name = path.back().name;
        if (in_strings && !sink.hides() && name.size() >= 2 + Secrets::kMinElsewhere) {
          look(path, name);
        }
      },
      [&](const wire::Path& path, std::string_view value, const PlacedSecret* secret) {
        if (secret != nullptr) {
          Found found = found_at(path);
          found.sure = secret->sure;
          if (secret->telling) {
            found.rule = secret->sure ? "named" : "telling-name";
          } else if (audit_) {
            const SecretReason reason = ReasonOf(json, path, places);
            found.rule = reason.kind;
            found.text = reason.text;
          }
          const std::string_view spelt = Inner(secret->value);
          sink.TakeSpelt(spelt, found, now_at(spelt));
          if (secret->sure) return;  // found once
        }
        // A number that an expression finds in part would be none with a token in it.
        if (in_strings && (value.starts_with('"') || !sink.hides())) look(path, value);
      });
}

void Finder::InString(std::string_view value, const Found& where, int layers, const Sink& sink,
                      char* now) const {
  if (FindsNothingInStrings()) return;
  const size_t before = sink.taken();
  const bool nested = layers > 0 && IsNestedJson(value);
  if (nested) InJson(value, {}, nested_, where, layers - 1, sink, now);
  FindPatterns(value, nested ? Patterns::Rules::kExpressions : Patterns::Rules::kAll, where,
               /*outermost=*/layers == kSearchedLayers, sink, now);
  if (!nested && layers > 0) {
    RewriteUnescaped(value, now, [&](std::string_view text, std::string* to) {
      InString(text, where, layers - 1, sink, to->data());
    });
  }
  if (audit_ && layers == kSearchedLayers && sink.taken() == before) FindWords(value, where, sink);
}

void Finder::FindPatterns(std::string_view value, Patterns::Rules rules, const Found& where,
                          bool outermost, const Sink& sink, char* now) const {
  std::optional<Unstyled> unstyled;
  if (Unstyled::IsNeeded(value)) unstyled.emplace(value);
  const std::string_view text = unstyled ? unstyled->text() : value;
  std::string hidden;  // of a secret with styles in it
  Found found = where;
  for (const Patterns::Match& match : patterns_->Find(text, rules)) {
    const size_t at = unstyled ? unstyled->At(match.at) : match.at;
    found.at = outermost ? where.at + at : where.at;
    found.rule = match.expression ? "expression" : match.rule;
    found.text = match.expression ? match.rule : "";
    found.word = match.word;
    found.apart = unstyled && unstyled->IsApart(match.at, match.size);
    const std::string_view secret = text.substr(match.at, match.size);
    if (now == nullptr || !found.apart) {
      sink.Take(secret, found, now == nullptr ? now : now + at);
      continue;
    }
    hidden = secret;
    sink.Take(secret, found, hidden.data());
    for (size_t i = 0; i < secret.size(); ++i) {
      if (hidden[i] != secret[i]) now[unstyled->At(match.at + i)] = hidden[i];
    }
  }
}

void Finder::FindWords(std::string_view value, const Found& where, const Sink& sink) const {
  for (size_t at = 0; at < value.size();) {
    const size_t from = at;
    // At the first character of a run: looked at once.
    if (from == 0 || !(IsWordChar(value[from - 1]) || value[from - 1] == '/')) {
      if (const size_t length = LongEncodedAt(value.substr(from)); length > 0) {
        sink.Take(value.substr(from, length),
                  {where.pointer, where.at + from, kNotSearched, "", false}, nullptr);
        at += length;
        continue;
      }
    }
    while (at < value.size() && IsWordChar(value[at])) ++at;
    const std::string_view word = value.substr(from, at - from);
    if (IsRandomKey(word)) {
      sink.Take(word, {where.pointer, where.at + from, "random-word", "", false}, nullptr);
    }
    if (at == from) ++at;
  }
}

void Finder::InArguments(const std::vector<std::string>& arguments, const Take& take,
                         std::vector<std::string>* now) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    InArgument(arguments, i, Sink(take, now != nullptr), now ? (*now)[i].data() : nullptr);
  }
}

void Finder::InArgument(const std::vector<std::string>& arguments, size_t i, const Sink& sink,
                        char* now) const {
  const std::string_view argument = arguments[i];
  Found found;
  found.pointer = "/argv/" + std::to_string(i);
  const std::string_view before = i > 0 ? std::string_view(arguments[i - 1]) : "";
  const bool option = before.starts_with('-') && before.find('=') == before.npos;
  if (option && places_->telling && !IsOption(argument)) {
    const NamedSecret named = SecretBeside(TellingOf(before), argument, Written::kString);
    if (!named.text.empty()) {
      found.rule = named.sure ? "named" : "telling-name";
      found.sure = named.sure;
      const auto at = named.text.data() - argument.data();
      sink.Take(named.text, found, now == nullptr ? now : now + at);
      if (named.sure) return;
      found.sure = true;
    }
  }
  const size_t taken = sink.taken();
  InString(argument, found, kSearchedLayers, sink, now);
  if (sink.taken() > taken || i == 0) return;
  // "mysql", "-pPASSWORD": what the option means depends on the program.
  std::string line = std::string(FileName(arguments[0])) + " ";
  if (option) (line += before) += ' ';
  const size_t begin = line.size();
  line += argument;
  for (const Patterns::Match& match : patterns_->Find(line)) {
    if (match.at < begin || match.expression) continue;
    found.rule = match.rule;
    found.word = match.word;
    const size_t at = match.at - begin;
    sink.Take(argument.substr(at, match.size), found, now == nullptr ? now : now + at);
  }
}

}  // namespace midwire::trace::redact
