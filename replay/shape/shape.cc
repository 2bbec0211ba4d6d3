#include "replay/shape/shape.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "replay/shape/recognize.h"
#include "replay/shape/template_of.h"
#include "replay/shape/text_template.h"
#include "replay/shape/time_scan.h"
#include "wire/dialect/pattern.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"
#include "wire/text/unique_id.h"

namespace midwire::replay {
namespace {

using wire::JsonType;

bool NotNegative(std::string_view number) { return !number.starts_with('-'); }
bool IsTimestampText(std::string_view text) {
  // A blank at the end was always accepted.
  if (text.ends_with(' ')) text.remove_suffix(1);
  return IsEpoch(text) || IsTimeText(text);
}
bool IsUuidOrUlid(std::string_view text) { return IsWrittenUuid(text) || wire::IsUlid(text); }
bool Never(std::string_view) { return false; }

// What stands for a missing value: the nil UUID, and the time that Go prints for none.
bool IsNilUuid(std::string_view text) {
  return IsWrittenUuid(text) && std::none_of(text.begin(), text.end(), [](char c) {
           return (c >= '1' && c <= '9') || (wire::IsHexDigit(c) && wire::IsLetter(c));
         });
}
bool IsZeroTime(std::string_view text) { return text.starts_with("0001-01-01"); }

// The table of shapes. Those of `narrower` are tried first by ShapeOf, in this order.
struct Row {
  ShapeKind kind;
  std::string_view name;
  bool (*fits_text)(std::string_view);
  bool (*fits_number)(std::string_view);
};
constexpr Row kRows[] = {
    {ShapeKind::kUuid, "uuid", IsUuidOrUlid, Never},
    {ShapeKind::kTimestamp, "timestamp", IsTimestampText, IsEpoch},
    {ShapeKind::kInteger, "integer", IsInteger, IsInteger},
    {ShapeKind::kNumber, "number", IsNumber, IsNumber},
    {ShapeKind::kDuration, "duration", IsDuration, NotNegative},
    {ShapeKind::kPath, "path", IsPath, Never},
};
constexpr std::pair<ShapeKind, std::string_view> kWithArgument[] = {{ShapeKind::kText, "text:"},
                                                                    {ShapeKind::kRegex, "regex:"}};

const Row* RowOf(ShapeKind kind) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& r) { return r.kind == kind; });
  return row == std::end(kRows) ? nullptr : row;
}

bool FitsRow(const Row& row, std::string_view json) {
  if (json.size() > kMaxShaped) return false;
  const JsonType type = wire::TypeOf(json);
  if (type == JsonType::kNumber) return row.fits_number(json);
  return type == JsonType::kString && row.fits_text(wire::StringValue(json));
}

bool IsMissing(std::string_view json) {
  if (json.size() > kMaxShaped || wire::TypeOf(json) != JsonType::kString) return false;
  const std::string text = wire::StringValue(json);
  return IsNilUuid(text) || IsZeroTime(text);
}

Shape Plain(ShapeKind kind) {
  Shape shape;
  shape.kind = kind;
  return shape;
}

// "11:54" is a time only where it is declared one, and "00:01:30" may be how long something took:
// as a duration, both may have any value of a clock.
bool MayBeDuration(std::string_view text) {
  const std::optional<ReadTime> time = FindTime(text, 0);
  return time && time->text == text && IsDuration(text) &&
         (time->format->use == TimeUse::kAmbiguous || time->Field('H')->text == "00");
}

// Whether values that vary and fit a row are declared so.
bool IsFound(const Row& row, std::string_view json) {
  return row.kind != ShapeKind::kTimestamp || wire::TypeOf(json) == JsonType::kNumber ||
         !MayBeDuration(wire::StringValue(json));
}

std::optional<Shape> TextShape(const std::string& text) {
  Result<Shape> shape = ParseShape("text:" + text);
  if (!shape) return std::nullopt;
  return std::move(*shape);
}

}  // namespace

Result<Shape> ParseShape(std::string_view text) {
  for (const Row& row : kRows) {
    if (text == row.name) return Plain(row.kind);
  }
  for (const auto& [kind, start] : kWithArgument) {
    if (!text.starts_with(start)) continue;
    Shape shape = Plain(kind);
    shape.argument = text.substr(start.size());
    if (kind == ShapeKind::kText) {
      auto parsed = TextTemplate::Parse(shape.argument);
      if (!parsed) return parsed.error();
      shape.text = std::move(*parsed);
    } else {
      // Alone first: "a)|(b" is none, but would be one between the parentheses.
      auto pattern = wire::Pattern::Compile(shape.argument);
      if (pattern) pattern = wire::Pattern::Compile("^(?:" + shape.argument + ")$");
      if (!pattern) return Error{pattern.error().what, "\"" + shape.argument + "\"", ""};
      shape.pattern = std::move(*pattern);
    }
    return shape;
  }
  std::string names;
  for (const Row& row : kRows) names += std::string(row.name) + ", ";
  return Error{"no such shape", "\"" + std::string(text) + "\"",
               "use " + names + "text:TEMPLATE or regex:PATTERN"};
}

std::string ShapeText(const Shape& shape) {
  if (const Row* row = RowOf(shape.kind)) return std::string(row->name);
  return (shape.kind == ShapeKind::kText ? "text:" : "regex:") + shape.argument;
}

bool BeginsWithShape(std::string_view text) {
  return std::any_of(std::begin(kRows), std::end(kRows),
                     [&](const Row& row) { return text == row.name; }) ||
         std::any_of(std::begin(kWithArgument), std::end(kWithArgument),
                     [&](const auto& row) { return text.starts_with(row.second); });
}

bool Fits(const Shape& shape, std::string_view json, std::string_view recorded) {
  if (const Row* row = RowOf(shape.kind)) {
    return FitsRow(*row, json) && (recorded.empty() || !IsMissing(json) || IsMissing(recorded));
  }
  if (wire::TypeOf(json) != JsonType::kString) return false;
  const std::string text = wire::StringValue(json);
  if (shape.kind == ShapeKind::kRegex) return shape.pattern->Matches(text);
  if (recorded.empty()) return shape.text->Matches(text);
  return wire::TypeOf(recorded) == JsonType::kString &&
         shape.text->Matches(text, wire::StringValue(recorded));
}

bool IsTime(const Shape& shape) {
  return shape.kind == ShapeKind::kTimestamp ||
         (shape.kind == ShapeKind::kText && OnlyTimesVary(shape.argument));
}

std::optional<Shape> ShapeOf(std::span<const std::string> json_values) {
  if (json_values.empty()) return std::nullopt;
  const JsonType type = wire::TypeOf(json_values[0]);
  if (type != JsonType::kNumber && type != JsonType::kString) return std::nullopt;
  for (const std::string& value : json_values) {
    if (wire::TypeOf(value) != type) return std::nullopt;
  }
  const auto fits_all = [&](const Row& row) {
    return std::all_of(json_values.begin(), json_values.end(), [&](const std::string& value) {
      return FitsRow(row, value) && IsFound(row, value);
    });
  };
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), fits_all);
  if (row != std::end(kRows) && row->kind != ShapeKind::kPath) {
    return Plain(row->kind);
  }
  if (type == JsonType::kNumber) return std::nullopt;  // a number outside all ranges
  std::vector<std::string> texts;
  for (const std::string& value : json_values) texts.push_back(wire::StringValue(value));
  const std::string text = TemplateOf(texts);
  const bool any = text.find("{any}") != text.npos;
  // "/tmp/{word}/a.c" is narrower than any path, "/tmp{any}" is not.
  if (row != std::end(kRows) && any) return Plain(ShapeKind::kPath);
  std::optional<Shape> shape = TextShape(text);
  const bool fits = shape && wire::IsUtf8(text) &&
                    std::all_of(json_values.begin(), json_values.end(),
                                [&](const std::string& v) { return Fits(*shape, v, v); });
  if (fits) return shape;
  return TextShape("{any}");  // such as one that is not UTF-8
}

std::optional<Shape> ShapeOf(std::span<const CallValues> calls) {
  std::vector<std::string> values, templates;
  for (const CallValues& call : calls) values.insert(values.end(), call.begin(), call.end());
  std::optional<Shape> of_all = ShapeOf(values);
  // That some runs have no value must be as visible as possible.
  if (of_all && (of_all->kind == ShapeKind::kUuid || of_all->kind == ShapeKind::kTimestamp) &&
      std::any_of(values.begin(), values.end(), IsMissing)) {
    return TextShape(of_all->kind == ShapeKind::kUuid ? "{uuid}" : "{timestamp}");
  }
  if (!of_all || of_all->kind != ShapeKind::kText || calls.size() < 2) return of_all;
  for (const CallValues& call : calls) {
    const std::optional<Shape> one = ShapeOf(call);
    if (!one || one->kind != ShapeKind::kText) return of_all;
    templates.push_back(one->argument);
  }
  const std::optional<std::string> text = TemplateOfCalls(templates);
  std::optional<Shape> shape = text ? TextShape(*text) : std::nullopt;
  if (!shape) return of_all;
  for (const CallValues& call : calls) {
    for (const std::string& value : call) {
      if (!Fits(*shape, value, call.front())) return of_all;
    }
  }
  return shape;
}

}  // namespace midwire::replay
