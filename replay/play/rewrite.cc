#include "replay/play/rewrite.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <utility>

#include "wire/json/ascii.h"
#include "wire/json/decimal.h"

namespace midwire::replay {
namespace {

constexpr std::string_view kLengthName = "content-length";

std::string_view TrimBlanks(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\r");
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

// The length in a header line as it is spelled; empty if it has none that the decoder accepts
// (header.h).
std::string_view LengthIn(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == line.npos || !wire::SameLetters(TrimBlanks(line.substr(0, colon)), kLengthName))
    return {};
  return TrimBlanks(line.substr(colon + 1));
}

// False if it is not a 64-bit number: no decoder would have framed it.
bool ParseLength(std::string_view spelt, uint64_t* length) {
  if (spelt.starts_with('+')) spelt.remove_prefix(1);
  return wire::ParseNumber(spelt, length);
}

void AppendHead(std::string_view head, int64_t growth, std::string* out) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, std::min(head.find('\n'), head.size() - 1) + 1);
    const std::string_view spelt =
        LengthIn(line.ends_with('\n') ? line.substr(0, line.size() - 1) : line);
    uint64_t length = 0;
    if (growth != 0 && ParseLength(spelt, &length)) {
      const size_t before = static_cast<size_t>(spelt.data() - line.data());
      const uint64_t shrunk = growth < 0 ? std::min(length, uint64_t{0} - growth) : 0;
      out->append(line, 0, before);
      out->append(std::to_string(growth < 0 ? length - shrunk : length + growth));
      out->append(line, before + spelt.size());
    } else {
      out->append(line);
    }
    head.remove_prefix(line.size());
  }
}

}  // namespace

void Rewrite(std::string_view frame, size_t head_size, std::vector<Replacement> replacements,
             std::string* out) {
  assert(head_size <= frame.size());
  std::sort(replacements.begin(), replacements.end(), [](const auto& a, const auto& b) {
    return std::less<const char*>()(a.what.data(), b.what.data());
  });
  int64_t growth = 0;
  for (const Replacement& replacement : replacements) {
    growth += static_cast<int64_t>(replacement.with.size());
    growth -= static_cast<int64_t>(replacement.what.size());
  }
  out->reserve(out->size() + frame.size() + static_cast<size_t>(std::max<int64_t>(growth, 0)) + 20);
  AppendHead(frame.substr(0, head_size), growth, out);
  size_t at = head_size;
  for (const auto& [what, with] : replacements) {
    const size_t from = static_cast<size_t>(what.data() - frame.data());
    assert(from >= at && from + what.size() <= frame.size());
    out->append(frame, at, from - at);
    out->append(with);
    at = from + what.size();
  }
  out->append(frame, at);
}

void RewriteBody(std::string_view frame, size_t head_size, std::string_view body,
                 const TextEdits& edits, std::string* out) {
  std::vector<Replacement> replacements;
  for (const TextEdit& edit : edits) {
    replacements.push_back({body.substr(edit.begin, edit.end - edit.begin), edit.with});
  }
  Rewrite(frame, head_size, std::move(replacements), out);
}

}  // namespace midwire::replay
