#include "wire/respelt_ids.h"

#include <algorithm>

#include "wire/json/ascii.h"
#include "wire/json/decimal.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::wire {
namespace {

// Whole numbers up to this length are spelt out, longer ones have an exponent: 1e4000 is short.
constexpr size_t kSpeltOut = 40;

bool IsNumberText(std::string_view text) {
  return !text.empty() && (IsDigit(text.front()) || text.front() == '-') && IsDigit(text.back()) &&
         IsLooseJson(text);
}

// A whole number without an exponent, as nearly all ids are.
bool IsPlainNumber(std::string_view text) {
  if (text.starts_with('-') && text.size() > 1 && text[1] != '0') text.remove_prefix(1);
  return !text.empty() && text.size() <= kSpeltOut &&
         std::all_of(text.begin(), text.end(), IsDigit);
}

// `number` is valid. All spellings of one value become the same text.
std::string_view NumberKey(std::string_view number, std::string* space) {
  if (IsPlainNumber(number)) return number;
  const Decimal value(number);
  if (value.zero()) return "0";
  std::string digits = value.Digits();
  const auto scale = value.Scale();
  const bool whole = scale && *scale >= static_cast<int64_t>(digits.size());
  if (whole && *scale <= static_cast<int64_t>(kSpeltOut)) {
    digits.resize(static_cast<size_t>(*scale), '0');
  } else {
    digits += "e" + value.ScaleText();
  }
  *space = (value.negative() ? "-" : "") + digits;
  return *space;
}

}  // namespace

std::string_view IdKey(std::string_view token, std::string* space) {
  if (IsPlainNumber(token)) return token;
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') {
    return IsNumberText(token) ? NumberKey(token, space) : token;
  }
  const std::string_view text = token.substr(1, token.size() - 2);
  if (text.find('\\') == text.npos) return IsNumberText(text) ? NumberKey(text, space) : token;
  std::string value = StringValue(token);
  if (!IsNumberText(value)) {
    *space = '"' + value + '"';
    return *space;
  }
  std::string digits;
  const std::string key(NumberKey(value, &digits));
  *space = key;
  return *space;
}

void RespeltIds::Open(std::string_view token) {
  if (IsPlainNumber(token)) return;  // nearly all ids
  std::string space;
  const std::string_view key = IdKey(token, &space);
  if (key != token) ++odd_[std::string(key)][std::string(token)];
}

void RespeltIds::Close(std::string_view token) {
  if (odd_.empty()) return;
  std::string space;
  const auto same = odd_.find(std::string(IdKey(token, &space)));
  if (same == odd_.end()) return;
  const auto found = same->second.find(std::string(token));
  if (found == same->second.end() || --found->second > 0) return;
  same->second.erase(found);
  if (same->second.empty()) odd_.erase(same);
}

}  // namespace midwire::wire
