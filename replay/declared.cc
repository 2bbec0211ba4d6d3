#include "replay/declared.h"

#include <algorithm>

#include "wire/dialect/member_reader.h"
#include "wire/json/value.h"

namespace midwire::replay {
namespace {

Place Known(const char* text) { return *ParseMethodPlace(text); }

}  // namespace

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
  defaults.host_pids = {Known("initialize:/params/processId")};                         // LSP 3.17
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
  size_t binds = 0;
  in.Items("bind", [&](wire::MemberReader* item) {
    Result<Bind> bind = ParseBind(item->AsText());
    if (!bind) return item->Fail(bind.error().Text());
    to->binds.push_back(std::move(*bind));
    ++binds;
  });
  most(&in, "bind", binds);
  const std::vector<std::string> methods = in.Texts("volatile");
  most(&in, "volatile", methods.size());
  to->volatile_methods.insert(to->volatile_methods.end(), methods.begin(), methods.end());
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
  return Ok{};
}

}  // namespace midwire::replay
