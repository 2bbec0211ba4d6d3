// Appends text as XML 1.0, for the JUnit reports. Keeps nothing.
#pragma once

#include <string>
#include <string_view>

namespace midwire::view {

// For attributes and for text. What XML may not hold (2.2), and what is not UTF-8, goes out as
// U+FFFD.
void AppendXml(std::string_view text, std::string* out);
// ` name="value"`, the value on one line and safe on a terminal.
void AppendXmlAttribute(std::string_view name, std::string_view value, std::string* out);

}  // namespace midwire::view
