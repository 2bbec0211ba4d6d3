#include "tools/viewing/access.h"

namespace midwire::tools {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kAddress = "0123456789abcdefABCDEF:.";

// An address in digits: a name cannot be one, so none leads here by DNS.
bool IsAddress(std::string_view name) {
  if (name.starts_with('[') && name.ends_with(']')) {
    const std::string_view inside = name.substr(1, name.size() - 2);
    return inside.find(':') != inside.npos && inside.find_first_not_of(kAddress) == inside.npos;
  }
  int dots = 0;
  for (const char c : name) dots += c == '.';
  return dots == 3 && name.find_first_not_of("0123456789.") == name.npos;
}

}  // namespace

bool IsOwnHost(std::string_view host, uint16_t port, bool any_address) {
  const size_t colon = host.rfind(':');
  if (colon == host.npos) return false;
  const std::string_view name = host.substr(0, colon), digits = host.substr(colon + 1);
  if (digits.empty() || digits.find_first_not_of(kDigits) != digits.npos) return false;
  if (digits != std::to_string(port)) return false;
  if (name == "127.0.0.1" || name == "localhost" || name == "[::1]") return true;
  return any_address && IsAddress(name);
}

bool IsOwnOrigin(std::string_view origin, std::string_view host) {
  constexpr std::string_view kScheme = "http://";
  return origin.empty() || (origin.starts_with(kScheme) && origin.substr(kScheme.size()) == host);
}

bool IsOwnSite(std::string_view fetch_site) {
  return fetch_site.empty() || fetch_site == "same-origin" || fetch_site == "none";
}

bool IsSameKey(std::string_view given, std::string_view key) {
  if (given.size() != key.size() || key.empty()) return false;
  unsigned differs = 0;
  for (size_t i = 0; i < key.size(); ++i) {
    differs |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(key[i]);
  }
  return differs == 0;
}

std::string_view CookieOf(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(pair.size() < header.size() ? pair.size() + 1 : pair.size());
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    const size_t equals = pair.find('=');
    if (equals != pair.npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
  }
  return {};
}

}  // namespace midwire::tools
