#include "wire/dialect/dialect.h"

#include <algorithm>

#include "wire/json/ascii.h"

namespace midwire::wire {

std::string HandleRuleId(std::string_view name) {
  std::string id = "handle.";
  bool between = false;
  for (const char c : name) {
    const bool stays = IsAlphanumeric(c) || c == '.' || c == '_' || c == '-' || (c & 0x80) != 0;
    if (stays || !between) id += stays ? c : '-';
    between = !stays;
  }
  return id;
}

Severity Dialect::WithoutResult(const MethodSpec* spec) const {
  const bool may_be_null = spec == nullptr || !spec->result || !spec->result->Validate("null");
  return may_be_null ? without_result : Severity::kMust;
}

const Dialect* Dialect::Revision(std::string_view version) const {
  const Dialect* below = nullptr;
  const Dialect* lowest = nullptr;
  for (const auto& one : revisions) {
    if (one->revision == version) return one.get();
  }
  for (const auto& one : revisions) {
    if (lowest == nullptr || CompareVersions(one->revision, lowest->revision) < 0) {
      lowest = one.get();
    }
    if (CompareVersions(one->revision, version) > 0) continue;
    if (below == nullptr || CompareVersions(one->revision, below->revision) > 0) below = one.get();
  }
  return below != nullptr ? below : lowest;
}

int CompareVersions(std::string_view a, std::string_view b) {
  const auto digit = [](std::string_view text) { return !text.empty() && IsDigit(text.front()); };
  const auto number = [](std::string_view* text) {
    const size_t end = std::min(text->find_first_not_of("0123456789"), text->size());
    std::string_view digits = text->substr(0, end);
    text->remove_prefix(end);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
  };
  while (!a.empty() && !b.empty()) {
    if (digit(a) && digit(b)) {
      const std::string_view x = number(&a), y = number(&b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int order = x.compare(y); order != 0) return order;
      continue;
    }
    if (a.front() != b.front()) {
      return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front()) ? -1 : 1;
    }
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() && b.empty() ? 0 : a.empty() ? -1 : 1;
}

}  // namespace midwire::wire
