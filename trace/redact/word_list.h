// Lists of many short words as one text, " one two ", which is easier to read and to extend than
// as many literals. Used by the tables of this folder. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::trace::redact {

// Whether a list has this word.
inline bool HasWord(std::string_view list, std::string_view word) {
  if (word.empty() || word.find(' ') != word.npos) return false;
  for (size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    if (list[at - 1] == ' ' && list[at + word.size()] == ' ') return true;
  }
  return false;
}

inline void AppendWords(std::string_view list, std::vector<std::string>* words) {
  for (size_t at = 1; at < list.size();) {
    const size_t end = list.find(' ', at);
    words->emplace_back(list.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace midwire::trace::redact
