// The live spellings of recorded ids, per direction of the requests that have them. Only ids that
// differ are kept. Filled when a request of the peer arrives; read by the comparison and the
// composer.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "replay/script/script.h"

namespace midwire::replay {

class LiveIds {
 public:
  std::string_view Of(Direction direction, std::string_view recorded) const {
    const auto& ids = ids_[static_cast<int>(direction)];
    if (ids.empty()) return recorded;
    const auto found = ids.find(std::string(recorded));
    return found == ids.end() ? recorded : std::string_view(found->second);
  }
  bool any(Direction direction) const { return !ids_[static_cast<int>(direction)].empty(); }

  void Learn(Direction direction, std::string_view recorded, std::string_view live) {
    auto& ids = ids_[static_cast<int>(direction)];
    if (recorded == live) {
      if (!ids.empty()) ids.erase(std::string(recorded));
    } else if (ids.size() < wire::kMaxOpenRequests) {
      ids[std::string(recorded)] = live;
    }
  }

 private:
  std::array<std::unordered_map<std::string, std::string>, 2> ids_;
};

}  // namespace midwire::replay
