#include "replay/script/declared.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

// Members that some part of midwire reads or that the format defines (doc/trace-format.md).
constexpr std::string_view kHeaderMembers[] = {
    "midwire", "version", "start",    "event",    "ignore",  "shape",   "unordered", "chunked",
    "bind",    "ids",     "volatile", "floating", "finding", "comment", "host",      "portable"};

void WarnOfUnknown(const wire::Json& header, std::vector<std::string>* warnings) {
  for (const wire::Json::Member& member : header.members) {
    if (std::find(std::begin(kHeaderMembers), std::end(kHeaderMembers), member.first) !=
        std::end(kHeaderMembers)) {
      continue;
    }
    if (warnings->size() == kMaxWarnings) return;
    warnings->push_back("the header has a member that midwire does not know, \"" +
                        wire::Escaped(member.first.substr(0, 100)) + "\": it has no effect");
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
                         Known("/params/_meta/progressToken")};                         // MCP
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
  const auto most = [](wire::MemberReader* list, std::string_view name, size_t count) {
    if (count > kMaxDeclared)
      list->Expect(name, "at most " + std::to_string(kMaxDeclared) + " items");
  };
  const auto places = [&](wire::MemberReader* list, std::string_view name) {
    std::vector<Place> all = list->Places(name);
    most(list, name, all.size());
    return all;
  };
  const auto scoped = [&](std::string_view name, std::vector<Place>* list) {
    std::vector<Place> all = in.ScopedPlaces(name);
    most(&in, name, all.size());
    std::move(all.begin(), all.end(), std::back_inserter(*list));
  };
  scoped("ignore", &to->ignores);
  scoped("unordered", &to->unordered);
  size_t chunked = 0;
  in.Items("chunked", [&](wire::MemberReader* item) {
    Result<Place> place = ParseChunkedPlace(item->AsText());
    if (!place) return item->Fail(place.error().Text());
    to->chunked.push_back(std::move(*place));
    ++chunked;
  });
  most(&in, "chunked", chunked);
  size_t shapes = 0;
  in.Items("shape", [&](wire::MemberReader* item) {
    Result<ShapedPlace> shape = ParseShapedPlace(item->AsText());
    if (!shape) return item->Fail(shape.error().Text());
    to->shapes.push_back(std::move(*shape));
    ++shapes;
  });
  most(&in, "shape", shapes);
  size_t binds = 0;
  in.Items("bind", [&](wire::MemberReader* item) {
    Result<Bind> bind = ParseBind(item->AsText());
    if (!bind) return item->Fail(bind.error().Text());
    to->binds.push_back(std::move(*bind));
    ++binds;
  });
  most(&in, "bind", binds);
  const auto methods = [&](std::string_view name, std::vector<wire::MethodScope>* list) {
    std::vector<wire::MethodScope> all = in.Scopes(name);
    most(&in, name, all.size());
    std::move(all.begin(), all.end(), std::back_inserter(*list));
  };
  methods("volatile", &to->volatile_methods);
  methods("floating", &to->floating_methods);
  if (const wire::Json* ids = json->Find("ids")) {
    wire::MemberReader of(*ids, &source, "/ids");
    if (!ids->is(wire::Json::Type::kObject)) of.Expect("an object");
    for (Place& place : places(&of, "sender")) to->ids.push_back({std::move(place), IdOf::kSender});
    for (Place& place : places(&of, "receiver")) {
      to->ids.push_back({std::move(place), IdOf::kReceiver});
    }
  }
  if (const wire::Json* host = json->Find("host")) {
    wire::MemberReader of(*host, &source, "/host");
    if (!host->is(wire::Json::Type::kObject)) of.Expect("an object");
    for (Place& place : places(&of, "pid")) to->host_pids.push_back(std::move(place));
  }
  to->portable = in.Flag("portable", to->portable);
  if (source.error) return *source.error;
  WarnOfUnknown(*json, &to->warnings);
  return Ok{};
}

}  // namespace midwire::replay
