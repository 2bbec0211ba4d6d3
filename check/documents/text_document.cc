#include "check/documents/text_document.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace midwire::check {
namespace {

constexpr std::pair<PositionUnit, std::string_view> kUnits[] = {
    {PositionUnit::kUtf8, "utf-8"},
    {PositionUnit::kUtf16, "utf-16"},
    {PositionUnit::kUtf32, "utf-32"},
};

// By its first byte. A byte that begins no character counts as one.
size_t CharacterSize(std::string_view text, size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const size_t size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return std::min(size, text.size() - at);
}

uint64_t UnitsOf(PositionUnit unit, size_t character_size) {
  if (unit == PositionUnit::kUtf8) return character_size;
  return unit == PositionUnit::kUtf16 && character_size == 4 ? 2 : 1;
}

}  // namespace

std::string_view Name(PositionUnit unit) {
  for (const auto& [known, name] : kUnits) {
    if (known == unit) return name;
  }
  return "";
}

std::optional<PositionUnit> UnitNamed(std::string_view name) {
  for (const auto& [unit, known] : kUnits) {
    if (known == name) return unit;
  }
  return std::nullopt;
}

uint64_t LengthIn(PositionUnit unit, std::string_view text) {
  if (unit == PositionUnit::kUtf8) return text.size();
  uint64_t units = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t size = CharacterSize(text, at);
    units += UnitsOf(unit, size);
    at += size;
  }
  return units;
}

TextDocument::TextDocument(std::string text) : text_(std::move(text)), starts_{0} {
  assert(text_.size() < UINT32_MAX);
  FindStarts(0, text_.size(), &starts_);
}

// The starts of lines behind the line ends among these bytes.
void TextDocument::FindStarts(size_t from, size_t to, std::vector<uint32_t>* starts) const {
  for (size_t i = from; i < to; ++i) {
    const char c = text_[i];
    if (c != '\n' && c != '\r') continue;
    if (c == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n') continue;
    starts->push_back(static_cast<uint32_t>(i + 1));
  }
}

TextDocument::Located TextDocument::Locate(const Position& position, PositionUnit unit) const {
  const std::string_view text = text_;
  const bool beyond = position.line >= starts_.size();
  const size_t index = beyond ? starts_.size() - 1 : position.line;
  const size_t begin = starts_[index];
  const size_t next = index + 1 < starts_.size() ? starts_[index + 1] : text.size();
  std::string_view line = text.substr(begin, next - begin);
  if (index + 1 < starts_.size()) line.remove_suffix(line.ends_with("\r\n") ? 2 : 1);
  if (beyond) return {Fit::kBeyondText, text.size(), line, line.size()};
  size_t column = 0;
  for (uint64_t units = 0; units < position.character;) {
    if (column == line.size()) return {Fit::kBeyondLine, begin + column, line, column};
    const size_t size = CharacterSize(line, column);
    units += UnitsOf(unit, size);
    if (units > position.character) return {Fit::kInsideCharacter, begin + column, line, column};
    column += size;
  }
  return {Fit::kFits, begin + column, line, column};
}

void TextDocument::Replace(size_t from, size_t to, std::string_view text) {
  assert(from <= to && to <= text_.size());
  // Whether a CR ends a line depends on what follows it.
  const size_t begin = from > 0 && text_[from - 1] == '\r' ? from - 1 : from;
  const auto first = std::upper_bound(starts_.begin(), starts_.end(), begin);
  const auto last = std::upper_bound(first, starts_.end(), to);
  text_.replace(from, to - from, text);
  std::vector<uint32_t> found;
  FindStarts(begin, from + text.size(), &found);
  const size_t kept = static_cast<size_t>(first - starts_.begin()) + found.size();
  starts_.insert(starts_.erase(first, last), found.begin(), found.end());
  const auto shift = static_cast<uint32_t>(text.size() - (to - from));  // modulo 2^32
  for (size_t i = kept; i < starts_.size(); ++i) starts_[i] += shift;
}

}  // namespace midwire::check
