#include "wire/json/format.h"

#include <cstdint>

#include "wire/json/cursor.h"
#include "wire/json/quote.h"
#include "wire/json/valid.h"

namespace midwire::wire {
namespace {

struct Style {
  std::string_view comma, colon;
};
constexpr Style kCompact = {",", ":"}, kSpaced = {", ", ": "};

constexpr size_t kColumns = 100;
// What PrettyJson collects before it writes; longer strings are written by themselves.
constexpr size_t kPrettyPiece = 64 * 1024;

// On one line. False: longer than `most`; *out is then incomplete.
bool AppendOnOneLine(const Json& json, const Style& style, size_t most, std::string* out) {
  switch (json.type) {
    case Json::Type::kNull:
      *out += "null";
      break;
    case Json::Type::kBool:
      *out += json.boolean ? "true" : "false";
      break;
    case Json::Type::kNumber:
      *out += json.text;
      break;
    case Json::Type::kString:
      AppendJsonString(json.text, out);
      break;
    case Json::Type::kArray:
      *out += '[';
      for (size_t i = 0; i < json.items.size(); ++i) {
        if (i > 0) *out += style.comma;
        if (!AppendOnOneLine(json.items[i], style, most, out)) return false;
      }
      *out += ']';
      break;
    case Json::Type::kObject:
      *out += '{';
      for (size_t i = 0; i < json.members.size(); ++i) {
        if (i > 0) *out += style.comma;
        AppendJsonString(json.members[i].first, out);
        *out += style.colon;
        if (!AppendOnOneLine(json.members[i].second, style, most, out)) return false;
      }
      *out += '}';
      break;
  }
  return out->size() <= most;
}

// column: where the value begins; the line may need a comma after it.
void AppendIndented(const Json& json, size_t indent, size_t column, std::string* out) {
  const bool container = !json.items.empty() || !json.members.empty();
  const size_t room = column + 1 < kColumns ? kColumns - column - 1 : 0;
  std::string line;
  if (AppendOnOneLine(json, kSpaced, container ? room : SIZE_MAX, &line)) {
    *out += line;
    return;
  }
  const bool object = json.is(Json::Type::kObject);
  const size_t count = object ? json.members.size() : json.items.size();
  const std::string blanks(indent + 2, ' ');
  *out += object ? "{\n" : "[\n";
  for (size_t i = 0; i < count; ++i) {
    const size_t start = out->size();
    *out += blanks;
    if (object) {
      AppendJsonString(json.members[i].first, out);
      *out += kSpaced.colon;
    }
    const Json& value = object ? json.members[i].second : json.items[i];
    AppendIndented(value, indent + 2, out->size() - start, out);
    *out += i + 1 < count ? ",\n" : "\n";
  }
  out->append(indent, ' ');
  *out += object ? '}' : ']';
}

}  // namespace

void AppendJson(const Json& json, std::string* out) {
  AppendOnOneLine(json, kCompact, SIZE_MAX, out);
}

std::string IndentedJson(const Json& json) {
  std::string text;
  AppendIndented(json, 0, 0, &text);
  return text + "\n";
}

void PrettyJson(std::string_view text, const std::function<void(std::string_view)>& write) {
  if (!IsJson(text)) return write(text);
  std::string out;
  const auto hand_out = [&](size_t at_least) {
    if (out.size() < at_least) return;
    write(out);
    out.clear();
  };
  const auto new_line = [&](size_t level,
                            size_t indent) {  // level: of the container that the line is in
    if (level > kMaxIndentLevels) return;
    out += '\n';
    out.append(2 * indent, ' ');
  };
  JsonCursor<> cursor(text);
  JsonToken before = JsonToken::kName;  // what a value follows without a comma or a new line
  for (JsonToken token; (token = cursor.Next()) != JsonToken::kEnd; before = token) {
    hand_out(kPrettyPiece);
    const std::string_view piece = cursor.text();
    if (token == JsonToken::kClose) {
      if (before != JsonToken::kOpen) new_line(cursor.depth() + 1, cursor.depth());
    } else if (before != JsonToken::kName) {
      if (before != JsonToken::kOpen) out += ',';
      const size_t level = cursor.depth() - (token == JsonToken::kOpen ? 1 : 0);
      new_line(level, level);
    }
    if (piece.size() < kPrettyPiece) {
      out += piece;
    } else {
      hand_out(1);
      write(piece);
    }
    if (token == JsonToken::kName) out += ": ";
  }
  hand_out(1);
}

}  // namespace midwire::wire
