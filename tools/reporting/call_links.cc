#include "tools/reporting/call_links.h"

#include <algorithm>
#include <iterator>

#include "tools/reporting/place_values.h"
#include "wire/json/unescape.h"

namespace midwire::tools {
namespace {

using view::kNoRow;
using view::PageHandle;
using view::RowId;
using wire::Kind;

// More values than a page lists: most of them have one use and are dropped at the end.
constexpr size_t kMaxCollected = 4 * view::kMaxPageHandles;
constexpr size_t kMaxValue = 256;      // of a handle; DATA.md
constexpr size_t kMaxLent = 1u << 16;  // calls with a handle of their own that are open

std::string TextOf(std::string_view value) {
  return wire::TypeOf(value) == wire::JsonType::kString ? wire::StringValue(value)
                                                        : std::string(value);
}

}  // namespace

CallLinks::Links CallLinks::OnMessage(RowId row, const trace::RecordedMessage& recorded,
                                      std::string_view method, std::string_view body) {
  Links links;
  const wire::Message& message = *recorded.message;
  const bool is_request = message.kind == Kind::kRequest;
  if (message.IsAnswer()) links.request = Close(recorded);
  if (!body.empty() && dialect_ != nullptr) {
    links.parent = OnHandles(row, is_request, method, body);
    if (message.kind == Kind::kNotification || is_request) {
      links.cancelled = Cancelled(recorded.direction, method, body);
    }
  }
  if (message.IsAnswer() || links.parent == row) links.parent = kNoRow;
  if (!is_request) return links;
  // A call of one party while the other has one call open was mostly made to answer that one, but
  // nothing in it says so.
  const auto& others = rows_[static_cast<int>(Opposite(recorded.direction))];
  if (links.parent == kNoRow && others.size() == 1) {
    links.parent = others.begin()->first;
    links.by_time = true;
  }
  auto& own = rows_[static_cast<int>(recorded.direction)];
  if (own.size() < wire::kMaxOpenRequests) {
    own.emplace(row, recorded.number);
    side(recorded.direction)[message.id.token].Push({recorded.number, row});
  }
  return links;
}

RowId CallLinks::Close(const trace::RecordedMessage& recorded) {
  if (!recorded.request) return kNoRow;
  const wire::Direction direction = Opposite(recorded.direction);
  const auto known = side(direction).find(recorded.request->id);
  if (known == side(direction).end()) return kNoRow;
  OldestFirst<Open>& calls = known->second;
  // The oldest of an id is answered first, unless it is one of too many.
  if (calls.front().number != recorded.request->number) return kNoRow;
  const RowId row = calls.front().row;
  rows_[static_cast<int>(direction)].erase(row);
  calls.PopFront();
  if (calls.empty()) side(direction).erase(known);
  return row;
}

// Returns the call whose handle a message uses.
RowId CallLinks::OnHandles(RowId row, bool is_request, std::string_view method,
                           std::string_view body) {
  RowId parent = kNoRow;
  for (const wire::HandleSpec& spec : dialect_->handles) {
    EachValue(spec.made, method, body, [&](std::string_view value) {
      Use(spec, value, row, PageHandle::Use::kMade);
      if (!spec.of_call || !is_request || lent_.size() >= kMaxLent) return;
      lent_[{&spec, std::string(value)}] = row;
    });
    EachValue(spec.used, method, body, [&](std::string_view value) {
      Use(spec, value, row, PageHandle::Use::kUsed);
      if (!spec.of_call) return;
      const auto call = lent_.find({&spec, std::string(value)});
      if (call != lent_.end()) parent = call->second;
    });
    EachValue(spec.ended, method, body,
              [&](std::string_view value) { Use(spec, value, row, PageHandle::Use::kReleased); });
  }
  return parent;
}

void CallLinks::Use(const wire::HandleSpec& spec, std::string_view value, RowId row,
                    PageHandle::Use use) {
  if (value.size() > kMaxValue) return;
  const std::string text = TextOf(value);
  auto known = handle_of_.find(std::pair(spec.name, text));
  if (known == handle_of_.end()) {
    if (handles_.size() >= kMaxCollected) return;
    known = handle_of_.emplace(std::pair(spec.name, text), handles_.size()).first;
    handles_.push_back({.name = spec.name, .value = text, .uses = {}});
  }
  auto& uses = handles_[known->second].uses;
  const bool repeated = !uses.empty() && uses.back().first == row;
  if (!repeated && uses.size() < view::kMaxHandleUses) uses.emplace_back(row, use);
}

RowId CallLinks::Cancelled(wire::Direction direction, std::string_view method,
                           std::string_view body) {
  const std::string_view id = CancelledId(*dialect_, method, body);
  const auto known = side(direction).find(std::string(id));
  return known == side(direction).end() ? kNoRow : known->second.front().row;
}

void CallLinks::OnSessionEnd() {
  open_ = {};
  rows_ = {};
  lent_.clear();
  handle_of_.clear();
}

std::vector<PageHandle> CallLinks::Handles() const {
  std::vector<PageHandle> used;
  std::copy_if(handles_.begin(), handles_.end(), std::back_inserter(used),
               [](const PageHandle& handle) { return handle.uses.size() >= 2; });
  return used;
}

std::vector<PageHandle> CallLinks::TakeHandles() {
  std::erase_if(handles_, [](const PageHandle& handle) { return handle.uses.size() < 2; });
  handle_of_.clear();
  return std::move(handles_);
}

}  // namespace midwire::tools
