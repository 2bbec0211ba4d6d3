#include "trace/payload.h"

#include <cstdint>

#include "wire/json/base64.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"
#include "wire/json/writer.h"

namespace midwire::trace {
namespace {

// Items of MessagePack, in sequence. Nesting is counted, not recursed into.
class Items {
 public:
  enum class Type : uint8_t { kNil, kBool, kInteger, kString, kMap, kArray, kOther };
  struct Item {
    Type type = Type::kOther;
    std::string_view text;  // of a string
    std::string number;     // of an integer, in decimal
    bool flag = false;
    uint64_t count = 0;  // items within: two per member of a map
  };

  explicit Items(std::string_view bytes) : rest_(bytes) {}

  bool Next(Item* item) {
    *item = Item();
    uint64_t tag = 0;
    if (!Number(1, &tag)) return false;
    if (tag < 0x80) return Integer(tag, item);
    if (tag < 0x90) return Container(Type::kMap, (tag & 0x0f) * 2, item);
    if (tag < 0xa0) return Container(Type::kArray, tag & 0x0f, item);
    if (tag < 0xc0) return Bytes(Type::kString, tag & 0x1f, item);
    if (tag >= 0xe0) return Signed(static_cast<int8_t>(tag), item);
    return NextOf(static_cast<uint8_t>(tag), item);
  }

  // Skips the items within an item that was read.
  bool Skip(uint64_t count) {
    Item item;
    while (count > 0) {
      // There are no more items than bytes, so a false count is harmless.
      if (count > rest_.size() || !Next(&item)) return false;
      count = count - 1 + item.count;
    }
    return true;
  }

 private:
  bool NextOf(uint8_t tag, Item* item) {
    uint64_t size = 0;
    switch (tag) {
      case 0xc0:
        item->type = Type::kNil;
        return true;
      case 0xc2:
      case 0xc3:
        item->type = Type::kBool;
        item->flag = tag == 0xc3;
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:  // bin
        return Number(1u << (tag - 0xc4), &size) && Bytes(Type::kOther, size, item);
      case 0xc7:
      case 0xc8:
      case 0xc9:  // ext: also has a type
        return Number(1u << (tag - 0xc7), &size) && Bytes(Type::kOther, size + 1, item);
      case 0xca:
      case 0xcb:  // float
        return Bytes(Type::kOther, tag == 0xca ? 4 : 8, item);
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return Number(1u << (tag - 0xcc), &size) && Integer(size, item);
      case 0xd0:
        return Number(1, &size) && Signed(static_cast<int8_t>(size), item);
      case 0xd1:
        return Number(2, &size) && Signed(static_cast<int16_t>(size), item);
      case 0xd2:
        return Number(4, &size) && Signed(static_cast<int32_t>(size), item);
      case 0xd3:
        return Number(8, &size) && Signed(static_cast<int64_t>(size), item);
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:  // fixext: a type and 1 to 16 bytes
        return Bytes(Type::kOther, 1 + (uint64_t{1} << (tag - 0xd4)), item);
      case 0xd9:
      case 0xda:
      case 0xdb:
        return Number(1u << (tag - 0xd9), &size) && Bytes(Type::kString, size, item);
      case 0xdc:
      case 0xdd:
        return Number(tag == 0xdc ? 2 : 4, &size) && Container(Type::kArray, size, item);
      case 0xde:
      case 0xdf:
        return Number(tag == 0xde ? 2 : 4, &size) && Container(Type::kMap, size * 2, item);
      default:
        return false;  // 0xc1 is never used
    }
  }

  // Big-endian.
  bool Number(size_t size, uint64_t* to) {
    if (rest_.size() < size) return false;
    *to = 0;
    for (size_t i = 0; i < size; ++i) *to = *to << 8 | static_cast<uint8_t>(rest_[i]);
    rest_.remove_prefix(size);
    return true;
  }
  bool Integer(uint64_t value, Item* item) {
    item->type = Type::kInteger;
    item->number = std::to_string(value);
    return true;
  }
  bool Signed(int64_t value, Item* item) {
    item->type = Type::kInteger;
    item->number = std::to_string(value);
    return true;
  }
  bool Bytes(Type type, uint64_t size, Item* item) {
    if (rest_.size() < size) return false;
    item->type = type;
    item->text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  bool Container(Type type, uint64_t count, Item* item) {
    item->type = type;
    item->count = count;
    return true;
  }

  std::string_view rest_;
};

// False: the member is left out.
bool WriteMember(std::string_view name, const Items::Item& value, wire::JsonWriter* json) {
  switch (value.type) {
    case Items::Type::kNil:
      json->Key(name).Raw("null");
      return true;
    case Items::Type::kBool:
      json->Key(name).Bool(value.flag);
      return true;
    case Items::Type::kInteger:
      json->Key(name).Raw(value.number);
      return true;
    case Items::Type::kString:
      if (!wire::IsUtf8(value.text)) return false;
      json->Key(name).Text(value.text);
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<std::string> TopOfMessagePack(std::string_view bytes) {
  Items items(bytes);
  Items::Item map, name, value;
  if (!items.Next(&map) || map.type != Items::Type::kMap) return std::nullopt;
  std::string text;
  wire::JsonWriter json(&text);
  json.Open('{');
  size_t kept = 0;
  for (uint64_t left = map.count / 2; left > 0 && kept < kMaxPayloadMembers; --left) {
    if (!items.Next(&name) || !items.Skip(name.count)) return std::nullopt;
    if (!items.Next(&value) || !items.Skip(value.count)) return std::nullopt;
    const bool named = name.type == Items::Type::kString && wire::IsUtf8(name.text);
    if (named && WriteMember(name.text, value, &json)) ++kept;
  }
  json.Close('}');
  return text;
}

std::optional<std::string> TopOfPayload(std::string_view quoted) {
  if (quoted.empty() || quoted.front() != '"') return std::nullopt;
  std::string bytes;
  if (!wire::DecodeBase64(wire::StringValue(quoted), &bytes)) return std::nullopt;
  const std::string_view text = wire::Trimmed(bytes);
  if (!text.empty() && text.front() == '{' && wire::IsLooseJson(text)) return std::string(text);
  return TopOfMessagePack(bytes);
}

}  // namespace midwire::trace
