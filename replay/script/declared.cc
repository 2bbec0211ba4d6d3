#include "replay/script/declared.h"

#include <algorithm>

#include "wire/dialect/member_reader.h"
#include "wire/json/escape.h"
#include "wire/json/value.h"

namespace midwire::replay {
namespace {

Place Known(const char* text) { return *ParseMethodPlace(text); }

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

PlaceRules RulesFor(const Declarations& declared, std::string_view method) {
  PlaceRules rules;
  const auto add = [method](const std::vector<Place>& places,
                            std::vector<const wire::Pointer*>* to) {
    for (const Place& place : places) {
      if (place.OfMethod(method)) to->push_back(&place.pointer);
    }
  };
  add(declared.ignores, &rules.ignores);
  add(declared.unordered, &rules.unordered);
  for (const ShapedPlace& shaped : declared.shapes) {
    if (shaped.at.OfMethod(method)) rules.shapes.emplace_back(&shaped.at.pointer, &shaped.shape);
  }
  return rules;
}

bool Declarations::Floating(std::string_view method) const {
  return wire::MatchesAny(floating_methods, method);
}

Result<ShapedPlace> ParseShapedPlace(std::string_view text) {
  // A name may have an `=`, and so may a template: the shape begins at the first one that a shape
  // follows.
  size_t equals = text.find('=');
  while (equals != text.npos && !BeginsWithShape(text.substr(equals + 1))) {
    equals = text.find('=', equals + 1);
  }
  if (equals == text.npos) equals = text.find('=');
  if (equals == text.npos) {
    return Error{"not a shape of a place", "'" + std::string(text) + "'",
                 "write PLACE=SHAPE, as in build/run:/result/started=timestamp"};
  }
  Result<Place> at = ParseMethodPlace(text.substr(0, equals));
  if (!at) return at.error();
  Result<Shape> shape = ParseShape(text.substr(equals + 1));
  if (!shape) return shape.error();
  return ShapedPlace{std::move(*at), std::move(*shape)};
}

bool Declarations::Volatile(std::string_view method) const {
  return wire::MatchesAny(volatile_methods, method);
}

Result<Bind> ParseBind(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) {
    return Error{"not a binding", "'" + std::string(text) + "'",
                 "write FROM=TO, as in open:/result/handle=close:/params/handle"};
  }
  Result<Place> from = ParseMethodPlace(text.substr(0, equals));
  if (!from) return from.error();
  Result<Place> to = ParseMethodPlace(text.substr(equals + 1));
  if (!to) return to.error();
  return Bind{std::move(*from), std::move(*to)};
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
                         Known("initialize:/arguments/clientName")};
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
  for (Place& place : places(&in, "ignore")) to->ignores.push_back(std::move(place));
  for (Place& place : places(&in, "unordered")) to->unordered.push_back(std::move(place));
  for (Place& place : places(&in, "chunked")) to->chunked.push_back(std::move(place));
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
  const auto methods = [&](std::string_view name, std::vector<std::string>* list) {
    const std::vector<std::string> all = in.Texts(name);
    most(&in, name, all.size());
    list->insert(list->end(), all.begin(), all.end());
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
