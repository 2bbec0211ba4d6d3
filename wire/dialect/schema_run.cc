#include "wire/dialect/schema_run.h"

#include <functional>
#include <iterator>
#include <optional>

#include "wire/json/decimal.h"
#include "wire/json/parts.h"
#include "wire/json/pointer.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

// Open calls of Check. With a sanitizer each takes about 1 KiB: half of a stack of 8 MiB. Values
// are at most 512 deep, and most schemas need two or three calls per level.
constexpr int kMaxOpen = 3072;
// No character takes more bytes than a pair of \u escapes.
constexpr uint64_t kMaxCharacter = 12;

uint8_t TypeBitOf(char first) {
  switch (first) {
    case '{':
      return kObjectBit;
    case '[':
      return kArrayBit;
    case '"':
      return kStringBit;
    case 't':
    case 'f':
      return kBoolBit;
    case 'n':
      return kNullBit;
    default:
      return kIntegerBit | kFractionBit;
  }
}

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
  if (stop && node.has_enum) NoteRead(at, stop);
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
  if (node.lengths || node.pattern) NoteRead(at, stop);
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
  const bool limited = !node.minimum.empty() || !node.maximum.empty() || !node.multiple_of.empty();
  if (limited) NoteRead(at, stop);
  if ((node.types & (kIntegerBit | kFractionBit)) == 0) return Break(node, "type");
  if (!(node.types & kFractionBit) && number.find_first_of(".eE") != number.npos) {
    NoteRead(at, stop);
    if (!node.whole || !IsMultiple(number, "1")) return Break(node, "type");
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

// None of the alternatives matches: the mistake is within the one that was meant, if that is clear.
bool SchemaRun::BreakAlternative(const SchemaNode& node, const std::vector<int>& all,
                                 std::string_view keyword, const char* at) {
  if (quiet_ != 0 || gave_up_) return false;
  const int meant = MeantAlternative(all, at);
  if (meant >= 0 && !Check(meant, at) && !gave_up_) return false;
  if (meant < 0 && BreakNearest(all, at)) return false;
  violation_ = {};
  path_.clear();
  Break(node, keyword);
  return false;
}

// The only one whose constant members ("type": "text") are those of the object, else the only one
// of the type of an object or array; -1: none.
int SchemaRun::MeantAlternative(const std::vector<int>& all, const char* at) const {
  int fitting = -1, fitting_count = 0, typed = -1, typed_count = 0;
  const uint8_t type = TypeBitOf(*at);
  for (const int index : all) {
    const SchemaNode& node = nodes_[index];
    if (!(node.types & type)) continue;
    if (type == kArrayBit || type == kObjectBit) {
      typed_count += node.types == kAnyType ? 2 : 1;
      typed = index;
    }
    if (type != kObjectBit || !HasItsConstants(node, at)) continue;
    ++fitting_count;
    fitting = index;
  }
  return fitting_count == 1 ? fitting : typed_count == 1 ? typed : -1;
}

// Whether the object has each member that the node requires to be one constant text, and has one.
bool SchemaRun::HasItsConstants(const SchemaNode& node, const char* at) const {
  bool any = false;
  for (const SchemaProperty& property : node.properties) {
    if (!property.required || property.schema < 0) continue;
    const SchemaNode& value = nodes_[property.schema];
    if (!value.has_enum || value.strings.size() != 1 || !value.others.empty()) continue;
    const std::optional<std::string_view> found =
        ValueAt(Span(at, Skip(at)), Pointer{{property.name}});
    if (!found || StringValue(*found) != value.strings[0]) return false;
    any = true;
  }
  return any;
}

// Several alternatives may be meant by an object or array: reports the mismatch of the one that
// fits best. False: that is not clear, since each lacks members of its own, or is of another type.
bool SchemaRun::BreakNearest(const std::vector<int>& all, const char* at) {
  if ((TypeBitOf(*at) & (kArrayBit | kObjectBit)) == 0 || exploring_ == kMaxExploring) return false;
  ++exploring_;
  Fit best{.members = -1};
  SchemaViolation violation;
  std::vector<std::string> path;
  bool tied = false;
  for (const int index : all) {
    if (explored_ >= kMaxExplored) break;
    Fit fit = FitOf(nodes_[index], at);
    if (fit.members < 0) continue;
    violation_ = {};
    path_.clear();
    if (Check(index, at) || gave_up_) continue;
    // Of those whose enum has not the member, the ones that differ only there.
    fit.depth = path_.size();
    if (fit.members == 0) fit = {.depth = path_.size() == 1 && violation_.keyword == "enum"};
    if (fit < best) continue;
    tied = true;
    if (fit > best) {
      best = fit;
      tied = false;
      path = path_;
      violation = std::move(violation_);
    } else if (path == path_) {
      violation.others.push_back({violation_.keyword, violation_.rule});
      std::move(violation_.others.begin(), violation_.others.end(),
                std::back_inserter(violation.others));
    }
  }
  --exploring_;
  gave_up_ = false;  // only on what explains the mismatch
  const bool clear = !path.empty() || violation.keyword != "required" || !tied;
  if (best.members < 0 || !clear) return false;
  violation_ = std::move(violation);
  path_ = std::move(path);
  return true;
}

// Without the depth of the mismatch.
SchemaRun::Fit SchemaRun::FitOf(const SchemaNode& node, const char* at) {
  Fit fit{.members = 1};
  if (++explored_ > kMaxExplored) return fit;
  if ((node.types & TypeBitOf(*at)) == 0) return {.members = -1};
  if (*at == '{') AddMembers(node, at, &fit);
  for (const int part : node.all_of) {
    const Fit other = FitOf(nodes_[part], at);
    if (other.members <= 0) {
      fit.members = std::min(fit.members, other.members);
    } else if (fit.members == 1) {
      fit.members = other.members;
    }
    fit.required = fit.required && other.required;
  }
  for (const auto* alternatives : {&node.any_of, &node.one_of}) {
    if (alternatives->empty()) continue;
    Fit nearest{.members = -1};
    for (const int part : *alternatives) nearest = std::max(nearest, FitOf(nodes_[part], at));
    fit = std::min(fit, nearest);
  }
  return fit;
}

void SchemaRun::AddMembers(const SchemaNode& node, const char* at, Fit* fit) const {
  std::vector<std::string_view> values(node.properties.size());  // by property; the last of a name
  JsonParts members(Span(at, Skip(at)));
  for (JsonPart member; !values.empty() && members.Next(&member);) {
    const int found = FindProperty(node, StringValue(member.name), node.properties.size());
    if (found >= 0) values[static_cast<size_t>(found)] = member.value;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const SchemaProperty& property = node.properties[i];
    const bool there = !values[i].empty();
    if (property.required && !there) fit->required = false;
    if (property.schema < 0 || (!there && !property.required)) continue;
    const SchemaNode& value = nodes_[property.schema];
    if (!value.has_enum || value.strings.empty() || !value.others.empty()) continue;
    const bool same =
        values[i].starts_with('"') &&
        std::binary_search(value.strings.begin(), value.strings.end(), StringValue(values[i]));
    fit->members = !same ? 0 : fit->members == 1 ? 2 : fit->members;
  }
}

bool SchemaRun::CheckAlternatives(const SchemaNode& node, const char* at) {
  for (const int schema : node.all_of) {
    if (!Check(schema, at)) return false;
  }
  const auto matches = [&](int schema) { return Matches(schema, at); };
  if (!node.any_of.empty() && std::none_of(node.any_of.begin(), node.any_of.end(), matches)) {
    return BreakAlternative(node, node.any_of, "anyOf", at);
  }
  if (!node.one_of.empty()) {
    const auto count = std::count_if(node.one_of.begin(), node.one_of.end(), matches);
    if (count == 0) return BreakAlternative(node, node.one_of, "oneOf", at);
    if (count != 1) return Break(node, "oneOf");
  }
  if (node.not_this != kAnything && Matches(node.not_this, at)) return Break(node, "not");
  if (node.condition != kAnything) {
    const int branch = Matches(node.condition, at) ? node.then_this : node.else_this;
    if (gave_up_ || (branch != kAnything && !Check(branch, at))) return false;
  }
  return true;
}

}  // namespace midwire::wire
