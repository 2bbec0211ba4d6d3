// The test language of comparisons of two values.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "replay/match/compare.h"
#include "replay/match/shown.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {

// A comparison with its rules: Comparison().Ignore("/a/*").Of(expected, got) gives lines such as
// "/pointer: expected | got".
class Comparison {
 public:
  Comparison& Ignore(std::string_view pointer) {
    pointers_.push_back(pointer.empty() ? wire::Pointer{} : *wire::ParsePointer(pointer));
    return *this;
  }
  Comparison& Shaped(std::string_view pointer, std::string_view shape) {
    shapes_.emplace_back(*wire::ParsePointer(pointer), *ParseShape(shape));
    return *this;
  }
  Comparison& Unordered(std::string_view pointer) {
    unordered_.push_back(*wire::ParsePointer(pointer));
    return *this;
  }
  Comparison& Ask(Judge judge, bool also_equals = false) {
    rules_.judge = std::move(judge);
    rules_.judge_equals = also_equals;
    return *this;
  }
  Comparison& AtMost(size_t differences) {
    at_most_ = differences;
    return *this;
  }
  std::vector<ValueDifference> Differences(std::string_view expected, std::string_view got) const {
    PlaceRules places;
    for (const wire::Pointer& pointer : pointers_) places.ignores.push_back(&pointer);
    for (const wire::Pointer& pointer : unordered_) places.unordered.push_back(&pointer);
    for (const auto& [pointer, shape] : shapes_) places.shapes.emplace_back(&pointer, &shape);
    CompareRules rules = rules_;
    rules.places = &places;
    std::vector<ValueDifference> all;
    const bool same = Compare(expected, got, rules, [&](ValueDifference difference) {
      EXPECT_LT(all.size(), at_most_) << "called after it returned false";
      all.push_back(std::move(difference));
      return all.size() < at_most_;
    });
    EXPECT_EQ(same, all.empty());
    return all;
  }
  std::vector<std::string> Of(std::string_view expected, std::string_view got) const {
    std::vector<std::string> lines;
    for (const ValueDifference& difference : Differences(expected, got)) {
      lines.push_back(difference.pointer + ": " + difference.expected + " | " + difference.got);
    }
    return lines;
  }

 private:
  std::vector<wire::Pointer> pointers_, unordered_;
  std::vector<std::pair<wire::Pointer, Shape>> shapes_;
  CompareRules rules_;
  size_t at_most_ = SIZE_MAX;
};

inline std::vector<std::string> Differences(std::string_view expected, std::string_view got) {
  return Comparison().Of(expected, got);
}

}  // namespace midwire::replay
