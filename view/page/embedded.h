// The page that `midwire report` writes and `midwire view` serves, as one text: HTML, style and
// scripts, with the hashes of its Content-Security-Policy. cmake/embed_page.cmake joins it from the
// files of view/page/.
#pragma once

#include <string_view>

namespace midwire::view {

// Holds the placeholders that view/page/DATA.md describes, each once.
extern const std::string_view kPage;

}  // namespace midwire::view
