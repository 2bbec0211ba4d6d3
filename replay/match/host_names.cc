#include "replay/match/host_names.h"

#include <algorithm>
#include <string>

#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

bool IsHostPlace(const Declarations& declared, std::string_view method,
                 const std::string& pointer) {
  return std::any_of(declared.host_names.begin(), declared.host_names.end(),
                     [&](const Place& place) {
                       const std::string at = wire::PointerText(place.pointer);
                       return place.OfMethod(method) && pointer.starts_with(at) &&
                              (pointer + '/')[at.size()] == '/';
                     });
}

}  // namespace

bool IsOfHost(const Declarations& declared, std::string_view method,
              const ValueDifference& difference) {
  if (IsHostPlace(declared, method, difference.pointer)) return true;
  const bool one_sided = difference.expected.empty() != difference.got.empty();
  const std::string& only = difference.expected.empty() ? difference.got : difference.expected;
  if (!one_sided || !only.starts_with('{') || !wire::IsLooseJson(only)) return false;
  size_t all = 0, of_host = 0;
  wire::WalkScalars(only, [&](const wire::Path& path, std::string_view) {
    ++all;
    of_host += IsHostPlace(declared, method, difference.pointer + wire::PointerText(path));
  });
  return all > 0 && of_host == all;
}

}  // namespace midwire::replay
