// What detection needs of a dialect: its methods, framing and handshake. Read from the text of its
// file without its schemas and rules, so that all built-in dialects cost less than a millisecond.
// Called by Detect. A text that is no dialect gives an outline that fits nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/framing.h"
#include "wire/json/pointer.h"

namespace midwire::trace {

struct DialectOutline {
  std::string name, title;
  std::vector<std::string> bases;  // that it extends, nearest first
  std::vector<std::string> detect;
  std::vector<std::string> first;  // methods that open a session
  std::optional<wire::Framing> framing;
  bool versioned = true;  // its messages have "jsonrpc"
  bool lenient = false;   // but they may lack it
  // Of the first message: places of a revision or of capabilities.
  std::vector<wire::MethodPlace> handshake;

  struct Method {
    bool from[2] = {false, false};  // by Direction
    bool request = false, notification = false;
  };
  // Of all revisions.
  std::map<std::string, Method, std::less<>> methods;
  size_t longest_pattern = 0;

  const Method* Find(std::string_view method) const {
    return wire::FindMethod(methods, longest_pattern, method);
  }
};

DialectOutline OutlineOf(std::string_view text, wire::DialectSource bases);
// Of the built-in dialects, sorted by name; made once.
const std::vector<DialectOutline>& BuiltInOutlines();

}  // namespace midwire::trace
