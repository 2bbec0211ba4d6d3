// The shape of a value that changes from run to run: a timestamp, a UUID, a text with a number in
// it. A declaration names one, the comparison asks Fits, `replay --learn` finds the narrowest.
// Pure; takes JSON as spelled.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::wire {
class Pattern;
}

namespace midwire::replay {

class TextTemplate;

enum class ShapeKind : unsigned char {
  kInteger,    // a number without a fraction, or a string of digits
  kNumber,     // any number, or a string that is one
  kTimestamp,  // a format of time_formats.cc, or seconds to nanoseconds since 1970 (2000 to 2099)
  kUuid,       // a UUID in any usual spelling, or a ULID
  kPath,       // an absolute path or a file URI
  kDuration,   // "12ms", "1m 30s", "00:01:30", "PT90S", or a number of 0 or more
  kText,       // a text with varying pieces: "indexed {digits} files"
  kRegex,      // a text that matches a regular expression as a whole
};

struct Shape {
  ShapeKind kind = ShapeKind::kInteger;
  std::string argument;  // of kText and kRegex
  // The argument, parsed.
  std::shared_ptr<const TextTemplate> text;      // of kText
  std::shared_ptr<const wire::Pattern> pattern;  // of kRegex
};

// "timestamp", "text:indexed {digits} files", "regex:[a-z]+". An error names the text.
Result<Shape> ParseShape(std::string_view text);
std::string ShapeText(const Shape& shape);  // the inverse
// Whether `text` begins with the name of a shape, right or wrong after it. For finding where the
// shape begins in PLACE=SHAPE.
bool BeginsWithShape(std::string_view text);

// Whether a JSON value has the shape. False for all but numbers and strings. Linear in its length.
// `recorded` (JSON): where {same} of a text has its text from; "": it fits any.
bool Fits(const Shape& shape, std::string_view json, std::string_view recorded = {});

// The narrowest shape that fits all values. nullopt: there is none, because they are not all
// numbers or all strings.
std::optional<Shape> ShapeOf(std::span<const std::string> json_values);
// The same for values of several calls, of each first the recorded one: what differs only from call
// to call is {same}.
using CallValues = std::vector<std::string>;  // JSON; not empty
std::optional<Shape> ShapeOf(std::span<const CallValues> calls);

// Whether all that varies in values of the shape is a time.
bool IsTime(const Shape& shape);

// Longer values fit no shape but text and regex.
inline constexpr size_t kMaxShaped = 4096;

}  // namespace midwire::replay
