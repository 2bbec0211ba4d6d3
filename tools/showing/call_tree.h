// Which call a reverse call was made during, and how deep: for `show --tree`. Called by Viewer.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "tools/reporting/call_links.h"
#include "trace/session.h"

namespace midwire::tools {

class CallTree {
 public:
  // `dialect`: null if there is none; outlives it.
  explicit CallTree(const wire::Dialect* dialect) : links_(dialect) {}

  struct Place {
    size_t depth = 0;      // 0: of no other call
    uint64_t parent = 0;   // the number of that call
    bool perhaps = false;  // it is only the one that was open
  };
  // `body`: loose JSON, or empty if it is not known.
  Place OnMessage(const trace::RecordedMessage& recorded, std::string_view method,
                  std::string_view body);
  void OnSessionEnd();

 private:
  struct Call {
    uint64_t number;
    Place place;
  };

  CallLinks links_;
  view::RowId next_ = 0;
  std::unordered_map<view::RowId, Call> open_;
};

}  // namespace midwire::tools
