#include "check/documents/uri.h"

#include "wire/json/ascii.h"

namespace midwire::check {
namespace {

// Whether the character means the same with and without its escape.
bool MayStandBare(unsigned char c) {
  return c > ' ' && c != 0x7f &&
         std::string_view("/?#%").find(static_cast<char>(c)) == std::string_view::npos;
}

std::string Decoded(std::string_view text) {
  constexpr char kUpper[] = "0123456789ABCDEF";
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? wire::HexValue(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : wire::HexValue(text[i + 2]);
    if (low < 0) {
      plain += text[i];
      continue;
    }
    const auto byte = static_cast<unsigned char>(high * 16 + low);
    if (MayStandBare(byte)) {
      plain += static_cast<char>(byte);
    } else {
      plain += {'%', kUpper[high], kUpper[low]};
    }
    i += 2;
  }
  return plain;
}

}  // namespace

std::string PlainUri(std::string_view uri) {
  const size_t colon = uri.find(':');
  // One letter before the colon is a drive: "C:\a" is a path.
  if (colon == uri.npos || colon < 2 || !wire::IsLetter(uri.front())) return std::string(uri);
  std::string plain;
  for (const char c : uri.substr(0, colon)) plain += wire::ToLower(c);
  std::string rest = Decoded(uri.substr(colon + 1));
  if (plain != "file") return plain + ':' + rest;
  if (rest.starts_with("//localhost/")) rest.erase(2, 9);
  if (rest.starts_with('/') && !rest.starts_with("//")) rest.insert(0, "//");
  if (rest.size() > 4 && rest.starts_with("///") && wire::IsLetter(rest[3]) && rest[4] == ':') {
    rest[3] = wire::ToLower(rest[3]);
  }
  return plain + ':' + rest;
}

}  // namespace midwire::check
