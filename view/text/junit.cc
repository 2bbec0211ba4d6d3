#include "view/text/junit.h"

#include <algorithm>
#include <cstdint>

#include "view/text/xml.h"
#include "wire/json/escape.h"

namespace midwire::view {

std::string JunitClassname(std::string_view verb, std::string_view trace) {
  std::string name(trace);
  std::replace(name.begin(), name.end(), '.', '_');
  return "midwire." + std::string(verb) + "." + name;
}

void AppendJunitError(std::string_view classname, std::string_view reason, std::string* out) {
  const std::string text = wire::Escaped(reason);
  *out += "    <testcase";
  AppendXmlAttribute("classname", classname, out);
  *out += " name=\"trace\">\n      <error type=\"unreadable\"";
  AppendXmlAttribute("message", text, out);
  *out += '>';
  AppendXml(text, out);
  *out += "</error>\n    </testcase>\n";
}

void AppendJunitUnreadable(std::string_view verb, std::string_view trace, std::string_view reason,
                           std::string* out) {
  constexpr std::string_view kTotals = " tests=\"1\" failures=\"0\" errors=\"1\" time=\"0.000\">\n";
  *out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites";
  AppendXmlAttribute("name", "midwire " + std::string(verb), out);
  *out += kTotals;
  *out += "  <testsuite";
  AppendXmlAttribute("name", trace, out);
  *out += kTotals;
  AppendJunitError(JunitClassname(verb, trace), reason, out);
  *out += "  </testsuite>\n</testsuites>\n";
}

void AppendJunitTime(double seconds, std::string* out) {
  const auto ms = static_cast<uint64_t>(std::max(seconds, 0.0) * 1000 + 0.5);
  const std::string rest = std::to_string(ms % 1000);
  AppendXmlAttribute(
      "time", std::to_string(ms / 1000) + "." + std::string(3 - rest.size(), '0') + rest, out);
}

}  // namespace midwire::view
