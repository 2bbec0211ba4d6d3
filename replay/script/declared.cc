#include "replay/script/declared.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "replay/script/declaration_kinds.h"
#include "wire/dialect/member_reader.h"
#include "wire/json/escape.h"
#include "wire/json/value.h"

namespace midwire::replay {
namespace {

Place Known(const char* text) { return *wire::ParseMethodPlace(text); }

bool IsOfAny(const CallClass& of, const std::vector<wire::MethodScope>& scopes) {
  return std::any_of(scopes.begin(), scopes.end(),
                     [&](const wire::MethodScope& scope) { return of.IsOf(scope); });
}

// Members beside the declarations that some part of midwire reads or that the format defines
// (doc/trace-format.md).
constexpr std::string_view kHeaderMembers[] = {"midwire", "version", "start",   "event",
                                               "finding", "comment", "portable"};

bool IsKnown(std::string_view member) {
  const std::span<const DeclarationKind> kinds = DeclarationKinds();
  return std::find(std::begin(kHeaderMembers), std::end(kHeaderMembers), member) !=
             std::end(kHeaderMembers) ||
         std::any_of(kinds.begin(), kinds.end(),
                     [&](const DeclarationKind& kind) { return kind.member() == member; });
}

void WarnOfUnknown(const wire::Json& header, std::vector<std::string>* warnings) {
  for (const wire::Json::Member& member : header.members) {
    if (IsKnown(member.first)) continue;
    if (warnings->size() == kMaxWarnings) return;
    warnings->push_back("the header has a member that midwire does not know, \"" +
                        wire::Escaped(member.first.substr(0, 100)) + "\": it has no effect");
  }
}

// `name`: of the list in `in`.
void ReadList(const DeclarationKind& kind, std::string_view name, wire::MemberReader* in,
              Declarations* to) {
  size_t count = 0;
  in->Items(name, [&](wire::MemberReader* item) {
    const std::string text = item->AsText();
    if (item->failed()) return;
    if (Status added = kind.add(text, to); !added) return item->Fail(added.error().Text());
    ++count;
  });
  if (count > kMaxDeclared) {
    in->Expect(name, "at most " + std::to_string(kMaxDeclared) + " items");
  }
}

}  // namespace

PlaceRules RulesFor(const Declarations& declared, const CallClass& of) {
  PlaceRules rules;
  const auto add = [&of](const std::vector<Place>& places, std::vector<const wire::Pointer*>* to) {
    for (const Place& place : places) {
      if (of.IsOf(place)) to->push_back(&place.pointer);
    }
  };
  add(declared.ignores, &rules.ignores);
  add(declared.unordered, &rules.unordered);
  for (const ShapedPlace& shaped : declared.shapes) {
    if (of.IsOf(shaped.at)) rules.shapes.emplace_back(&shaped.at.pointer, &shaped.shape);
  }
  return rules;
}

bool Declarations::Floating(const CallClass& of) const { return IsOfAny(of, floating_methods); }

Result<ShapedPlace> ParseShapedPlace(std::string_view text) {
  // A name may have an `=`, and so may a template: the shape begins at the first one that a shape
  // follows.
  const Result<size_t> scope = wire::EndOfScope(text);
  if (!scope) return scope.error();
  size_t equals = text.find('=', *scope);
  while (equals != text.npos && !BeginsWithShape(text.substr(equals + 1))) {
    equals = text.find('=', equals + 1);
  }
  if (equals == text.npos) equals = text.find('=', *scope);
  if (equals == text.npos) {
    return Error{"not a shape of a place", "\"" + std::string(text) + "\"",
                 "write PLACE=SHAPE, as in build/run:/result/started=timestamp"};
  }
  Result<Place> at = ParseScopedPlace(text.substr(0, equals));
  if (!at) return at.error();
  Result<Shape> shape = ParseShape(text.substr(equals + 1));
  if (!shape) return shape.error();
  return ShapedPlace{std::move(*at), std::move(*shape)};
}

bool Declarations::Volatile(const CallClass& of) const { return IsOfAny(of, volatile_methods); }

Result<Bind> ParseBind(std::string_view text) {
  const Result<size_t> scope = wire::EndOfScope(text);
  if (!scope) return scope.error();
  const size_t equals = text.find('=', *scope);
  if (equals == text.npos) {
    return Error{"not a binding", "\"" + std::string(text) + "\"",
                 "write FROM=TO, as in open:/result/handle=close:/params/handle"};
  }
  Result<Place> from = ParseScopedPlace(text.substr(0, equals));
  if (!from) return from.error();
  Result<Place> to = ParseScopedPlace(text.substr(equals + 1));
  if (!to) return to.error();
  return Bind{std::move(*from), std::move(*to)};
}

Result<Place> ParseChunkedPlace(std::string_view text) {
  Result<Place> place = wire::ParseScopedPlace(text);
  if (place && place->scope.method.empty()) {
    return Error{"not a place of a text in pieces", "\"" + std::string(text) + "\"",
                 "name the method of its messages, as in terminal/output:/params/text"};
  }
  return place;
}

Result<PathPair> ParseMap(std::string_view text) {
  const size_t equals = text.find('=');
  PathPair pair;
  if (equals != text.npos) {
    pair = {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
  }
  if (pair.from.find_first_not_of('/') == pair.from.npos || pair.to.empty()) {
    return Error{"not a map", "\"" + std::string(text) + "\"",
                 "write FROM=TO, two paths, where FROM is not /"};
  }
  return pair;
}

Declarations Declarations::WithDefaults() {
  Declarations defaults;
  defaults.host_pids = {Known("initialize:/params/processId")};    // LSP 3.17
  defaults.host_names = {Known("initialize:/params/clientInfo"),   // MCP, LSP 3.17, ACP
                         Known("initialize:/arguments/clientID"),  // DAP
                         Known("initialize:/arguments/clientName"),
                         Known("/params/_meta")};                                       // MCP, ACP
  defaults.ids = {{Known("$/cancelRequest:/params/id"), IdOf::kSender},                 // LSP 3.17
                  {Known("notifications/cancelled:/params/requestId"), IdOf::kSender},  // MCP
                  {Known("cancel:/arguments/requestId"), IdOf::kSender},                // DAP
                  {Known("/parentRequestId"), IdOf::kReceiver}};
  for (const char* from :
       {"/params/_meta/progressToken", "/params/workDoneToken", "/params/partialResultToken",
        "window/workDoneProgress/create:/params/token"}) {
    for (const char* to :
         {"notifications/progress:/params/progressToken", "$/progress:/params/token",
          "window/workDoneProgress/cancel:/params/token"}) {
      defaults.binds.push_back({Known(from), Known(to)});
    }
  }
  return defaults;
}

Status ReadHeader(std::string_view header, Declarations* to) {
  const Result<wire::Json> json = wire::ParseJson(header);
  if (!json) return json.error();
  wire::ReadSource source{.what = "the header cannot be used"};
  wire::MemberReader in(*json, &source);
  for (const DeclarationKind& kind : DeclarationKinds()) {
    if (kind.path == kind.member()) {
      ReadList(kind, kind.path, &in, to);
    } else if (const wire::Json* object = json->Find(kind.member())) {
      wire::MemberReader part = in.Below(*object, kind.member());
      if (!object->is(wire::Json::Type::kObject)) part.Expect("an object");
      ReadList(kind, kind.path.substr(kind.member().size() + 1), &part, to);
    }
  }
  to->portable = in.Flag("portable", to->portable);
  if (source.error) return *source.error;
  WarnOfUnknown(*json, &to->warnings);
  return Ok{};
}

}  // namespace midwire::replay
