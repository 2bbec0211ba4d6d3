#include "wire/dialect/pattern.h"

#include <re2/re2.h>

#include "wire/dialect/regex_syntax.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

// Patterns written by hand have about 100 bytes.
constexpr size_t kMaxPattern = 4096;
// RE2's budget for a program and the states that it caches, of which it took half where measured.
// Smaller ones leave no room for the states of a class such as \p{L}, and each byte then takes 50
// ns rather than 2.
constexpr int64_t kMaxMemory = 1 << 20;
// Instructions. Where the states do not fit the budget, a byte takes up to 14 ns per instruction.
// .{1,255} has 5600.
constexpr int kMaxProgram = 8192;

constexpr std::string_view kTooLarge =
    "too large a pattern; shorten its {MIN,MAX}, or use maxLength";

// Half of a surrogate pair as StringValue spells it.
bool IsHalfOfPair(std::string_view text) {
  return text.size() >= 3 && text[0] == '\xed' && static_cast<unsigned char>(text[1]) >= 0xa0 &&
         (static_cast<unsigned char>(text[2]) & 0xc0) == 0x80;
}

std::string WithoutInvalid(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const Character first = FirstCharacter(text);
    if (first.valid) {
      valid += text.substr(0, first.length);
    } else {
      AppendUtf8(0xfffd, &valid);
    }
    text.remove_prefix(!first.valid && IsHalfOfPair(text) ? 3 : first.length);
  }
  return valid;
}

// RE2's own messages quote the translated pattern, which the schema does not have.
std::string WhatIsWrong(const re2::RE2& compiled) {
  switch (compiled.error_code()) {
    case re2::RE2::ErrorMissingParen:
    case re2::RE2::ErrorUnexpectedParen:
      return "a parenthesis without its counterpart";
    case re2::RE2::ErrorRepeatArgument:
    case re2::RE2::ErrorRepeatOp:
      return "a quantifier with nothing to repeat";
    case re2::RE2::ErrorRepeatSize:
      return "a quantifier above 1000, or several that multiply to more";
    case re2::RE2::ErrorBadCharRange:
      return "no such class of characters: " + compiled.error_arg();
    case re2::RE2::ErrorPatternTooLarge:
      return std::string(kTooLarge);
    default:
      return "not a regular expression: " + compiled.error();
  }
}

bool Found(const re2::RE2& compiled, std::string_view text) {
  return compiled.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(),
                        re2::RE2::UNANCHORED, nullptr, 0);
}

}  // namespace

Pattern::Pattern(std::string text, std::unique_ptr<re2::RE2> compiled, size_t size)
    : text_(std::move(text)), compiled_(std::move(compiled)), size_(size) {}
Pattern::~Pattern() = default;

Result<std::shared_ptr<const Pattern>> Pattern::Compile(std::string_view ecma_262) {
  if (ecma_262.size() > kMaxPattern) return Error{"a pattern above 4096 bytes", "", ""};
  const Result<std::string> translated = ToRe2Syntax(ecma_262);
  if (!translated) return translated.error();
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  auto compiled = std::make_unique<re2::RE2>(*translated, options);
  if (!compiled->ok()) return Error{WhatIsWrong(*compiled), "", ""};
  if (compiled->ProgramSize() > kMaxProgram) {
    return Error{std::string(kTooLarge), "", ""};
  }
  const auto size = static_cast<size_t>(compiled->ProgramSize());
  return std::shared_ptr<const Pattern>(
      new Pattern(std::string(ecma_262), std::move(compiled), size));
}

bool Pattern::Matches(std::string_view text) const {
  return IsUtf8(text) ? Found(*compiled_, text) : Found(*compiled_, WithoutInvalid(text));
}

Result<std::shared_ptr<const Pattern>> PatternCache::Get(std::string_view ecma_262) {
  if (const auto known = patterns_.find(ecma_262); known != patterns_.end()) return known->second;
  if (patterns_.size() == kMaxPatterns) return Error{"more than 256 different patterns", "", ""};
  Result<std::shared_ptr<const Pattern>> compiled = Pattern::Compile(ecma_262);
  if (compiled) patterns_.emplace(ecma_262, *compiled);
  return compiled;
}

}  // namespace midwire::wire
