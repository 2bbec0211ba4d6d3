// Joins the page (embedded.h) with its data: gzip, base64, placeholders. Called by tools/reporting.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace midwire::view {

// RFC 1952, at the level that takes half a second for the largest session that is comfortable in a
// page.
std::string Gzip(std::string_view bytes);

// The page of the live view, which asks the server for its data.
std::string LivePage();

// A page that needs nothing but itself. `index`: IndexJson. The page as text in UTF-8.
std::string ReportPage(std::string_view index, std::string_view blob);

}  // namespace midwire::view
