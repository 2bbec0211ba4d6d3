#include "wire/json/hash.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "wire/json/cursor.h"
#include "wire/json/decimal.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::wire {
namespace {

uint64_t Mix(uint64_t hash, uint64_t value) {  // the finisher of splitmix64
  hash = (hash ^ value) + 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

ValueHash Start(uint64_t kind) { return {Mix(0x6d696477, kind), Mix(0x69726521, kind)}; }

ValueHash Add(ValueHash hash, uint64_t value) { return {Mix(hash.a, value), Mix(hash.b, value)}; }

// Eight bytes at a time; the size distinguishes a zero byte from padding.
ValueHash HashBytes(ValueHash hash, std::string_view bytes) {
  hash = Add(hash, bytes.size());
  for (size_t at = 0; at < bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = Add(hash, word);
  }
  return hash;
}

ValueHash HashNumber(std::string_view number) {
  const Decimal decimal(number);
  ValueHash hash = Add(Start('0'), decimal.negative());
  if (const auto scale = decimal.Scale()) {
    hash = Add(hash, static_cast<uint64_t>(*scale));
  } else {
    hash = HashBytes(hash, decimal.ScaleText());
  }
  return HashBytes(hash, decimal.Digits());
}

ValueHash HashString(uint64_t kind, std::string_view quoted) {
  if (quoted.size() < 2) return Start(kind);  // no JSON
  if (quoted.find('\\') != quoted.npos) return HashBytes(Start(kind), StringValue(quoted));
  return HashBytes(Start(kind), quoted.substr(1, quoted.size() - 2));
}

ValueHash HashScalar(std::string_view scalar) {
  switch (TypeOf(scalar)) {
    case JsonType::kString:
      return HashString('"', scalar);
    case JsonType::kNumber:
      return HashNumber(scalar);
    default:
      return HashBytes(Start('n'), scalar);
  }
}

// A container whose end is not reached yet.
struct Open {
  ValueHash hash, name;
  bool object;
};

void AddTo(Open* in, const ValueHash& value) {
  if (in->object) {  // a sum: the order makes no difference
    in->hash.a += Mix(in->name.a, value.a);
    in->hash.b += Mix(in->name.b, value.b);
  } else {
    in->hash = {Mix(in->hash.a, value.a), Mix(in->hash.b, value.b)};
  }
}

}  // namespace

ValueHash HashValue(std::string_view value) {
  std::vector<Open> open;
  JsonCursor<> cursor(value);
  for (;;) {
    ValueHash ended;
    switch (cursor.Next()) {
      case JsonToken::kOpen: {
        const char bracket = cursor.text().front();
        open.push_back({Start(static_cast<uint64_t>(bracket)), {}, bracket == '{'});
        continue;
      }
      case JsonToken::kName:
        if (!open.empty()) open.back().name = HashString(':', cursor.text());
        continue;
      case JsonToken::kScalar:
        ended = HashScalar(cursor.text());
        break;
      case JsonToken::kClose:
        if (open.empty()) return {};
        ended = open.back().hash;
        open.pop_back();
        break;
      case JsonToken::kEnd:
      case JsonToken::kBroken:
        return {};
    }
    if (open.empty()) return ended;
    AddTo(&open.back(), ended);
  }
}

}  // namespace midwire::wire
