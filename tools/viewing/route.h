// What a request asks for, as a value: addresses and parameters of the live view
// (view/page/DATA.md). Called by ViewService. Pure; no part of it is a file name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::tools {

// Rows of an answer to api/index, and of one to api/bytes.
inline constexpr int64_t kMaxIndexRows = 200'000, kMaxBytesRows = 10'000;

struct Route {
  enum class What : uint8_t {
    kUnknown,  // 404
    kWrong,    // 400: a parameter is missing, or not what it has to be
    kEnter,    // the page's address with a key
    kPage,
    kSessions,
    kIndex,
    kBytes,
    kStream,
  } what = What::kUnknown;
  std::string_view key;    // of kEnter
  std::string_view trace;  // an id of TraceFiles; "": none
  int64_t from = -100'000, count = 100'000;
  int64_t row = 0, rows = 1;
  int64_t base = 0;  // the first row that the page has
};

// `folder`: where the page is, "/name/". Views into `target`.
Route ParseRoute(std::string_view target, std::string_view folder);

}  // namespace midwire::tools
