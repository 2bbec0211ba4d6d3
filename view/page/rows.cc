#include "view/page/rows.h"

#include <algorithm>

namespace midwire::view {

void Rows::Add(RowId id, const PageRow& row) {
  rows_.push_back({.id = id,
                   .request = row.request,
                   .parent = row.parent,
                   .at_ns = row.at_ns,
                   .code = row.code.value_or(0),
                   .number = row.number,
                   .size = row.size,
                   .header = row.header,
                   .body = row.body,
                   .kept = row.kept,
                   .method = strings_.Add(row.method),
                   .label = strings_.Add(row.label),
                   .name = strings_.Add(row.id),
                   .failure = strings_.Add(row.failure),
                   .error = strings_.Add(row.error),
                   .remarks = strings_.Add(row.remarks),
                   .kind = static_cast<uint8_t>(row.kind),
                   .direction = row.direction,
                   .flags = row.flags,
                   .has_code = row.code.has_value()});
}

size_t Rows::LowerBound(RowId id) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), id,
                                   [](const Row& row, RowId wanted) { return row.id < wanted; });
  return static_cast<size_t>(at - rows_.begin());
}

std::optional<size_t> Rows::PositionOf(RowId id) const {
  const size_t at = LowerBound(id);
  if (at == rows_.size() || rows_[at].id != id) return std::nullopt;
  return at;
}

// At most once for each flag of a row.
void Rows::Flag(size_t position, uint8_t flags) {
  if ((rows_[position].flags & flags) == flags) return;
  rows_[position].flags |= flags;
  flagged_.push_back(static_cast<uint32_t>(position));
}

void Rows::AddFlags(RowId id, uint8_t flags) {
  if (const std::optional<size_t> at = PositionOf(id)) Flag(*at, flags);
}

void Rows::AddFlags(RowId first, uint64_t last, uint8_t direction, uint8_t flags) {
  for (size_t at = LowerBound(first); at < rows_.size(); ++at) {
    const Row& row = rows_[at];
    if (row.kind >= static_cast<uint8_t>(RowKind::kJunk)) continue;
    if (row.number > last) break;
    if (row.direction == direction) Flag(at, flags);
  }
}

// How many rows before a position a row is; 0: not among those from `from` on.
int64_t Rows::Back(size_t position, size_t from, RowId id) const {
  if (id == kNoRow) return 0;
  const std::optional<size_t> at = PositionOf(id);
  return at && *at >= from && *at < position ? static_cast<int64_t>(position - *at) : 0;
}

// Nothing, if all its values are the standard one.
template <typename Value>
void Rows::Column(wire::JsonKey name, int64_t standard, size_t from, size_t to, const Value& value,
                  wire::JsonWriter* json) const {
  size_t at = from;
  while (at < to && value(at) == standard) ++at;
  if (at == to) return;
  json->Key(name).Open('[');
  for (at = from; at < to; ++at) json->Number(value(at));
  json->Close(']');
}

void Rows::Write(size_t from, size_t to, const std::vector<size_t>& starts, wire::JsonWriter* json,
                 size_t known) const {
  const size_t base = std::min(from, known);  // the first row that others may refer to
  // The texts of these rows alone, numbered as they come.
  std::vector<uint32_t> number_of(strings_.size(), 0);
  std::vector<uint32_t> used = {0};
  using Text = uint32_t Row::*;
  constexpr Text kTexts[] = {&Row::method,  &Row::label, &Row::name,
                             &Row::failure, &Row::error, &Row::remarks};
  for (size_t at = from; at < to; ++at) {
    for (const Text text : kTexts) {
      const uint32_t number = rows_[at].*text;
      if (number == 0 || number_of[number] != 0) continue;
      number_of[number] = static_cast<uint32_t>(used.size());
      used.push_back(number);
    }
  }
  json->Key("strings").Open('[');
  for (const uint32_t number : used) json->Text(strings_.at(number));
  json->Close(']');

  const auto column = [&](wire::JsonKey name, int64_t standard, auto value) {
    Column(
        name, standard, from, to, [&](size_t at) { return static_cast<int64_t>(value(rows_[at])); },
        json);
  };
  const auto text = [&](wire::JsonKey name, Text member) {
    column(name, 0, [&, member](const Row& row) { return number_of[row.*member]; });
  };
  json->Key("rows").Open('{');
  json->Key("count").Number(to - from);
  json->Key("kind").Open('[');
  for (size_t at = from; at < to; ++at) json->Number(int{rows_[at].kind});
  json->Close(']');
  column("number", 0, [](const Row& row) { return row.number; });
  auto start = std::lower_bound(starts.begin(), starts.end(), from);
  std::vector<int64_t> steps;
  for (size_t at = from; at < to; ++at) {
    while (start != starts.end() && *start < at) ++start;
    const bool first = at == base || (start != starts.end() && *start == at);
    steps.push_back(rows_[at].at_ns - (first ? 0 : rows_[at - 1].at_ns));
  }
  Column(
      "at", 0, from, to, [&](size_t at) { return steps[at - from]; }, json);
  column("dir", 2, [](const Row& row) { return row.direction; });
  text("method", &Row::method);
  text("label", &Row::label);
  text("id", &Row::name);
  Column(
      "pair", 0, from, to, [&](size_t at) { return Back(at, base, rows_[at].request); }, json);
  Column(
      "parent", 0, from, to, [&](size_t at) { return Back(at, base, rows_[at].parent); }, json);
  text("failure", &Row::failure);
  const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(to);
  if (std::any_of(begin, end, [](const Row& row) { return row.has_code; })) {
    json->Key("code").Open('[');
    for (size_t at = from; at < to; ++at) {
      if (rows_[at].has_code) {
        json->Number(rows_[at].code);
      } else {
        json->Raw("null");
      }
    }
    json->Close(']');
  }
  text("error", &Row::error);
  column("size", 0, [](const Row& row) { return row.size; });
  column("header", 0, [](const Row& row) { return row.header; });
  column("body", 0, [](const Row& row) { return row.body; });
  if (std::any_of(begin, end, [](const Row& row) { return row.kept != row.size; })) {
    json->Key("kept").Open('[');
    for (size_t at = from; at < to; ++at) json->Number(rows_[at].kept);
    json->Close(']');
  }
  text("remarks", &Row::remarks);
  column("flags", 0, [](const Row& row) { return row.flags; });
  json->Close('}');
}

}  // namespace midwire::view
