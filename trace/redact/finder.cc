#include "trace/redact/finder.h"

#include <set>

#include "trace/redact/nested_encoding.h"
#include "trace/redact/randomness.h"
#include "trace/redact/secrets.h"
#include "wire/json/parts.h"

namespace midwire::wire {
namespace {

// JSON text in a string of a message, twice.
constexpr int kLayers = 3;

constexpr bool IsWordChar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_' || c == '+' || c == '=';
}

}  // namespace

void Finder::InMessage(std::string_view json, std::optional<std::string_view> method,
                       const Visit& visit) const {
  const size_t outer = TypeOf(json) == JsonType::kArray;
  std::set<const char*> placed;  // for an audit: each value is reported once
  VisitSecretPaths(json, method, *places_, [&](const Path& path, std::string_view value) {
    Found found;
    if (audit_) {
      const SecretReason reason = ReasonOf(path, outer, *places_);
      found = {PointerText(path), 0, reason.kind, reason.text, true};
      placed.insert(value.data());
    }
    visit(Unescaped(Inner(value)).text, found);
  });
  if (patterns_->empty() && !audit_) return;
  const auto look = [&](const Path& path, std::string_view spelt, bool is_name) {
    Found found;
    if (audit_) found.pointer = PointerText(path);
    const std::string_view inner = Inner(spelt);
    const bool escaped = inner.find('\\') != inner.npos;
    const std::string unescaped = escaped ? Unescaped(inner).text : std::string();
    const std::string_view value = escaped ? std::string_view(unescaped) : inner;
    if (InString(value, found, kLayers, visit) || is_name || !spelt.starts_with('"')) return;
    const std::string_view name = path.empty() ? std::string_view() : path.back().name;
    if (!name.empty()) InMember(Unescaped(Inner(name)).text, value, found, visit);
  };
  WalkScalars(
      json,
      [&](const Path& path) {
        if (path.back().name.size() >= 2 + Secrets::kMinElsewhere) {
          look(path, path.back().name, /*is_name=*/true);
        }
      },
      [&](const Path& path, std::string_view value) {
        const JsonType type = TypeOf(value);
        if (type != JsonType::kString && type != JsonType::kNumber) return;
        if (!placed.contains(value.data())) look(path, value, /*is_name=*/false);
      });
}

// Whether it found any.
bool Finder::InString(std::string_view value, const Found& where, int layers,
                      const Visit& visit) const {
  bool any = false;
  Found found = where;
  for (const Patterns::Match& match : patterns_->Find(value)) {
    found.at = layers == kLayers ? where.at + match.at : where.at;
    found.rule = match.expression ? "expression" : match.rule;
    found.text = match.expression ? match.rule : "";
    visit(value.substr(match.at, match.size), found);
    any = true;
  }
  if (layers > 0 && value.find('\\') != value.npos) {
    const Unescaped inner(value);
    if (inner.any()) any = InString(inner.text, where, layers - 1, visit) || any;
  }
  if (any || !audit_ || layers < kLayers) return any;
  for (size_t at = 0; at < value.size();) {
    const size_t from = at;
    while (at < value.size() && IsWordChar(value[at])) ++at;
    const std::string_view word = value.substr(from, at - from);
    if (LooksLikeKey(word)) {
      visit(word, {where.pointer, where.at + from, "random-word", "", false});
    }
    if (at == from) ++at;
  }
  return false;
}

void Finder::InMember(std::string_view name, std::string_view value, const Found& where,
                      const Visit& visit) const {
  if (!IsTellingName(name)) return;
  if (patterns_->has_shapes() && LooksRandom(value)) {
    visit(value, {where.pointer, where.at, "named", "", true});
  } else if (audit_ && !value.empty()) {
    visit(value, {where.pointer, where.at, "telling-name", "", false});
  }
}

void Finder::InText(std::string_view text, const Visit& visit) const {
  if (!patterns_->empty() || audit_) InString(text, {}, kLayers, visit);
}

void Finder::InArguments(const std::vector<std::string>& arguments, const Visit& visit) const {
  if (patterns_->empty() && !audit_) return;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Found found;
    found.pointer = "/argv/" + std::to_string(i);
    if (InString(arguments[i], found, kLayers, visit) || i == 0) continue;
    const std::string& before = arguments[i - 1];
    if (before.starts_with('-') && before.find('=') == before.npos) {
      InMember(before, arguments[i], found, visit);
    }
  }
}

}  // namespace midwire::wire
