// The texts of a page's data: each is stored once, and rows hold its number. Called by rows.h.
// Texts are made safe for JSON here, not for a page: its scripts escape what hides or reorders
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace midwire::view {

// A longer text is cut: it is shown in a cell of a table, and the whole is in the message's bytes.
inline constexpr size_t kMaxPageText = 4096;

// Valid UTF-8: other bytes as \xNN, cut at `most` bytes with an ellipsis.
std::string PageText(std::string_view bytes, size_t most = kMaxPageText);

class Strings {
 public:
  Strings() { (void)Add(""); }
  // The number of a text; "" has 0.
  uint32_t Add(std::string_view bytes);
  const std::string& at(uint32_t number) const { return texts_[number]; }
  size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // their addresses stay
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

}  // namespace midwire::view
