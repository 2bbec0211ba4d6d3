#include "trace/filter_term.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <utility>

#include "wire/contains.h"
#include "wire/json/ascii.h"
#include "wire/json/decimal.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"
#include "wire/quantity.h"

namespace midwire::trace {
namespace {

using wire::Direction;

enum class Type : uint8_t { kChoice, kPattern, kId, kBytes, kCount, kSize, kTime, kInteger };

// By type: the comparisons that it supports.
constexpr std::string_view kOpsOfType[] = {
    "= !=",           "= != ~",         "= != ~",         "~",
    "= != < <= > >=", "= != < <= > >=", "= != < <= > >=", "= != < <= > >="};
// By FilterOp.
constexpr std::string_view kOpSpelling[] = {"=", "!=", "<", "<=", ">", ">=", "~"};

bool Allows(Type type, FilterOp op) {
  const std::string_view wanted = kOpSpelling[static_cast<int>(op)];
  std::string_view all = kOpsOfType[static_cast<int>(type)];
  while (!all.empty()) {
    const size_t length = std::min(all.find(' '), all.size());
    if (all.substr(0, length) == wanted) return true;
    all.remove_prefix(std::min(length + 1, all.size()));
  }
  return false;
}

struct FieldRow {
  const char* name;
  FilterField field;
  Type type;
  const char* expected;  // describes a valid value
};

constexpr FieldRow kFields[] = {
    {"number", FilterField::kNumber, Type::kCount, "a number"},
    {"at", FilterField::kAt, Type::kTime, "a time with its unit, such as 50ms or 1.5s"},
    {"dir", FilterField::kDirection, Type::kChoice, "h2p (or ->) or p2h (or <-)"},
    {"kind", FilterField::kKind, Type::kChoice,
     "request, response, error, notification, batch, invalid, junk, event or stderr"},
    {"method", FilterField::kMethod, Type::kPattern, "a method, which may hold * and ?"},
    {"label", FilterField::kLabel, Type::kPattern, "a label, which may hold * and ?"},
    {"id", FilterField::kId, Type::kId, "an id: 7 is the number, \"7\" the string"},
    {"size", FilterField::kSize, Type::kSize, "a size with its unit, such as 200B, 64k or 1MB"},
    {"latency", FilterField::kLatency, Type::kTime, "a time with its unit, such as 50ms or 1.5s"},
    {"code", FilterField::kCode, Type::kInteger, "an error code such as -32601"},
    {"error", FilterField::kError, Type::kPattern, "a text, which may hold * and ?"},
    {"text", FilterField::kText, Type::kBytes, "a text, in quotes when it has blanks"},
};
constexpr std::string_view kFieldNames =
    "number, at, dir, kind, method, label, id, size, latency, code, error or text";
constexpr std::string_view kWordNames = "failed, unanswered or pending";

struct WordRow {
  std::string_view word;
  FilterField field;
};
constexpr WordRow kWords[] = {{"failed", FilterField::kFailed},
                              {"unanswered", FilterField::kUnanswered},
                              {"pending", FilterField::kUnanswered}};

constexpr std::string_view kKinds[] = {"request", "response", "error", "notification", "batch",
                                       "invalid", "junk",     "event", "stderr"};

const FieldRow* FindField(std::string_view name) {
  for (const FieldRow& row : kFields) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

bool Take(std::optional<int64_t> parsed, int64_t* to) {
  if (parsed) *to = *parsed;
  return parsed.has_value();
}

bool IsNumberToken(std::string_view text) {
  double ignored;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), ignored);
  const bool starts = !text.empty() && (text[0] == '-' || wire::IsDigit(text[0]));
  return starts && error != std::errc::invalid_argument && stop == text.data() + text.size();
}

bool Compare(FilterOp op, int64_t left, int64_t right) {
  switch (op) {
    case FilterOp::kEqual:
      return left == right;
    case FilterOp::kNotEqual:
      return left != right;
    case FilterOp::kLess:
      return left < right;
    case FilterOp::kAtMost:
      return left <= right;
    case FilterOp::kMore:
      return left > right;
    case FilterOp::kAtLeast:
      return left >= right;
    case FilterOp::kContains:
      return false;
  }
  return false;
}

bool CompareText(const FilterTerm& term, std::string_view text) {
  if (term.op == FilterOp::kContains) return wire::Contains(text, term.value);
  const bool same = term.glob ? GlobMatches(term.value, text) : text == term.value;
  return same == (term.op == FilterOp::kEqual);
}

bool CompareId(const FilterTerm& term, const wire::Id& id) {
  std::string_view token = id.token;
  if (term.op == FilterOp::kContains) return wire::Contains(token, term.value);
  const bool string = id.type == wire::Id::Type::kString && token.size() >= 2;
  if (term.is_token || !string) {
    return (term.is_token && token == term.value) == (term.op == FilterOp::kEqual);
  }
  token = token.substr(1, token.size() - 2);
  if (token.find('\\') == token.npos) return CompareText(term, token);
  return CompareText(term, wire::Unescape(token));
}

}  // namespace

// On a mismatch only the latest * is retried, one character further, which suffices, so the time is
// at most pattern times text.
bool GlobMatches(std::string_view glob, std::string_view text) {
  size_t g = 0, t = 0, star = glob.npos, retry = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      retry = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g, ++t;
    } else if (star != glob.npos) {
      g = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

// None if the value is ASCII, or not UTF-8.
std::vector<std::string> EscapedSpellings(std::string_view value) {
  std::string small, capital;
  const auto add = [&](uint32_t unit) {
    char text[8];
    snprintf(text, sizeof text, "\\u%04x", unit & 0xffff);
    small += text;
    snprintf(text, sizeof text, "\\u%04X", unit & 0xffff);
    capital += text;
  };
  bool ascii = true;
  for (std::string_view rest = value; !rest.empty();) {
    const wire::Character first = wire::FirstCharacter(rest);
    if (!first.valid) return {};
    if (first.code < 0x80) {
      small += rest[0];
      capital += rest[0];
    } else if (first.code < 0x10000) {
      add(first.code);
    } else {
      add(0xd800 + ((first.code - 0x10000) >> 10));
      add(0xdc00 + ((first.code - 0x10000) & 0x3ff));
    }
    ascii = ascii && first.code < 0x80;
    rest.remove_prefix(first.length);
  }
  if (ascii) return {};
  return {std::move(small), std::move(capital)};
}

std::optional<FilterField> FilterWord(std::string_view word) {
  for (const WordRow& row : kWords) {
    if (word == row.word) return row.field;
  }
  return std::nullopt;
}

bool IsFilterWord(std::string_view word) { return FilterWord(word).has_value(); }
bool IsFilterField(std::string_view name) { return FindField(name) != nullptr; }
std::string_view FilterFieldNames() { return kFieldNames; }
std::string_view FilterWordNames() { return kWordNames; }

std::vector<std::string> FilterNames() {
  std::vector<std::string> names;
  for (const FieldRow& row : kFields) names.emplace_back(row.name);
  for (const WordRow& row : kWords) names.emplace_back(row.word);
  return names;
}

FilterFit MakeFilterTerm(std::string_view field, FilterOp op, std::string_view value, bool quoted,
                         FilterTerm* term, std::string* expected) {
  const FieldRow* row = FindField(field);
  assert(row != nullptr);
  if (!Allows(row->type, op)) {
    *expected = std::string(field) + " with one of  " +
                std::string(kOpsOfType[static_cast<int>(row->type)]);
    return FilterFit::kWrongOp;
  }
  *term = FilterTerm{row->field, op};
  term->value = value;
  bool known = true;
  switch (row->type) {
    case Type::kChoice:
      if (row->field == FilterField::kDirection) {
        term->bound = value == "p2h" || value == "<-";
        known = term->bound != 0 || value == "h2p" || value == "->";
      } else {
        known = std::find(std::begin(kKinds), std::end(kKinds), value) != std::end(kKinds);
      }
      break;
    case Type::kId:
      term->is_token = !quoted && (IsNumberToken(value) || value == "null");
      [[fallthrough]];
    case Type::kPattern:
      term->glob = !quoted && value.find_first_of("*?") != value.npos;
      break;
    case Type::kBytes:
      term->escaped = EscapedSpellings(value);
      break;
    case Type::kCount:
      known = Take(wire::ParseCount(value), &term->bound);
      break;
    case Type::kSize:
      known = Take(wire::ParseSize(value), &term->bound);
      break;
    case Type::kTime:
      known = Take(wire::ParseDuration(value), &term->bound);
      break;
    case Type::kInteger:
      known = wire::ParseNumber(value, &term->bound);
      break;
  }
  if (known) return FilterFit::kFits;
  *expected = row->expected;
  return FilterFit::kWrongValue;
}

bool FilterTerm::Matches(const Line& line) const {
  switch (field) {
    case FilterField::kNumber:
      return line.number && Compare(op, static_cast<int64_t>(*line.number), bound);
    case FilterField::kAt:
      return line.at_ns && Compare(op, *line.at_ns, bound);
    case FilterField::kDirection:
      return line.direction && Compare(op, *line.direction == Direction::kPluginToHost, bound);
    case FilterField::kKind:
      return (line.kind == value) == (op == FilterOp::kEqual);
    case FilterField::kMethod:
      return line.method && CompareText(*this, *line.method);
    case FilterField::kId:
      return line.id && line.id->present() && CompareId(*this, *line.id);
    case FilterField::kSize:
      return line.size && Compare(op, static_cast<int64_t>(*line.size), bound);
    case FilterField::kLatency:
      if (line.latency_ns) return Compare(op, *line.latency_ns, bound);
      // Without an answer it takes longer than so far: that is above a bound, never below.
      return (op == FilterOp::kMore || op == FilterOp::kAtLeast) && line.open_ns &&
             Compare(op, *line.open_ns, bound);
    case FilterField::kCode:
      return line.error_code && Compare(op, *line.error_code, bound);
    case FilterField::kError:
      return line.error && CompareText(*this, *line.error);
    case FilterField::kText:
      return wire::Contains(line.text, value) ||
             std::any_of(escaped.begin(), escaped.end(), [&](const std::string& spelling) {
               return wire::Contains(line.text, spelling);
             });
    case FilterField::kLabel:
      return line.label && CompareText(*this, *line.label);
    case FilterField::kFailed:
      return line.failed;
    case FilterField::kUnanswered:
      return line.unanswered;
  }
  return false;
}

}  // namespace midwire::trace
