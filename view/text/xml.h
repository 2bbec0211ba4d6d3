// Appends text as XML 1.0. Called by the JUnit reports. Keeps nothing.
#pragma once

#include <string>
#include <string_view>

namespace midwire::view {

// For attributes and for text. Characters that XML does not allow (2.2) and bytes that are not
// UTF-8 are written as U+FFFD.
void AppendXml(std::string_view text, std::string* out);
// ` name="value"`, the value on one line and safe on a terminal.
void AppendXmlAttribute(std::string_view name, std::string_view value, std::string* out);

}  // namespace midwire::view
