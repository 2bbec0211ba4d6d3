// Replaces paths in a text, such as a recorded working directory by today's. Called for each string
// of a message, when a trace is loaded and when strings are compared. Pure.
//
// A path is replaced only as a whole: in "/a/b/c" and "see /a/b: x" the path /a/b is found, in
// "/a/bc", "/x/a/b" and "/a/b.bak" it is not. It is also found with percent-encoded bytes; in a URI
// its replacement is percent-encoded too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "replay/paths/text_edit.h"

namespace midwire::replay {

struct PathPair {
  std::string from, to;
};
using PathPairs = std::vector<PathPair>;

class PathMap {
 public:
  PathMap() = default;
  // Of several paths that match at one place the longest is replaced; of equal ones the first pair
  // counts. A pair whose `from` is empty or "/" is ignored. A pair of equal paths protects
  // this path from shorter ones. verbatim: replacements are never percent-encoded.
  explicit PathMap(PathPairs pairs, bool verbatim = false);

  // Whether any pair replaces anything.
  bool any() const { return any_; }
  // False: `bytes` (a text, or a message that holds it as JSON) has no path of this map.
  bool MayFind(std::string_view bytes) const;
  // Appends the edits of a text. used: of each pair (by its index in the constructor's list)
  // whether it was found; may be null.
  void Find(std::string_view text, TextEdits* edits, std::vector<bool>* used = nullptr) const;
  std::string Map(std::string_view text) const;
  // The map from today's paths to the recorded ones.
  PathMap Reversed() const;

 private:
  struct Entry {
    std::string from, to;
    std::string needle;  // the longest run of letters and digits of `from`
    size_t index = 0;
  };
  std::vector<Entry> entries_;  // the longest `from` first
  bool any_ = false, verbatim_ = false;
};

// Whether `at` in a text is where the path of a URI begins: "file://" or "scheme://host" before it.
bool IsUriPath(std::string_view text, size_t at);
// `like`: a spelling whose plain characters stay plain, and whose letter case the digits have.
std::string PercentEncoded(std::string_view path, std::string_view like = "");

}  // namespace midwire::replay
