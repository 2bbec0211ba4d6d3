#include "wire/json/base64.h"

#include <sodium/utils.h>

#include <vector>

#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::wire {

void AppendBase64(std::string_view bytes, std::string* out) {
  if (bytes.empty()) return;
  size_t start = out->size();
  size_t room = sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  out->resize(start + room);
  sodium_bin2base64(out->data() + start, room, reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  out->pop_back();  // its NUL
}

void AppendBytesJson(std::string_view bytes, std::string* out) {
  if (IsUtf8(bytes)) return AppendJsonString(bytes, out);
  out->append("{\"base64\":\"");
  AppendBase64(bytes, out);
  out->append("\"}");
}

bool DecodeBytesJson(std::string_view json, std::string* out) {
  if (json.starts_with('"')) return AppendUnescaped(json, out);
  std::vector<RawMember> members;
  if (!RawMembers(json, &members) || members.size() != 1) return false;
  std::string text;
  return members[0].name == "base64" && AppendUnescaped(members[0].value, &text) &&
         DecodeBase64(text, out);
}

bool DecodeBase64(std::string_view text, std::string* out) {
  if (text.empty()) return true;
  size_t start = out->size();
  out->resize(start + text.size() / 4 * 3 + 3);
  size_t size = 0;
  const char* end = nullptr;
  int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(out->data() + start),
                                 out->size() - start, text.data(), text.size(), nullptr, &size,
                                 &end, sodium_base64_VARIANT_ORIGINAL);
  bool whole = failed == 0 && end == text.data() + text.size();
  out->resize(start + (whole ? size : 0));
  return whole;
}

}  // namespace midwire::wire
