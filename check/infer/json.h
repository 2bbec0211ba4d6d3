// Builds JSON values, for the dialects that infer drafts. Called by check/infer only. Never reads
// or writes messages.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wire/json/value.h"

namespace midwire::check {

wire::Json JsonText(std::string_view utf8);
wire::Json JsonNumber(int64_t number);
wire::Json JsonFlag(bool flag);
wire::Json JsonList(std::vector<wire::Json> items = {});
wire::Json JsonObject();
// Appends; the caller knows that the name is new.
void Put(wire::Json* object, std::string_view name, wire::Json value);

}  // namespace midwire::check
