#include "fuzz/mutate/header_forms.h"

#include <algorithm>
#include <cstdint>

#include "fuzz/mutate/edit.h"
#include "wire/json/ascii.h"

namespace midwire::fuzz {
namespace {

// What a letter of a form adds to the length.
struct Excess {
  char letter;
  uint64_t added;
};
constexpr Excess kExcesses[] = {{'n', 0},
                                {'+', 1},
                                {'k', uint64_t{1} << 31},
                                {'t', uint64_t{1} << 32},
                                {'m', uint64_t{1} << 53},
                                {'q', uint64_t{1} << 63}};

constexpr size_t kLeastBlock = 1024, kBlockSizes = 7;  // up to 64 KiB

std::string LengthOf(char letter, std::string_view body) {
  const size_t n = body.size();
  for (const Excess& excess : kExcesses) {
    if (letter == excess.letter) return std::to_string(excess.added + n);
  }
  if (letter == 'c') return std::to_string(Characters(body));
  if (letter == '-') return std::to_string(n - std::min<size_t>(n, 1));
  if (letter == 'h') return std::to_string(n / 2);
  if (letter == 'd') return std::to_string(2 * n);
  if (letter != 'x') return {'%', letter};
  std::string hex;
  wire::AppendHex(n, 8, &hex);
  return hex;
}

}  // namespace

size_t Characters(std::string_view utf8) {
  return std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

std::string FilledHeader(std::string_view form, std::string_view body) {
  std::string text;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '%' && i + 1 < form.size()) {
      text += LengthOf(form[++i], body);
    } else {
      text += form[i];
    }
  }
  return text;
}

bool ReplaceHeader(Mutation* m, std::initializer_list<std::string_view> forms) {
  const Part& part = m->target();
  if (part.framing != wire::Framing::kContentLength) return false;
  std::string bytes = FilledHeader(OneOf(m->random, forms), part.body());
  bytes += part.body();
  bytes.append(part.bytes, part.bytes.size() - part.tail, part.tail);
  return ReplaceTarget(m, std::move(bytes));
}

bool HeaderBlock(Mutation* m) {
  constexpr std::string_view kStart = "X-Long: ";
  const std::string end = FilledHeader("\r\nContent-Length: %n\r\n\r\n", m->target().body());
  const size_t size = (kLeastBlock << m->random->Below(kBlockSizes)) - 1 + m->random->Below(3);
  if (size > m->room()) return false;
  const std::string block =
      std::string(kStart) + std::string(size - kStart.size() - end.size(), 'x') + end;
  return ReplaceHeader(m, {block});
}

}  // namespace midwire::fuzz
