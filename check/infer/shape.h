// What values at one place have in common, as a JSON Schema: merged over all samples, from the text
// of each. Used by infer for params and results. Keeps no values except the few strings of an enum.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "wire/json/value.h"

namespace midwire::check {

// Shapes that may still be created. Beyond it the schema allows any value.
struct ShapeBudget {
  // LSP's largest result has about 300; a schema may have 20,000 (schema_nodes.h).
  size_t left = 4000;
  size_t* left_in_all = nullptr;
};
// Of all methods together: about 100 MB if a hostile peer fills each.
inline constexpr size_t kMaxShapes = 200'000;

class Shape {
 public:
  // `value` is loose JSON without blanks around it.
  void Learn(std::string_view value, ShapeBudget* budget) { Learn(value, 0, budget); }
  uint64_t samples() const { return samples_; }
  // closed: the schema refuses members that were not seen.
  wire::Json Schema(bool closed) const;

 private:
  struct Member {
    std::unique_ptr<Shape> shape;  // null: anything
    uint64_t count = 0;            // objects that have it
    uint64_t latest = 0;           // the last of those, as a name may stand twice
  };

  void Learn(std::string_view value, int depth, ShapeBudget* budget);
  void LearnString(std::string_view quoted);
  void LearnArray(std::string_view value, int depth, ShapeBudget* budget);
  void LearnObject(std::string_view value, int depth, ShapeBudget* budget);
  void LearnMember(std::string_view quoted, std::string_view value, int depth, ShapeBudget* budget);
  void BecomeMap();
  void Merge(Shape other);
  void MergeMember(std::unique_ptr<Shape> other);
  bool HasEnum() const;
  void PutTypes(wire::Json* schema) const;
  void PutMembers(bool closed, wire::Json* schema) const;

  uint64_t samples_ = 0, strings_ = 0, objects_ = 0;
  uint8_t types_ = 0;
  uint8_t formats_ = 0xFF;      // those that all strings have
  bool anything_ = false;       // parts of it were not read
  bool many_words_ = false;     // or strings that are no words
  bool items_unknown_ = false;  // there was no budget for them
  bool map_ = false;            // names are data: all members have one shape, items_
  std::set<std::string> words_;
  std::unique_ptr<Shape> items_;
  std::map<std::string, Member> members_;
};

}  // namespace midwire::check
