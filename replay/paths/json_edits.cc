#include "replay/paths/json_edits.h"

#include <algorithm>
#include <string>
#include <vector>

#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::replay {
namespace {

// Top-level members of JSON-RPC and DAP that are no content.
constexpr std::string_view kProtocol[] = {"\"id\"",   "\"method\"",  "\"jsonrpc\"",
                                          "\"type\"", "\"command\"", "\"event\""};

void AppendSpelled(std::string_view text, std::string* out) {
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      *out += '\\';
      *out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      *out += "\\u";
      wire::AppendHex(static_cast<unsigned char>(c), 4, out);
    } else {
      *out += c;
    }
  }
}

// Edits of one string: `inner` without its quotes, at `start` of the message.
void EditOne(std::string_view inner, size_t start, const EditString& edit, TextEdits* edits) {
  TextEdits found;
  std::vector<size_t> at;  // where each byte of the meaning is spelled; empty: no escapes
  if (inner.find('\\') == inner.npos) {
    edit(inner, &found);
  } else {
    std::string text;
    for (size_t i = 0; i < inner.size();) {
      const wire::JsonEscape escape =
          inner[i] == '\\' ? wire::ReadJsonEscape(inner.substr(i)) : wire::JsonEscape();
      const size_t before = text.size();
      if (escape.size == 0) {
        text += inner[i];
      } else {
        wire::AppendUtf8(escape.code, &text);
      }
      at.insert(at.end(), text.size() - before, i);
      i += std::max<size_t>(escape.size, 1);
    }
    at.push_back(inner.size());
    edit(text, &found);
  }
  for (TextEdit& one : found) {
    TextEdit spelled;
    spelled.begin = start + (at.empty() ? one.begin : at[one.begin]);
    spelled.end = start + (at.empty() ? one.end : at[one.end]);
    AppendSpelled(one.with, &spelled.with);
    edits->push_back(std::move(spelled));
  }
}

// All strings between `begin` and `end` of the message.
void EditSpan(std::string_view body, size_t begin, size_t end, const EditString& edit,
              TextEdits* edits) {
  for (size_t at = body.find('"', begin); at < end; at = body.find('"', at)) {
    const size_t start = ++at;
    while (at < end && body[at] != '"') at += body[at] == '\\' ? 2 : 1;
    if (at >= end) return;
    EditOne(body.substr(start, at - start), start, edit, edits);
    ++at;
  }
}

}  // namespace

void EditStrings(std::string_view body, const EditString& edit, TextEdits* edits) {
  const wire::JsonType type = body.empty() ? wire::JsonType::kNull : wire::TypeOf(body);
  const auto offset = [&](std::string_view part) {
    return static_cast<size_t>(part.data() - body.data());
  };
  const auto edit_object = [&](std::string_view object) {
    wire::JsonParts parts(object);
    for (wire::JsonPart part; parts.Next(&part);) {
      if (std::find(std::begin(kProtocol), std::end(kProtocol), part.name) != std::end(kProtocol)) {
        continue;
      }
      EditSpan(body, offset(part.value), offset(part.value) + part.value.size(), edit, edits);
    }
  };
  if (type == wire::JsonType::kObject) return edit_object(body);
  if (type != wire::JsonType::kArray) return EditSpan(body, 0, body.size(), edit, edits);
  wire::JsonParts elements(body);  // a batch
  for (wire::JsonPart element; elements.Next(&element);) {
    if (wire::TypeOf(element.value) == wire::JsonType::kObject) {
      edit_object(element.value);
    } else {
      EditSpan(body, offset(element.value), offset(element.value) + element.value.size(), edit,
               edits);
    }
  }
}

}  // namespace midwire::replay
