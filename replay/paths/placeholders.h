// The placeholders of a portable cassette (doc/trace-format.md): {cwd} and {home} stand for the
// working directory and the home directory, {brace} for a brace that would begin a placeholder.
// Written by midwire convert --portable, expanded when a trace is loaded. Pure.
#pragma once

#include <string>
#include <string_view>

#include "replay/paths/path_map.h"
#include "replay/paths/text_edit.h"

namespace midwire::replay {

struct Directories {
  std::string cwd, home;  // "": not known
};

inline constexpr std::string_view kCwdPlaceholder = "{cwd}", kHomePlaceholder = "{home}",
                                  kBracePlaceholder = "{brace}";

class Placeholders {
 public:
  explicit Placeholders(Directories directories);

  // Appends the edits that put placeholders into a text. Expanding them gives the text again: a
  // path whose spelling would be lost, such as one with unusual percent-encoding, stays as it is.
  void Collapse(std::string_view text, TextEdits* edits) const;
  // Appends the edits that put the directories in place of the placeholders. A placeholder whose
  // directory is not known stays; *missing is set to it.
  void Expand(std::string_view text, TextEdits* edits, std::string_view* missing = nullptr) const;
  // False: a text or message has no placeholder.
  static bool MayExpand(std::string_view bytes) { return bytes.find('{') != bytes.npos; }

 private:
  Directories directories_;
  PathMap to_placeholders_;
};

}  // namespace midwire::replay
