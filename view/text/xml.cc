#include "view/text/xml.h"

#include <cstdint>

#include "wire/json/escape.h"
#include "wire/json/utf8.h"

namespace midwire::view {
namespace {

// XML 1.0, 2.2: what a document may hold.
bool IsXml(uint32_t code) {
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0xd7ff) ||
         (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

}  // namespace

void AppendXml(std::string_view text, std::string* out) {
  while (!text.empty()) {
    const wire::Character character = wire::FirstCharacter(text);
    const std::string_view bytes = text.substr(0, character.length);
    text.remove_prefix(character.length);
    if (!character.valid || !IsXml(character.code)) {
      *out += "\xef\xbf\xbd";
    } else if (bytes == "&") {
      *out += "&amp;";
    } else if (bytes == "<") {
      *out += "&lt;";
    } else if (bytes == ">") {
      *out += "&gt;";
    } else if (bytes == "\"") {
      *out += "&quot;";
    } else {
      *out += bytes;
    }
  }
}

void AppendXmlAttribute(std::string_view name, std::string_view value, std::string* out) {
  *out += ' ';
  *out += name;
  *out += "=\"";
  AppendXml(wire::Escaped(value), out);
  *out += '"';
}

}  // namespace midwire::view
