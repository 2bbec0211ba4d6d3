// A value as Neovim's vim.inspect prints it, as JSON. Called by the reader of Neovim's log.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace midwire::trace::import {

// How many bytes a log's tables that are printed once and named again may still be copied. One for
// all lines of a log: in a line of 700 bytes, tables that each have the one before twice are 4 MiB.
class LuaCopies {
 public:
  // Real logs name few tables again: with these, they are less than twice as long. 16 MiB are for
  // short logs with a few large messages.
  static constexpr size_t kPlain = 16u << 20, kPerByte = 4;

  explicit LuaCopies(size_t log_bytes) : left_(kPlain + kPerByte * log_bytes) {}
  // False: there are not so many left. What was taken stays taken, also for a line that is unread.
  bool Take(size_t bytes);
  // Whether there were too few since the last call.
  bool TakeRefusal();

 private:
  size_t left_;
  bool refused_ = false;
};

// nullopt: not such a value, or one that has no JSON (a function, a table with both names and
// positions). Also one nested deeper than 128 levels, longer than 64 MiB, or with more repeated
// tables than `copies` has left. An empty table is [], as Neovim sends it; empty objects are
// printed as vim.empty_dict().
std::optional<std::string> LuaToJson(std::string_view text, LuaCopies* copies);

// The string that `text` is, with its quotes.
std::optional<std::string> LuaString(std::string_view text);

}  // namespace midwire::trace::import
