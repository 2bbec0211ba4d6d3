// Holds values against compiled nodes, in one pass over the text. Rejected: RapidJSON 1.1's own
// validator. It is a third as fast, takes 300 bytes for each value under an enum and doubles for
// each level of alternatives that contain themselves, crashes on {"not":1} and on references in a
// circle, lets a reference to nothing pass, and refuses 1e400. The tests hold ours against it.
#include "wire/dialect/schema.h"

#include <algorithm>
#include <functional>
#include <map>

#include "wire/dialect/schema_nodes.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"
#include "wire/json/scan.h"
#include "wire/json/skip_nested.h"

namespace midwire::wire {

struct Outcome {  // of a node with alternatives, at a place
  uint64_t run = 0;
  int node = 0;
  const char* at = nullptr;
  const char* stop = nullptr;  // null: it did not match
};

struct Schema::Compiled {
  std::vector<SchemaNode> nodes;
  // Of the run that is on:
  std::vector<uint64_t> seen;     // bits of the properties of the open objects
  std::vector<Outcome> outcomes;  // made when first needed
  uint64_t run = 0;
  bool gave_up = false;
  // What was told of a rule and a keyword: a session may break the same one at each message.
  std::map<std::string, std::string> told;
};

namespace {

// More are made anew each time.
constexpr size_t kMaxTold = 1024;

// Alternatives that contain alternatives are tried again and again: a few hundred outcomes make
// that linear for all but the worst, and the effort ends those.
constexpr size_t kOutcomes = 512;
constexpr uint64_t kPlainEffort = 100'000;  // values held against a node,
constexpr uint64_t kEffortPerByte = 8;      // and more for longer texts;
constexpr uint64_t kBytesHashed = 4;        // as much work as one of these
// Open calls of Check: half of a stack of 8 MiB where a sanitizer makes them a kilobyte each.
// Values at most 512 deep, most schemas take two or three a level.
constexpr int kMaxOpen = 3072;
// Elements of one array that are compared with each other: 1 MiB of hashes.
constexpr size_t kMaxUnique = 65'536;

constexpr bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

class Run {
 public:
  Run(const std::vector<SchemaNode>& nodes, std::vector<uint64_t>* seen,
      std::vector<Outcome>* outcomes, uint64_t number, std::string_view text)
      : nodes_(nodes),
        seen_(*seen),
        outcomes_(*outcomes),
        number_(number),
        end_(text.data() + text.size()),
        effort_(kPlainEffort + kEffortPerByte * text.size()) {
    seen_.clear();
  }

  // Where the value ends, or null: it breaks the node.
  const char* Check(int index, const char* at);

  bool gave_up() const { return gave_up_; }
  SchemaViolation TakeViolation() {
    for (; !path_.empty(); path_.pop_back()) violation_.pointer += path_.back();
    return std::move(violation_);
  }

 private:
  const char* SkipBlanks(const char* at) const {
    while (at != end_ && IsBlank(*at)) ++at;
    return at;
  }
  const char* SkipString(const char* at) const {  // after its opening quote
    while ((at = FindInString(at, end_)) != end_ && *at != '"') {
      at += *at == '\\' && end_ - at > 1 ? 2 : 1;
    }
    return at == end_ ? end_ : at + 1;
  }
  const char* SkipPlain(const char* at) const {
    while (at != end_ && *at != ',' && *at != '}' && *at != ']' && !IsBlank(*at)) ++at;
    return at;
  }
  const char* Skip(const char* at) const {
    if (at == end_) return at;
    if (*at == '"') return SkipString(at + 1);
    if (*at != '{' && *at != '[') return SkipPlain(at);
    Nesting nesting{1, false};
    for (++at;;) {
      at = SkipNested(at, end_, false, &nesting);
      if (nesting.depth == 0 || at == end_) return at;
      at = SkipString(at);  // a backslash: to the end of its string
      nesting.in_string = false;
    }
  }
  // Long texts that many alternatives look at are effort too.
  const char* Charged(const char* from, const char* to) {
    effort_ -= std::min(effort_, static_cast<uint64_t>(to - from) / 64);
    return to;
  }
  // A schema that contains itself may want a hash of each level of a text.
  ValueHash Hashed(const char* from, const char* to) {
    effort_ -= std::min(effort_, static_cast<uint64_t>(to - from) / kBytesHashed);
    if (effort_ == 0) gave_up_ = true;
    return gave_up_ ? ValueHash() : HashValue(Span(from, to));
  }
  static std::string_view Span(const char* from, const char* to) {
    return {from, static_cast<size_t>(to - from)};
  }

  const char* Break(const SchemaNode& node, std::string_view keyword,
                    std::string_view member = {}) {
    if (quiet_ == 0) {
      violation_.keyword = keyword;
      violation_.rule = node.rule;
      violation_.member = member;
    }
    return nullptr;
  }
  // On the way out, innermost first.
  void AddStep(std::string_view quoted_name, size_t index) {
    if (quiet_ != 0) return;
    path_.push_back(PointerText({PathStep{quoted_name, index}}));
  }

  // Not inlined: each open call would carry what all of them need.
  [[gnu::noinline]] const char* CheckString(const SchemaNode& node, const char* at);
  [[gnu::noinline]] const char* CheckNumber(const SchemaNode& node, const char* at);
  [[gnu::noinline]] const char* CheckArray(const SchemaNode& node, const char* at);
  [[gnu::noinline]] const char* CheckObject(const SchemaNode& node, const char* at);
  [[gnu::noinline]] bool CheckMembers(const SchemaNode& node, const char* at, size_t bits,
                                      uint64_t count);
  [[gnu::noinline]] bool CheckEnum(const SchemaNode& node, const char* at, const char* stop);
  [[gnu::noinline]] bool CheckAlternatives(const SchemaNode& node, const char* at);
  bool Matches(int index, const char* at) {
    ++quiet_;
    const bool matches = Check(index, at) != nullptr;
    --quiet_;
    return matches;
  }
  Outcome& OutcomeOf(int index, const char* at) {
    if (outcomes_.empty()) outcomes_.resize(kOutcomes);
    const uint64_t key = reinterpret_cast<uintptr_t>(at) * 31 + static_cast<uint64_t>(index);
    return outcomes_[(key * 0x9e3779b97f4a7c15 >> 32) % kOutcomes];
  }
  // Its index, or -1.
  static int FindProperty(const SchemaNode& node, std::string_view name, size_t expected) {
    const auto& all = node.properties;
    if (expected < all.size() && all[expected].name == name) return static_cast<int>(expected);
    if (all.empty()) return -1;
    const size_t mask = node.slots.size() - 1;
    for (size_t slot = NameHash(name) & mask; node.slots[slot] != 0; slot = (slot + 1) & mask) {
      const uint32_t found = node.slots[slot] - 1;
      if (all[found].name == name) return static_cast<int>(found);
    }
    return -1;
  }

  const std::vector<SchemaNode>& nodes_;
  std::vector<uint64_t>& seen_;
  std::vector<Outcome>& outcomes_;
  const uint64_t number_;
  const char* const end_;
  uint64_t effort_;
  bool gave_up_ = false;
  int open_ = 0;
  int quiet_ = 0;  // inside an alternative: what breaks there is no violation
  SchemaViolation violation_;
  std::vector<std::string> path_;
};

const char* Run::Check(int index, const char* at) {
  if (effort_ == 0 || open_ == kMaxOpen) gave_up_ = true;
  if (gave_up_ || at == end_) return nullptr;
  --effort_;
  const SchemaNode& node = nodes_[index];
  if (node.anything) return Charged(at, Skip(at));
  if (node.in_place) {
    const Outcome& known = OutcomeOf(index, at);
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
      stop = node.types & kBoolBit ? SkipPlain(at) : Break(node, "type");
      break;
    case 'n':
      stop = node.types & kNullBit ? SkipPlain(at) : Break(node, "type");
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

uint64_t CountCharacters(std::string_view quoted) {
  std::string undone;
  std::string_view text = quoted.substr(1, quoted.size() - 2);
  if (text.find('\\') != text.npos) {
    undone = StringValue(quoted);
    text = undone;
  }
  uint64_t count = 0;
  for (; !text.empty(); ++count) {
    const bool ascii = static_cast<unsigned char>(text.front()) < 0x80;
    text.remove_prefix(ascii ? 1 : FirstCharacter(text).length);
  }
  return count;
}

// No character takes more bytes than a pair of \u escapes.
constexpr uint64_t kMaxCharacter = 12;

const char* Run::CheckString(const SchemaNode& node, const char* at) {
  if (!(node.types & kStringBit)) return Break(node, "type");
  const char* const stop = Charged(at, SkipString(at + 1));
  if (!node.lengths || stop - at < 2) return stop;
  const uint64_t bytes = static_cast<uint64_t>(stop - at) - 2;
  if (bytes <= node.max_length && bytes / kMaxCharacter >= node.min_length) return stop;
  const uint64_t count = CountCharacters(Span(at, stop));
  if (count < node.min_length) return Break(node, "minLength");
  if (count > node.max_length) return Break(node, "maxLength");
  return stop;
}

const char* Run::CheckNumber(const SchemaNode& node, const char* at) {
  const char* const stop = SkipPlain(at);
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

const char* Run::CheckArray(const SchemaNode& node, const char* at) {
  std::vector<ValueHash> hashes;
  uint64_t count = 0;
  at = SkipBlanks(at + 1);
  while (at != end_ && *at != ']') {
    const int schema = count < node.tuple.size() ? node.tuple[count] : node.items;
    if (schema == kForbidden) {
      AddStep({}, count);
      return Break(node, node.items_keyword);
    }
    const char* const stop = schema == kAnything ? Skip(at) : Check(schema, at);
    if (!stop) {
      AddStep({}, count);
      return nullptr;
    }
    if (stop == at) return Break(node, "type");  // not JSON
    if (node.unique && count < kMaxUnique) hashes.push_back(Hashed(at, stop));
    if (gave_up_) return nullptr;
    ++count;
    at = SkipBlanks(stop);
    if (at != end_ && *at == ',') at = SkipBlanks(at + 1);
  }
  if (count < node.min_items) return Break(node, "minItems");
  if (count > node.max_items) return Break(node, "maxItems");
  if (node.unique) {
    std::sort(hashes.begin(), hashes.end());
    if (std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end()) {
      return Break(node, "uniqueItems");
    }
  }
  return at == end_ ? end_ : at + 1;
}

const char* Run::CheckObject(const SchemaNode& node, const char* const from) {
  const size_t bits = seen_.size();
  seen_.resize(bits + (node.properties.size() + 63) / 64);
  uint64_t count = 0;
  size_t expected = 0;
  const char* at = SkipBlanks(from + 1);
  while (at != end_ && *at == '"') {
    const char* const name_end = SkipString(at + 1);
    const std::string_view quoted = Span(at, name_end);
    std::string_view name = quoted.substr(1, quoted.size() - 2);
    std::string undone;
    if (name.find('\\') != name.npos) name = undone = StringValue(quoted);
    const int found = FindProperty(node, name, expected);
    int schema = node.additional;
    if (found >= 0) {
      expected = static_cast<size_t>(found) + 1;
      seen_[bits + found / 64] |= uint64_t{1} << (found % 64);
      if (node.properties[found].described) schema = node.properties[found].schema;
    }
    ++count;
    const char* stop = nullptr;
    if (schema == kForbidden) {
      Break(node, "additionalProperties");
    } else {
      at = SkipBlanks(name_end);
      at = SkipBlanks(at == end_ ? at : at + 1);  // the colon
      stop = schema == kAnything ? Skip(at) : Check(schema, at);
    }
    if (!stop) {
      AddStep(quoted, 0);
      seen_.resize(bits);
      return nullptr;
    }
    at = SkipBlanks(stop);
    if (at != end_ && *at == ',') at = SkipBlanks(at + 1);
  }
  const bool fine = CheckMembers(node, from, bits, count);
  seen_.resize(bits);
  if (!fine) return nullptr;
  return at == end_ ? end_ : at + 1;
}

bool Run::CheckMembers(const SchemaNode& node, const char* at, size_t bits, uint64_t count) {
  const auto has = [&](size_t i) { return seen_[bits + i / 64] >> (i % 64) & 1; };
  if (node.any_required) {
    for (size_t i = 0; i < node.properties.size(); ++i) {
      if (node.properties[i].required && !has(i)) {
        return Break(node, "required", node.properties[i].name);
      }
    }
  }
  if (count < node.min_properties) return Break(node, "minProperties");
  if (count > node.max_properties) return Break(node, "maxProperties");
  for (const SchemaDependency& dependency : node.dependencies) {
    if (!has(dependency.property)) continue;
    for (const uint32_t other : dependency.others) {
      if (!has(other)) return Break(node, "dependencies", node.properties[other].name);
    }
    if (dependency.schema != kAnything && !Check(dependency.schema, at)) return false;
  }
  return true;
}

bool Run::CheckEnum(const SchemaNode& node, const char* at, const char* stop) {
  const std::string_view value = Span(at, stop);
  if (*at != '"') {
    return !node.others.empty() &&
           std::binary_search(node.others.begin(), node.others.end(), Hashed(at, stop));
  }
  if (value.size() < 2) return false;
  std::string undone;
  std::string_view text = value.substr(1, value.size() - 2);
  if (text.find('\\') != text.npos) text = undone = StringValue(value);
  return std::binary_search(node.strings.begin(), node.strings.end(), text, std::less<>());
}

bool Run::CheckAlternatives(const SchemaNode& node, const char* at) {
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

}  // namespace

Schema::Schema(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;
Schema::~Schema() = default;

Result<Schema> Schema::Compile(const Json& schema, const Json* definitions) {
  auto nodes = CompileNodes(schema, definitions);
  if (!nodes) return nodes.error();
  auto compiled = std::make_unique<Compiled>();
  compiled->nodes = std::move(*nodes);
  return Schema(std::move(compiled));
}

std::optional<SchemaViolation> Schema::Validate(std::string_view value) {
  value = Trimmed(value);
  Run run(compiled_->nodes, &compiled_->seen, &compiled_->outcomes, ++compiled_->run, value);
  const bool fine = run.Check(0, value.data()) != nullptr;
  compiled_->gave_up = run.gave_up();
  if (fine || run.gave_up()) return std::nullopt;
  return run.TakeViolation();
}

size_t Schema::size() const { return compiled_->nodes.size(); }

bool Schema::gave_up() const { return compiled_->gave_up; }

std::string Schema::Expectation(const SchemaViolation& violation) const {
  const std::string key = violation.keyword + " " + violation.rule;
  if (const auto told = compiled_->told.find(key); told != compiled_->told.end()) {
    return told->second;
  }
  for (const SchemaNode& node : compiled_->nodes) {
    if (node.rule != violation.rule) continue;
    std::string text = DescribeNode(compiled_->nodes, node, violation.keyword);
    if (compiled_->told.size() < kMaxTold) compiled_->told.emplace(key, text);
    return text;
  }
  return "";
}

SchemaWords Schema::Words() const { return WordsOf(compiled_->nodes); }

}  // namespace midwire::wire
