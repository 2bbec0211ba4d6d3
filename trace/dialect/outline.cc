#include "trace/dialect/outline.h"

#include <algorithm>
#include <utility>

#include "wire/dialect/built_in.h"
#include "wire/json/cursor.h"
#include "wire/json/unescape.h"

namespace midwire::trace {
namespace {

using wire::JsonToken;

// As many as the loader follows.
constexpr size_t kMaxBases = 8;

// Of a token that is a string; "" of another one.
std::string StringOrNothing(std::string_view token) {
  return token.starts_with('"') ? wire::StringValue(token) : std::string();
}

// Reads a text once, from its start to its end: what is not asked for is skipped, 64 bytes at a
// time. Most of a dialect is schemas and rules.
class OutlineReader {
 public:
  explicit OutlineReader(std::string_view text) : cursor_(text) {}

  // Returns the name of the dialect that this one extends; "": none.
  std::string Read() {
    std::string base;
    if (cursor_.Next() != JsonToken::kOpen || cursor_.text() != "{") return base;
    EachMember([&](std::string_view name) {
      if (name == "extends") base = StringOrNothing(cursor_.text());
      if (name == "dialect") to_.name = StringOrNothing(cursor_.text());
      if (name == "title") to_.title = StringOrNothing(cursor_.text());
      if (name == "detect") to_.detect = Texts(), has_detect_ = true;
      if (name == "negotiation") ReadNegotiation();
      if (name == "revisions" && IsObject()) {
        EachMember([&](std::string_view) {
          if (IsObject()) EachMember([&](std::string_view part) { ReadCommon(part); });
        });
      }
      ReadCommon(name);
    });
    return base;
  }

  // Adds what the base has.
  void Extend(const std::string& name, DialectOutline base) {
    to_.bases.push_back(name);
    to_.bases.insert(to_.bases.end(), base.bases.begin(), base.bases.end());
    if (to_.name.empty()) to_.name = std::move(base.name);
    if (to_.title.empty()) to_.title = std::move(base.title);
    if (!has_detect_) to_.detect = std::move(base.detect);
    if (!has_framing_) to_.framing = base.framing;
    if (!has_version_) to_.versioned = base.versioned, to_.lenient = base.lenient;
    to_.first.insert(to_.first.end(), base.first.begin(), base.first.end());
    to_.handshake.insert(to_.handshake.end(), base.handshake.begin(), base.handshake.end());
    for (const auto& [method, spec] : base.methods) Add(method, spec);
  }
  DialectOutline Take() { return std::move(to_); }

 private:
  bool IsObject() const { return cursor_.text() == "{"; }

  // After the opening bracket of an object: calls visit(name) for each member when the cursor is at
  // the value's first token. Names that are asked for have no escapes.
  template <typename Visit>
  void EachMember(const Visit& visit) {
    for (;;) {
      JsonToken token = cursor_.Next();
      std::string_view name;
      if (token == JsonToken::kName) {
        name = cursor_.text();
        token = cursor_.Next();
      }
      if (token == JsonToken::kClose || token == JsonToken::kEnd) return;
      const size_t depth = cursor_.depth();
      if (name.size() >= 2) visit(name.substr(1, name.size() - 2));
      // A container that was not read.
      if (token == JsonToken::kOpen && cursor_.depth() == depth) cursor_.SkipContainer();
    }
  }

  // The strings of a list.
  std::vector<std::string> Texts() {
    std::vector<std::string> texts;
    if (cursor_.text() != "[") return texts;
    for (;;) {
      const JsonToken token = cursor_.Next();
      if (token == JsonToken::kClose || token == JsonToken::kEnd) return texts;
      if (token == JsonToken::kOpen) cursor_.SkipContainer();
      if (token == JsonToken::kScalar && cursor_.text().starts_with('"')) {
        texts.push_back(wire::StringValue(cursor_.text()));
      }
    }
  }

  // What revisions may have, too.
  void ReadCommon(std::string_view name) {
    if (name == "jsonrpc") {
      const std::string severity = StringOrNothing(cursor_.text());
      to_.versioned = severity != "off";
      to_.lenient = severity != "must";
      has_version_ = true;
    }
    if (!IsObject()) return;
    if (name == "methods") {
      EachMember([&](std::string_view method) {
        const bool escapes = method.find('\\') != method.npos;
        ReadMethod(escapes ? wire::StringValue('"' + std::string(method) + '"')
                           : std::string(method));
      });
    } else if (name == "framing") {
      EachMember([&](std::string_view part) {
        wire::Framing framing = wire::Framing::kAuto;
        if (part != "kind") return;
        if (!wire::ParseFraming(StringOrNothing(cursor_.text()), &framing)) return;
        to_.framing = framing;
        if (framing == wire::Framing::kAuto) to_.framing.reset();
        has_framing_ = true;
      });
    } else if (name == "lifecycle") {
      EachMember([&](std::string_view part) {
        if (part != "first") return;
        for (std::string& method : Texts()) to_.first.push_back(std::move(method));
      });
    }
  }

  void ReadNegotiation() {
    if (!IsObject()) return;
    EachMember([&](std::string_view part) {
      if (part == "default") return;
      for (const std::string& text : Texts()) {
        const Result<wire::MethodPlace> place = wire::ParseMethodPlace(text);
        if (place) to_.handshake.push_back(*place);
      }
    });
  }

  void ReadMethod(std::string name) {
    if (name == "comment") return;
    DialectOutline::Method method;
    if (IsObject()) {
      EachMember([&](std::string_view part) {
        const std::string_view quoted = cursor_.text();
        const std::string_view text =
            quoted.size() > 1 ? quoted.substr(1, quoted.size() - 2) : quoted;
        if (part == "from") {
          method.from[0] = text == "host" || text == "both";
          method.from[1] = text == "plugin" || text == "both";
        } else if (part == "kind") {
          method.request = text == "request" || text == "either";
          method.notification = text == "notification" || text == "either";
        }
      });
    }
    Add(std::move(name), method);
  }

  void Add(std::string name, const DialectOutline::Method& method) {
    if (name.ends_with('*')) {
      to_.longest_pattern = std::max(to_.longest_pattern, name.size() - 1);
    }
    DialectOutline::Method& known = to_.methods[std::move(name)];
    for (const int party : {0, 1}) known.from[party] = known.from[party] || method.from[party];
    known.request = known.request || method.request;
    known.notification = known.notification || method.notification;
  }

  wire::JsonCursor<> cursor_;
  DialectOutline to_;
  bool has_detect_ = false, has_framing_ = false, has_version_ = false;
};

// Recursive: at most kMaxBases deep.
DialectOutline OutlineWithBases(std::string_view text, wire::DialectSource bases, size_t left) {
  OutlineReader reader(text);
  const std::string base = reader.Read();
  if (!base.empty() && bases != nullptr && left > 0) {
    reader.Extend(base, OutlineWithBases(bases(base), bases, left - 1));
  }
  return reader.Take();
}

}  // namespace

DialectOutline OutlineOf(std::string_view text, wire::DialectSource bases) {
  return OutlineWithBases(text, bases, kMaxBases);
}

const std::vector<DialectOutline>& BuiltInOutlines() {
  // Never freed: nothing waits for that at the end of a command.
  static const std::vector<DialectOutline>* const outlines = [] {
    auto* const made = new std::vector<DialectOutline>;
    const std::vector<std::string_view> names = wire::BuiltInDialects();
    made->reserve(names.size());
    for (const std::string_view name : names) {
      made->push_back(OutlineOf(wire::BuiltInOutline(name), wire::BuiltInOutline));
    }
    return made;
  }();
  return *outlines;
}

}  // namespace midwire::trace
