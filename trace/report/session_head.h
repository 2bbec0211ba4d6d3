// What a session agreed on at its start, as far as its dialect says: for the first line of show and
// stats. Filled by tools/, printed by view/. Plain data; nothing is escaped.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace midwire::trace {

struct SessionHead {
  std::string dialect;   // "": none
  std::string sureness;  // "certain", "likely", "a guess"; "": it was named
  std::string revision;  // "": the dialect has none
  bool agreed = false;   // the session names this revision, or one of which it is the nearest
  // What each party declares to support, by Direction of its messages.
  std::array<std::vector<std::string>, 2> capabilities;

  // "mcp 2025-06-18, detected (certain)": the dialect, and how sure it is.
  std::string Name() const {
    std::string text = dialect;
    if (!revision.empty()) text += " " + revision + (agreed ? "" : " (not agreed on)");
    return sureness.empty() ? text : text + ", detected (" + sureness + ")";
  }

  // The same and "; host: roots, sampling; plugin: tools, prompts".
  std::string Text() const {
    std::string text = Name();
    for (const int party : {0, 1}) {
      if (capabilities[party].empty()) continue;
      text += party == 0 ? "; host:" : "; plugin:";
      for (const std::string& name : capabilities[party]) {
        text += (&name == &capabilities[party].front() ? " " : ", ") + name;
      }
    }
    return text;
  }
};

}  // namespace midwire::trace
