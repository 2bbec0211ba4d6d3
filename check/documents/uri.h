// URIs that are spelled in several ways: `file:///c%3A/a` and `file:///C:/a` are one file. Called
// by the rules about documents. Has no state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace midwire::check {

// A longer one is no name of a document: paths have at most 4096 bytes (PATH_MAX).
inline constexpr size_t kMaxUri = 8192;

// One spelling for all of a resource: the scheme in lower case, nothing escaped except what means
// something else without its escape (/ ? # % and controls). Of a file: without `localhost`, the
// letter of a drive in lower case. Not a URI: as it is.
std::string PlainUri(std::string_view uri);

}  // namespace midwire::check
