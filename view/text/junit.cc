#include "view/text/junit.h"

#include <algorithm>
#include <cstdint>

#include "view/text/xml.h"

namespace midwire::view {

std::string JunitClassname(std::string_view verb, std::string_view trace) {
  std::string name(trace);
  std::replace(name.begin(), name.end(), '.', '_');
  return "midwire." + std::string(verb) + "." + name;
}

void AppendJunitTime(double seconds, std::string* out) {
  const auto ms = static_cast<uint64_t>(std::max(seconds, 0.0) * 1000 + 0.5);
  const std::string rest = std::to_string(ms % 1000);
  AppendXmlAttribute(
      "time", std::to_string(ms / 1000) + "." + std::string(3 - rest.size(), '0') + rest, out);
}

}  // namespace midwire::view
