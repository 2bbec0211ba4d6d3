// Parts of long values for a person: those around what varies in them. Called for the two values of
// a difference, by the matcher of replay and by rules of check, and by the learner for those of
// several runs. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::trace {

// A longer value is cut in a report and ends in "...".
inline constexpr size_t kMaxShownValue = 240;
// The value, cut at that length, but not within a character.
std::string Shown(std::string_view value, size_t most = kMaxShownValue);

// A longer value is cut at both ends, to what differs between all of them and some text around it.
inline constexpr size_t kMaxExcerpt = 60;

// One for each value, in order; "..." stands for what is cut. Never cuts within a character or an
// escape of JSON.
std::vector<std::string> Excerpts(std::span<const std::string> values);

// How far two strings, as spelled with their quotes, are known to be the same, although their bytes
// may differ there: a generated value is another one in each run.
struct Agreed {
  size_t expected = 0, got = 0;
};

struct ShownPair {
  std::string expected, got;
  // If one is cut: the line, from 1, in which the recorded one begins to differ; 0: it has only one
  // line.
  uint32_t line = 0;
};
// The two values of a difference. One of more than `most` bytes, at least 100, is cut, around the
// first place that has another meaning.
ShownPair ShowPair(std::string_view expected, std::string_view got, Agreed agreed = {},
                   size_t most = kMaxShownValue);

}  // namespace midwire::trace
