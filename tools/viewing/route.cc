#include "tools/viewing/route.h"

#include "wire/json/decimal.h"

namespace midwire::tools {
namespace {

using What = Route::What;

bool IsId(std::string_view text) {
  constexpr std::string_view kId =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  return !text.empty() && text.size() <= 64 && text.find_first_not_of(kId) == text.npos;
}

bool ParseWithin(std::string_view text, int64_t least, int64_t most, int64_t* to) {
  return wire::ParseNumber(text, to) && *to >= least && *to <= most;
}

// Above the rows of any trace.
constexpr int64_t kMaxRow = int64_t{1} << 48;

bool ParseParameter(std::string_view name, std::string_view value, Route* route) {
  if (name == "key") {
    route->key = value;
    return true;
  }
  if (name == "trace") {
    route->trace = value;
    return IsId(value);
  }
  if (name == "from") return ParseWithin(value, -kMaxRow, kMaxRow, &route->from);
  if (name == "count") return ParseWithin(value, 0, kMaxIndexRows, &route->count);
  if (name == "row") return ParseWithin(value, 0, kMaxRow, &route->row);
  if (name == "rows") return ParseWithin(value, 1, kMaxBytesRows, &route->rows);
  if (name == "base") return ParseWithin(value, 0, kMaxRow, &route->base);
  return true;  // of a newer page
}

What WhatIs(std::string_view path) {
  if (path.empty()) return What::kPage;
  if (path == "api/sessions") return What::kSessions;
  if (path == "api/index") return What::kIndex;
  if (path == "api/bytes") return What::kBytes;
  if (path == "api/stream") return What::kStream;
  return What::kUnknown;
}

}  // namespace

Route ParseRoute(std::string_view target, std::string_view folder) {
  Route route;
  if (!target.starts_with(folder)) return route;
  const size_t question = target.find('?');
  route.what = WhatIs(target.substr(0, question).substr(folder.size()));
  std::string_view query = question == target.npos ? "" : target.substr(question + 1);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(pair.size() < query.size() ? pair.size() + 1 : pair.size());
    const size_t equals = pair.find('=');
    const std::string_view value = equals == pair.npos ? "" : pair.substr(equals + 1);
    if (!ParseParameter(pair.substr(0, equals), value, &route)) {
      route.what = What::kWrong;
      return route;
    }
  }
  if (route.what == What::kPage && !route.key.empty()) route.what = What::kEnter;
  const bool needs_trace = route.what == What::kIndex || route.what == What::kBytes;
  if (needs_trace && route.trace.empty()) route.what = What::kWrong;
  return route;
}

}  // namespace midwire::tools
