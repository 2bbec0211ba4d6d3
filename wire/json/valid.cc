#include "wire/json/valid.h"

#include "wire/json/cursor.h"
#include "wire/json/read_loose.h"

namespace midwire::wire {
namespace {

struct NoSink {
  void Name(const char*, const char*, bool, size_t) {}
  void Scalar(const char*, const char*, size_t) {}
  void Open(const char*, size_t) {}
  void Close(const char*, size_t) {}
};

}  // namespace

bool IsJson(std::string_view text) {
  JsonCursor<JsonSyntax::kStrict> cursor(text);
  for (;;) {
    switch (cursor.Next()) {
      case JsonToken::kEnd:
        return true;
      case JsonToken::kBroken:
        return false;
      default:
        break;
    }
  }
}

bool IsLooseJson(std::string_view text) {
  NoSink none;
  return ReadLooseJson(text, &none);
}

}  // namespace midwire::wire
