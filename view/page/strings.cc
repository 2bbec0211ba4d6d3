#include "view/page/strings.h"

#include "wire/json/ascii.h"
#include "wire/json/utf8.h"

namespace midwire::view {

std::string PageText(std::string_view bytes, size_t most) {
  if (bytes.size() <= most && wire::IsUtf8(bytes)) return std::string(bytes);
  std::string text;
  while (!bytes.empty()) {
    const wire::Character character = wire::FirstCharacter(bytes);
    const size_t size = character.valid ? character.length : 4;
    if (text.size() + size > most) return text + "\u2026";
    if (character.valid) {
      text += bytes.substr(0, character.length);
    } else {
      text += "\\x";
      wire::AppendHex(character.code, 2, &text);
    }
    bytes.remove_prefix(character.length);
  }
  return text;
}

uint32_t Strings::Add(std::string_view bytes) {
  const auto known = numbers_.find(bytes);
  if (known != numbers_.end()) return known->second;
  const std::string text = PageText(bytes);
  if (const auto same = numbers_.find(text); same != numbers_.end()) return same->second;
  const auto number = static_cast<uint32_t>(texts_.size());
  numbers_.emplace(texts_.emplace_back(text), number);
  return number;
}

}  // namespace midwire::view
