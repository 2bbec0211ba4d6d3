#include "trace/dialect/outline.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "wire/dialect/built_in.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::trace {
namespace {

using wire::JsonType;

// As many as the loader follows.
constexpr size_t kMaxBases = 8;

void EachMember(std::string_view object,
                const std::function<void(std::string_view name, std::string_view value)>& visit) {
  if (!object.starts_with('{')) return;
  wire::JsonParts parts(object);
  for (wire::JsonPart part; parts.Next(&part);) {
    if (part.name.size() < 2) continue;  // not JSON
    // Names of members that are asked for have no escapes; those of methods are unescaped.
    visit(part.name.substr(1, part.name.size() - 2), part.value);
  }
}

std::string StringOrNothing(std::string_view value) {
  return value.starts_with('"') ? wire::StringValue(value) : std::string();
}

std::vector<std::string> TextsOf(std::string_view list) {
  std::vector<std::string> texts;
  if (!list.starts_with('[')) return texts;
  wire::JsonParts parts(list);
  for (wire::JsonPart part; parts.Next(&part);) {
    if (part.value.starts_with('"')) texts.push_back(wire::StringValue(part.value));
  }
  return texts;
}

class Reader {
 public:
  explicit Reader(wire::DialectSource bases) : bases_(bases) {}

  void Read(std::string_view text) {
    std::vector<std::pair<std::string_view, std::string_view>> members;
    std::string base;
    EachMember(wire::Trimmed(text), [&](std::string_view name, std::string_view value) {
      members.emplace_back(name, value);
      if (name == "extends") base = StringOrNothing(value);
    });
    if (!base.empty() && bases_ != nullptr && to_.bases.size() < kMaxBases) {
      to_.bases.push_back(base);
      Read(bases_(base));
    }
    for (const auto& [name, value] : members) {
      if (name == "dialect") to_.name = StringOrNothing(value);
      if (name == "title") to_.title = StringOrNothing(value);
      if (name == "detect") to_.detect = TextsOf(value);
      if (name == "negotiation") ReadNegotiation(value);
      if (name == "revisions") {
        EachMember(value, [this](std::string_view, std::string_view revision) {
          EachMember(revision,
                     [this](std::string_view part, std::string_view of) { ReadCommon(part, of); });
        });
      }
      ReadCommon(name, value);
    }
  }
  DialectOutline Take() { return std::move(to_); }

 private:
  // What revisions may have, too.
  void ReadCommon(std::string_view name, std::string_view value) {
    if (name == "methods") {
      EachMember(value, [this](std::string_view method, std::string_view spec) {
        ReadMethod(wire::StringValue('"' + std::string(method) + '"'), spec);
      });
    } else if (name == "framing") {
      EachMember(value, [this](std::string_view part, std::string_view kind) {
        wire::Framing framing = wire::Framing::kAuto;
        if (part != "kind" || !wire::ParseFraming(StringOrNothing(kind), &framing)) return;
        to_.framing = framing;
        if (framing == wire::Framing::kAuto) to_.framing.reset();
      });
    } else if (name == "lifecycle") {
      EachMember(value, [this](std::string_view part, std::string_view list) {
        if (part != "first") return;
        for (std::string& method : TextsOf(list)) to_.first.push_back(std::move(method));
      });
    } else if (name == "jsonrpc") {
      const std::string severity = StringOrNothing(value);
      to_.versioned = severity != "off";
      to_.lenient = severity != "must";
    }
  }

  void ReadNegotiation(std::string_view value) {
    EachMember(value, [this](std::string_view part, std::string_view list) {
      if (part == "default") return;
      for (const std::string& text : TextsOf(list)) {
        const Result<wire::MethodPlace> place = wire::ParseMethodPlace(text);
        if (place) to_.handshake.push_back(*place);
      }
    });
  }

  void ReadMethod(std::string name, std::string_view spec) {
    if (name == "comment") return;
    DialectOutline::Method method;
    EachMember(spec, [&method](std::string_view part, std::string_view value) {
      const std::string_view text = value.size() > 1 ? value.substr(1, value.size() - 2) : value;
      if (part == "from") {
        method.from[0] = text == "host" || text == "both";
        method.from[1] = text == "plugin" || text == "both";
      } else if (part == "kind") {
        method.request = text == "request" || text == "either";
        method.notification = text == "notification" || text == "either";
      }
    });
    if (name.ends_with('*')) {
      to_.longest_pattern = std::max(to_.longest_pattern, name.size() - 1);
    }
    DialectOutline::Method& known = to_.methods[std::move(name)];
    for (const int party : {0, 1}) known.from[party] = known.from[party] || method.from[party];
    known.request = known.request || method.request;
    known.notification = known.notification || method.notification;
  }

  wire::DialectSource bases_;
  DialectOutline to_;
};

}  // namespace

const DialectOutline::Method* DialectOutline::Find(std::string_view method) const {
  if (const auto found = methods.find(method); found != methods.end()) return &found->second;
  std::string pattern(method.substr(0, longest_pattern));
  for (size_t size = pattern.size() + 1; size-- > 0;) {
    pattern.resize(size);
    pattern += '*';
    if (const auto found = methods.find(pattern); found != methods.end()) return &found->second;
  }
  return nullptr;
}

DialectOutline OutlineOf(std::string_view text, wire::DialectSource bases) {
  Reader reader(bases);
  reader.Read(text);
  return reader.Take();
}

const std::vector<DialectOutline>& BuiltInOutlines() {
  static const std::vector<DialectOutline> outlines = [] {
    std::vector<DialectOutline> made;
    for (const std::string_view name : wire::BuiltInDialects()) {
      made.push_back(OutlineOf(wire::BuiltInDialect(name), wire::BuiltInDialect));
    }
    return made;
  }();
  return outlines;
}

}  // namespace midwire::trace
