// SchemaRun for arrays and objects.
#include "wire/dialect/schema_run.h"
#include "wire/json/hash.h"
#include "wire/json/unescape.h"

namespace midwire::wire {
namespace {

// Elements of one array that are compared with each other: 1 MiB of hashes.
constexpr size_t kMaxUnique = 65'536;

}  // namespace

const char* SchemaRun::CheckArray(const SchemaNode& node, const char* at) {
  std::vector<ValueHash> hashes;
  uint64_t count = 0, contained = 0;
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
    if (node.contains != kAnything && Matches(node.contains, at)) ++contained;
    if (node.unique) NoteRead(at, stop);
    if (node.unique && count < kMaxUnique) hashes.push_back(Hashed(at, stop));
    if (gave_up_) return nullptr;
    ++count;
    at = SkipBlanks(stop);
    if (at != end_ && *at == ',') at = SkipBlanks(at + 1);
  }
  if (count < node.min_items) return Break(node, "minItems");
  if (count > node.max_items) return Break(node, "maxItems");
  if (node.contains != kAnything) {
    if (contained < node.min_contains) return Break(node, "contains");
    if (contained > node.max_contains) return Break(node, "maxContains");
  }
  if (node.unique) {
    std::sort(hashes.begin(), hashes.end());
    if (std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end()) {
      return Break(node, "uniqueItems");
    }
    if (count > kMaxUnique) LeaveOut();
  }
  return at == end_ ? end_ : at + 1;
}

const char* SchemaRun::CheckObject(const SchemaNode& node, const char* const from) {
  if (node.any_members) return Charged(from, Skip(from));
  if (const char* const stop = Known(node, from)) return stop;
  // The bits of the properties that are there: in memory only where a word does not hold them.
  const bool many = node.properties.size() > 64;
  const size_t bits = seen_.size();
  if (many) seen_.resize(bits + (node.properties.size() + 63) / 64);
  uint64_t few = 0;
  uint64_t count = 0;
  size_t expected = node.first;
  int last = -1;  // the property that was found last
  const char* at = SkipBlanks(from + 1);
  while (at != end_ && *at == '"') {
    bool escaped = false;
    const char* const name_end = SkipName(at + 1, &escaped);
    const std::string_view quoted = Span(at, name_end);
    std::string_view name = quoted.substr(1, quoted.size() - 2);
    std::string undone;
    if (escaped && name.find('\\') != name.npos) name = undone = StringValue(quoted);
    const int found = FindProperty(node, name, expected);
    if (found >= 0) {
      (last < 0 ? node.first : node.properties[last].next) = static_cast<uint32_t>(found);
      last = found;
      expected = node.properties[found].next;
      (many ? seen_[bits + found / 64] : few) |= uint64_t{1} << (found % 64);
    }
    ++count;
    if (node.names != kAnything && !Check(node.names, at)) {
      AddStep(quoted, 0);
      if (many) seen_.resize(bits);
      return nullptr;
    }
    at = SkipBlanks(name_end);
    at = SkipBlanks(at == end_ ? at : at + 1);  // the colon
    const bool described = found >= 0 && node.properties[found].described;
    const int schema = described ? node.properties[found].schema : node.additional;
    const char* stop = nullptr;
    if (!node.pattern_properties.empty()) {
      stop = CheckByPatterns(node, name, described, schema, at);
    } else if (schema == kForbidden) {
      Break(node, "additionalProperties");
    } else {
      stop = schema == kAnything ? Skip(at) : Check(schema, at);
    }
    if (!stop) {
      AddStep(quoted, 0);
      if (many) seen_.resize(bits);
      return nullptr;
    }
    at = SkipBlanks(stop);
    if (at != end_ && *at == ',') at = SkipBlanks(at + 1);
  }
  const bool fine = CheckMembers(node, from, bits, few, count);
  if (many) seen_.resize(bits);
  if (!fine) return nullptr;
  if (at == end_) return end_;
  Remember(node, from, at + 1);
  return at + 1;
}

const char* SchemaRun::CheckByPatterns(const SchemaNode& node, std::string_view name,
                                       bool described, int schema, const char* at) {
  const char* stop = nullptr;
  const auto check = [&](int index) {
    stop = index == kAnything ? Skip(at) : Check(index, at);
    return stop != nullptr;
  };
  if (described && !check(schema)) return nullptr;
  for (const SchemaPatternProperty& property : node.pattern_properties) {
    if (!MatchesPattern(*property.name, name)) {
      if (gave_up_) return nullptr;
      continue;
    }
    described = true;
    if (!check(property.schema)) return nullptr;
  }
  if (described) return stop;
  if (schema == kForbidden) return Break(node, "additionalProperties");
  check(schema);
  return stop;
}

bool SchemaRun::CheckMembers(const SchemaNode& node, const char* at, size_t bits, uint64_t few,
                             uint64_t count) {
  const bool many = node.properties.size() > 64;
  const auto has = [&](size_t i) { return (many ? seen_[bits + i / 64] : few) >> (i % 64) & 1; };
  if (node.any_required && (many || (node.required_bits & ~few) != 0)) {
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

}  // namespace midwire::wire
