// A value as Neovim's vim.inspect prints it, as JSON. Called by the reader of Neovim's log.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace midwire::trace::import {

// nullopt: not such a value, or one that has no JSON (a function, a table with both names and
// positions). Also one nested deeper than 128 levels, or longer than 64 MiB with its repeated
// tables. An empty table is [], as Neovim sends it; empty objects are printed as vim.empty_dict().
std::optional<std::string> LuaToJson(std::string_view text);

// The string that `text` is, with its quotes.
std::optional<std::string> LuaString(std::string_view text);

}  // namespace midwire::trace::import
