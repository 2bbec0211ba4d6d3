#include "wire/dialect/schema_run.h"

#include <functional>

#include "wire/json/decimal.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

// Open calls of Check. With a sanitizer each takes about 1 KiB: half of a stack of 8 MiB. Values
// are at most 512 deep, and most schemas need two or three calls per level.
constexpr int kMaxOpen = 3072;
// No character takes more bytes than a pair of \u escapes.
constexpr uint64_t kMaxCharacter = 12;

// Of a string without escapes.
uint64_t CountCharacters(std::string_view text) {
  uint64_t count = 0;
  for (; !text.empty(); ++count) {
    const bool ascii = static_cast<unsigned char>(text.front()) < 0x80;
    text.remove_prefix(ascii ? 1 : FirstCharacter(text).length);
  }
  return count;
}

// Without its quotes and escapes; *undone holds it where it has some.
std::string_view TextOf(std::string_view quoted, std::string* undone) {
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  if (text.find('\\') == text.npos) return text;
  *undone = StringValue(quoted);
  return *undone;
}

}  // namespace

const char* SchemaRun::Check(int index, const char* at) {
  if (effort_ == 0 || open_ == kMaxOpen) gave_up_ = true;
  if (gave_up_ || at == end_) return nullptr;
  --effort_;
  const SchemaNode& node = nodes_[index];
  if (node.anything) return Charged(at, Skip(at));
  if (node.in_place) {
    const SchemaOutcome& known = OutcomeOf(index, at);
    if (known.run == number_ && known.node == index && known.at == at &&
        (known.stop || quiet_ != 0)) {
      return known.stop;
    }
  }
  ++open_;
  const char* stop = nullptr;
  switch (*at) {
    case '"':
      stop = CheckString(node, at);
      break;
    case '{':
      stop = node.types & kObjectBit ? CheckObject(node, at) : Break(node, "type");
      break;
    case '[':
      stop = node.types & kArrayBit ? CheckArray(node, at) : Break(node, "type");
      break;
    case 't':
    case 'f':
      stop = node.types & kBoolBit ? SkipScalar(at) : Break(node, "type");
      break;
    case 'n':
      stop = node.types & kNullBit ? SkipScalar(at) : Break(node, "type");
      break;
    default:
      stop = CheckNumber(node, at);
  }
  if (stop && node.has_enum && !CheckEnum(node, at, stop)) stop = Break(node, "enum");
  if (node.in_place) {
    if (stop && !CheckAlternatives(node, at)) stop = nullptr;
    OutcomeOf(index, at) = {number_, index, at, stop};
  }
  --open_;
  return stop;
}

const char* SchemaRun::CheckString(const SchemaNode& node, const char* at) {
  if (!(node.types & kStringBit)) return Break(node, "type");
  const char* const stop = Charged(at, SkipString(at + 1));
  if (stop - at < 2) return stop;
  const uint64_t bytes = static_cast<uint64_t>(stop - at) - 2;
  const bool count_them =
      node.lengths && (bytes > node.max_length || bytes / kMaxCharacter < node.min_length);
  if (!count_them && !node.pattern) return stop;
  std::string undone;
  const std::string_view text = TextOf(Span(at, stop), &undone);
  if (count_them) {
    const uint64_t count = CountCharacters(text);
    if (count < node.min_length) return Break(node, "minLength");
    if (count > node.max_length) return Break(node, "maxLength");
  }
  if (node.pattern && !MatchesPattern(*node.pattern, text)) return Break(node, "pattern");
  return stop;
}

const char* SchemaRun::CheckNumber(const SchemaNode& node, const char* at) {
  const char* const stop = SkipScalar(at);
  const std::string_view number = Span(at, stop);
  if ((node.types & (kIntegerBit | kFractionBit)) == 0) return Break(node, "type");
  if (!(node.types & kFractionBit) && number.find_first_of(".eE") != number.npos) {
    return Break(node, "type");
  }
  if (!node.minimum.empty() &&
      CompareNumbers(number, node.minimum) < (node.exclusive_minimum ? 1 : 0)) {
    return Break(node, "minimum");
  }
  if (!node.maximum.empty() &&
      CompareNumbers(number, node.maximum) > (node.exclusive_maximum ? -1 : 0)) {
    return Break(node, "maximum");
  }
  if (!node.multiple_of.empty() && !IsMultiple(number, node.multiple_of)) {
    return Break(node, "multipleOf");
  }
  return stop;
}

bool SchemaRun::CheckEnum(const SchemaNode& node, const char* at, const char* stop) {
  if (*at != '"') {
    return !node.others.empty() &&
           std::binary_search(node.others.begin(), node.others.end(), Hashed(at, stop));
  }
  if (stop - at < 2) return false;
  std::string undone;
  const std::string_view text = TextOf(Span(at, stop), &undone);
  return std::binary_search(node.strings.begin(), node.strings.end(), text, std::less<>());
}

bool SchemaRun::CheckAlternatives(const SchemaNode& node, const char* at) {
  for (const int schema : node.all_of) {
    if (!Check(schema, at)) return false;
  }
  const auto matches = [&](int schema) { return Matches(schema, at); };
  if (!node.any_of.empty() && std::none_of(node.any_of.begin(), node.any_of.end(), matches)) {
    return Break(node, "anyOf");
  }
  if (!node.one_of.empty() && std::count_if(node.one_of.begin(), node.one_of.end(), matches) != 1) {
    return Break(node, "oneOf");
  }
  if (node.not_this != kAnything && Matches(node.not_this, at)) return Break(node, "not");
  return true;
}

}  // namespace midwire::wire
