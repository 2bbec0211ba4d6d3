#include "replay/declared.h"

#include <algorithm>

#include "wire/json/value.h"

namespace midwire::replay {
namespace {

using wire::Json;

Place Known(const char* text) { return *ParseMethodPlace(text); }

// Calls take(text) for each string of the list `name`, if there is one.
template <typename Take>
Status EachString(const Json& json, std::string_view name, const Take& take) {
  const Json* list = json.Find(name);
  if (list == nullptr) return Ok{};
  const Error wrong = {"the header's \"" + std::string(name) + "\" is not a list of strings", "",
                       "use a list of strings, at most " + std::to_string(kMaxDeclared)};
  if (!list->is(Json::Type::kArray) || list->items.size() > kMaxDeclared) return wrong;
  for (const Json& item : list->items) {
    if (!item.is(Json::Type::kString)) return wrong;
    if (Status taken = take(item.text); !taken) return taken;
  }
  return Ok{};
}

template <typename T>
Status Append(Result<T> parsed, std::vector<T>* to) {
  if (!parsed) return parsed.error();
  to->push_back(std::move(*parsed));
  return Ok{};
}

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

Declarations Declarations::WithDefaults() {
  Declarations defaults;
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
  const Result<Json> json = wire::ParseJson(header);
  if (!json) return json.error();
  Status read = EachString(*json, "ignore", [&](const std::string& text) {
    return Append(ParseMethodPlace(text), &to->ignores);
  });
  if (!read) return read;
  read = EachString(*json, "bind",
                    [&](const std::string& text) { return Append(ParseBind(text), &to->binds); });
  if (!read) return read;
  read = EachString(*json, "volatile", [&](const std::string& text) -> Status {
    to->volatile_methods.push_back(text);
    return Ok{};
  });
  const Json* ids = json->Find("ids");
  if (!read || ids == nullptr) return read;
  if (!ids->is(Json::Type::kObject)) {
    return Error{"the header's \"ids\" is malformed", "",
                 R"({"sender":[...],"receiver":[...]} is expected)"};
  }
  const auto take = [&](IdOf whose) {
    return [to, whose](const std::string& text) -> Status {
      Result<Place> place = ParseMethodPlace(text);
      if (!place) return place.error();
      to->ids.push_back({std::move(*place), whose});
      return Ok{};
    };
  };
  read = EachString(*ids, "sender", take(IdOf::kSender));
  return read ? EachString(*ids, "receiver", take(IdOf::kReceiver)) : read;
}

}  // namespace midwire::replay
