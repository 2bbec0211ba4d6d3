// JSON that is put together and written for people: short containers on one line, long ones
// indented. What infer writes a dialect with; messages are never written anew.
#pragma once

#include <cstdint>
#include <string>
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

// Ends with a line feed. Recursive: for documents that we made, of bounded depth.
std::string PrettyText(const wire::Json& json);

}  // namespace midwire::check
