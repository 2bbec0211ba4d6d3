// Which spellings mean one id. JSON-RPC 2.0, clause 5: an answer has the id of its request, in type
// and value. Peers that read ids into a number or a text send 1.0 or "1" for 1, or another escape.
// A receiver may refuse that, but it is clear what was meant. Everything that pairs requests with
// answers has to agree on it: session, check, replay and fuzz use these functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace midwire::wire {

// The same for all ids that may be spellings of one: 1, 1.0, 10e-1, "1" and "\u0031" have the
// key 1. A string that is no number is only itself, whatever its escapes. `token`: JSON text.
// Nearly always `token` itself; else a view of *space.
std::string_view IdKey(std::string_view token, std::string* space);

// Finds the open id that an answer means, in the caller's table `open`, which has the open ids by
// token. Keeps only those that are not their own key, so the usual ids cost nothing here.
class RespeltIds {
 public:
  // An id that is in the table from now on, or once more; and one that was erased there.
  void Open(std::string_view token);
  void Close(std::string_view token);
  // Where the table has another spelling of this id; its end, if it has none. Of several, the one
  // that is its key, else the first in order of bytes.
  template <typename Table>
  typename Table::const_iterator Find(const Table& open, std::string_view token) const {
    const std::optional<std::string> other =
        Other(token, [&](const std::string& key) { return open.find(key) != open.end(); });
    return other ? open.find(*other) : open.end();
  }

 private:
  template <typename IsOpen>
  std::optional<std::string> Other(std::string_view token, IsOpen is_open) const {
    std::string space;
    const std::string key(IdKey(token, &space));
    if (key != token && is_open(key)) return key;
    const auto found = odd_.find(key);
    if (found == odd_.end()) return std::nullopt;
    for (const auto& [other, count] : found->second) {
      if (other != token) return other;
    }
    return std::nullopt;
  }

  // By key: tokens that are not their key, and how often each is open.
  std::unordered_map<std::string, std::map<std::string, size_t>> odd_;
};

}  // namespace midwire::wire
