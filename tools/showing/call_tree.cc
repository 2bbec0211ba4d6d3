#include "tools/showing/call_tree.h"

namespace midwire::tools {

using trace::RecordedMessage;

CallTree::Place CallTree::OnMessage(const RecordedMessage& recorded, std::string_view method,
                                    std::string_view body) {
  Place place;
  const view::RowId row = next_++;
  const CallLinks::Links links = links_.OnMessage(row, recorded, method, body);
  if (const auto parent = open_.find(links.parent); parent != open_.end()) {
    place = {parent->second.place.depth + 1, parent->second.number, links.by_time};
  }
  if (const auto request = open_.find(links.request); request != open_.end()) {
    place = request->second.place;
    open_.erase(request);
  }
  const bool call = recorded.message->kind == wire::Kind::kRequest;
  if (call && open_.size() < wire::kMaxOpenRequests) open_[row] = {recorded.number, place};
  return place;
}

void CallTree::OnSessionEnd() {
  links_.OnSessionEnd();
  open_.clear();
}

}  // namespace midwire::tools
