// The values at places of a message that a dialect names. Called by CallLinks and FactReader. Pure.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/json/path.h"

namespace midwire::tools {

// Calls `take` with each string and number at one of the places, as spelled. `body`: loose JSON.
template <typename Take>
void EachValue(const std::vector<wire::MethodPlace>& places, std::string_view method,
               std::string_view body, const Take& take) {
  for (const wire::MethodPlace& place : places) {
    if (!place.OfMethod(method)) continue;
    const auto& steps = place.pointer.steps;
    const bool many = std::any_of(steps.begin(), steps.end(),
                                  [](const auto& step) { return step == "*" || step == "**"; });
    if (many) {
      wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
        if (value != "null" && wire::MatchesDeep(place.pointer, path)) take(value);
      });
    } else if (const std::optional<std::string_view> value = wire::ValueAt(body, place.pointer)) {
      const wire::JsonType type = wire::TypeOf(*value);
      if (type == wire::JsonType::kString || type == wire::JsonType::kNumber) take(*value);
    }
  }
}

// A message about an id of its own side whose name says that it cancels: $/cancelRequest of LSP,
// notifications/cancelled of MCP.
inline bool Cancels(std::string_view method) { return method.find("ancel") != method.npos; }

// The id of the request that a message cancels, as spelled; "": none.
inline std::string_view CancelledId(const wire::Dialect& dialect, std::string_view method,
                                    std::string_view body) {
  std::string_view cancelled;
  if (!Cancels(method)) return cancelled;
  EachValue(dialect.ids_of_sender, method, body, [&](std::string_view id) { cancelled = id; });
  return cancelled;
}

}  // namespace midwire::tools
