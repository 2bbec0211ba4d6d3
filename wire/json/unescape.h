// Undoes JSON string escapes (RFC 8259, section 7) in a token that came without its quotes.
// Lenient: a broken escape stays as it is spelt, a lone surrogate becomes U+FFFD. For names and
// methods; bodies are never unescaped.
#pragma once

#include <string>
#include <string_view>

namespace midwire::wire {

std::string Unescape(std::string_view token);
void AppendUtf8(char32_t code_point, std::string* out);

}  // namespace midwire::wire
