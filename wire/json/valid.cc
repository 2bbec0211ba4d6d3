#include "wire/json/valid.h"

#include "wire/json/cursor.h"

namespace midwire::wire {
namespace {

template <JsonSyntax syntax>
bool IsValid(std::string_view text) {
  JsonCursor<syntax> cursor(text);
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

}  // namespace

bool IsJson(std::string_view text) { return IsValid<JsonSyntax::kStrict>(text); }
bool IsLooseJson(std::string_view text) { return IsValid<JsonSyntax::kLoose>(text); }

}  // namespace midwire::wire
