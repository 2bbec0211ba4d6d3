// Finds handles by data flow: places where each value was sent before by the other party, at a
// place where values are created. A place with one value of unknown origin is no handle. Used by
// infer.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/checker.h"
#include "check/infer/places.h"
#include "wire/json/path.h"
#include "wire/json/value.h"

namespace midwire::check {

class HandleFlow {
 public:
  void OnMessage(const Observed& seen);
  void OnGap() { lost_ = true; }
  void OnSessionEnd();

  // The "handles" of a dialect; an empty list: none.
  wire::Json Draft() const;
  // Where values of handles are made, METHOD:/pointer.
  std::set<std::string> MadePlaces() const;

 private:
  using PlaceIndex = uint32_t;
  struct Place {
    std::string method;
    wire::Pointer pointer;  // indices as `*`
    std::string name;       // of the member that holds the value, or its array
    bool identity = false;  // by that name
    uint64_t hits = 0, strong_hits = 0, misses = 0;
    bool after_call = false;  // a value was used after the request that made it was answered
    bool several = false;     // values
    bool elsewhere = false;   // a value first sent here was sent again at another place
    uint64_t first_value = 0;
    std::set<PlaceIndex> made;
  };
  struct Value {
    PlaceIndex place;
    wire::Direction direction;
    uint64_t number;  // of the last message that had it at that place
    bool in_request;
  };
  struct Handle {
    std::set<PlaceIndex> made, used;
  };

  void Take(const Observed& seen, const wire::Path& path, std::string_view value);
  PlaceIndex PlaceOf(std::string_view method, const wire::Path& path);
  PlaceIndex NewPlaceOf(std::string_view method, const wire::Path& path);
  bool IsUsed(PlaceIndex index) const;
  bool IsUsedAlone(PlaceIndex index) const;
  std::vector<Handle> Handles() const;

  std::vector<Place> places_;
  std::unordered_map<std::string, PlaceIndex> by_text_;
  std::unordered_map<uint64_t, PlaceIndex> by_hash_;  // as names are spelt
  PathHashes at_{/*indices=*/false};
  // Of this session.
  std::unordered_map<std::string, Value> values_;  // as spelt
  std::set<uint64_t> open_;                        // numbers of requests
  bool lost_ = false;                              // messages are missing
};

}  // namespace midwire::check
