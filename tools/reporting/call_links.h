// What connects the messages of a session: answers with requests, reverse calls and progress with
// the call that they belong to, values that one party made with their uses. Called by TraceRows.
// Pure; memory is bounded by the caps below.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/reporting/oldest_first.h"
#include "trace/session.h"
#include "view/page/index.h"
#include "wire/dialect/dialect.h"

namespace midwire::tools {

class CallLinks {
 public:
  // `dialect`: null if there is none; outlives it.
  explicit CallLinks(const wire::Dialect* dialect) : dialect_(dialect) {}

  struct Links {
    view::RowId request = view::kNoRow;    // of an answer
    view::RowId parent = view::kNoRow;     // of a reverse call or a notification
    bool by_time = false;                  // no handle names that parent
    view::RowId cancelled = view::kNoRow;  // the call that this message cancels
  };
  // `body`: loose JSON, or empty if it is not known.
  Links OnMessage(view::RowId row, const trace::RecordedMessage& recorded, std::string_view method,
                  std::string_view body);
  void OnSessionEnd();

  // Those with more than one use, in the order in which they were first seen.
  std::vector<view::PageHandle> TakeHandles();
  // The same so far, of a trace that is still read.
  std::vector<view::PageHandle> Handles() const;

 private:
  struct Open {
    uint64_t number;
    view::RowId row;
  };
  using Side = std::unordered_map<std::string, OldestFirst<Open>>;  // by id

  Side& side(wire::Direction direction) { return open_[static_cast<int>(direction)]; }
  view::RowId Close(const trace::RecordedMessage& recorded);
  view::RowId OnHandles(view::RowId row, bool is_request, std::string_view method,
                        std::string_view body);
  void Use(const wire::HandleSpec& spec, std::string_view value, view::RowId row,
           view::PageHandle::Use use);
  view::RowId Cancelled(wire::Direction direction, std::string_view method, std::string_view body);

  const wire::Dialect* dialect_;
  std::array<Side, 2> open_;                             // by the direction of the request
  std::array<std::map<view::RowId, uint64_t>, 2> rows_;  // of open requests
  std::map<std::pair<std::string, std::string>, size_t, std::less<>> handle_of_;  // name, value
  std::vector<view::PageHandle> handles_;
  // The calls during which handles of calls are valid, by handle and value.
  std::map<std::pair<const wire::HandleSpec*, std::string>, view::RowId> lent_;
};

}  // namespace midwire::tools
