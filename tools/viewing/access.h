// Which requests `midwire view` answers: the checks of their host, origin and key, as functions of
// texts. Called by ViewService. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::tools {

// Whether a Host header names this server by its address. Other names are refused: DNS can point
// any name to this machine, and a page of that name could then read the answers (DNS rebinding).
// `any_address`: the server listens beyond loopback, where its address may be any.
bool IsOwnHost(std::string_view host, uint16_t port, bool any_address);

// Whether a request comes from a page of this server, or from none. `host`: its Host header, which
// was checked.
bool IsOwnOrigin(std::string_view origin, std::string_view host);
// The same by Sec-Fetch-Site.
bool IsOwnSite(std::string_view fetch_site);

// In a time that does not depend on where they differ.
bool IsSameKey(std::string_view given, std::string_view key);

// A cookie by its name; "": there is none.
std::string_view CookieOf(std::string_view header, std::string_view name);

}  // namespace midwire::tools
