#include <algorithm>
#include <bit>
#include <set>

#include "wire/dialect/schema_compiler.h"

namespace midwire::wire {
namespace {

// Far beyond any real schema (LSP's has 900 objects), and a memory of some megabytes.
constexpr size_t kMaxNodes = 20'000;
// Each node keeps its place. Longer ones could take gigabytes.
constexpr size_t kMaxPlace = 4096;

struct NamedDraft {
  std::string_view part;  // of the URI in "$schema"
  SchemaDraft draft;
};
constexpr NamedDraft kDrafts[] = {{"/draft-04/schema", SchemaDraft::k4},
                                  {"/draft-06/schema", SchemaDraft::k6},
                                  {"/draft-07/schema", SchemaDraft::k6},
                                  {"/draft/2019-09/schema", SchemaDraft::k2019},
                                  {"/draft/2020-12/schema", SchemaDraft::k2019}};

Result<SchemaDraft> DraftOf(const Json& schema) {
  const Json* const named = schema.Find("$schema");
  if (named == nullptr) return SchemaDraft::kDialect;
  for (const NamedDraft& known : kDrafts) {
    if (named->text.find(known.part) != std::string::npos) return known.draft;
  }
  return Error{kUnreadSchema, "/$schema", "a draft from 4 to 2020-12 is supported"};
}

}  // namespace

Result<std::vector<SchemaNode>> SchemaCompiler::Run() {
  if (definitions_ && !definitions_->is(Json::Type::kObject)) {
    Wrong("/definitions", "definitions are an object of schemas");
  }
  Add(root_, "");
  // Breadth first, as a schema may name itself.
  for (size_t next = 0; next < open_.size() && !error_; ++next) {
    const auto [json, index] = open_[next];
    Compile(*json, index);
    if (nodes_.size() > kMaxNodes) Unread("", "more than 20000 schemas in one");
  }
  if (!error_) BoundInPlace();
  if (error_) return *error_;
  return std::move(nodes_);
}

void SchemaCompiler::Wrong(std::string where, std::string remedy) {
  if (!error_) error_ = Error{kWrongSchema, std::move(where), std::move(remedy)};
}

void SchemaCompiler::Unread(std::string where, std::string remedy) {
  if (!error_) error_ = Error{kUnreadSchema, std::move(where), std::move(remedy)};
}

int SchemaCompiler::Add(const Json& schema, const std::string& where) {
  return AddTarget(references_.Follow(schema, where));
}

int SchemaCompiler::AddTarget(Result<SchemaReferences::Target> target) {
  if (!target) {
    if (!error_) error_ = target.error();
    return kAnything;
  }
  if (target->place.size() > kMaxPlace) {
    Unread(target->place.substr(0, 100) + "...", "the names on the path to it exceed 4096 bytes");
    return kAnything;
  }
  auto [known, is_new] = known_.try_emplace(target->schema, static_cast<int>(nodes_.size()));
  if (is_new) {
    nodes_.emplace_back().rule = std::move(target->place);
    open_.push_back({target->schema, known->second});
  }
  return known->second;
}

void SchemaCompiler::Compile(const Json& schema, int index) {
  index_ = index;
  if (schema.is(Json::Type::kBool)) {
    node().anything = schema.boolean;
    node().types = schema.boolean ? kAnyType : 0;
    return;
  }
  const std::string rule = node().rule;
  std::set<std::string_view> seen;
  for (const Json::Member& member : schema.members) {
    const std::string where = WithStep(rule, member.first);
    if (!seen.insert(member.first).second) return Wrong(where, "duplicate keyword");
    TakeKeyword(member.first, member.second, where);
    if (error_) return;
  }
  for (const char* range : {"Minimum", "Maximum"}) {
    const std::string plain = range[1] == 'i' ? "minimum" : "maximum";
    if (!sent() && schema.Find(std::string("exclusive") + range) && !schema.Find(plain)) {
      return Wrong(WithStep(rule, std::string("exclusive") + range),
                   "needs " + plain + " beside it");
    }
  }
  Finish(schema);
}

void SchemaCompiler::Finish(const Json& schema) {
  if (sent()) FinishLater(schema);
  SchemaNode& done = node();
  const Json* items = schema.Find("items");
  if (items && items->is(Json::Type::kArray)) {
    done.items = additional_items_;
    done.items_keyword = "additionalItems";
  }
  additional_items_ = kAnything;
  done.lengths = done.min_length > 0 || done.max_length < UINT64_MAX;
  std::sort(done.strings.begin(), done.strings.end());
  std::sort(done.others.begin(), done.others.end());
  done.in_place = !done.all_of.empty() || !done.any_of.empty() || !done.one_of.empty() ||
                  done.not_this != kAnything || done.condition != kAnything;
  property_.clear();
  done.any_members = done.properties.empty() && done.pattern_properties.empty() &&
                     done.additional == kAnything && done.names == kAnything &&
                     done.min_properties == 0 && done.max_properties == UINT64_MAX;
  if (done.properties.empty()) return;
  done.slots.resize(std::bit_ceil(2 * done.properties.size()));
  for (uint32_t i = 0; i < done.properties.size(); ++i) {
    done.properties[i].next = i + 1;
    if (i < 64 && done.properties[i].required) done.required_bits |= uint64_t{1} << i;
    size_t slot = NameHash(done.properties[i].name);
    while (done.slots[slot % done.slots.size()] != 0) ++slot;
    done.slots[slot % done.slots.size()] = i + 1;
  }
}

// Alternatives of the same value that lead back to themselves would never end.
void SchemaCompiler::BoundInPlace() {
  std::vector<int> height(nodes_.size(), 0);
  for (bool changed = true; changed && !error_;) {
    changed = false;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const auto over = [&](int other) {
        if (other < 0 || height[other] < height[i]) return;
        height[i] = height[other] + 1;
        changed = true;
        if (height[i] > kMaxInPlace) {
          Unread(nodes_[i].rule,
                 "allOf, anyOf, oneOf, not, if or dependencies lead in a circle, or more than 16 "
                 "deep");
        }
      };
      for (const auto* all : {&nodes_[i].all_of, &nodes_[i].any_of, &nodes_[i].one_of}) {
        std::for_each(all->begin(), all->end(), over);
      }
      for (const int other :
           {nodes_[i].not_this, nodes_[i].condition, nodes_[i].then_this, nodes_[i].else_this}) {
        over(other);
      }
      for (const SchemaDependency& dependency : nodes_[i].dependencies) over(dependency.schema);
    }
  }
}

Result<std::vector<SchemaNode>> CompileNodes(const Json& schema, const Json* definitions,
                                             PatternCache* patterns) {
  const Result<SchemaDraft> draft = DraftOf(schema);
  if (!draft) return draft.error();
  return SchemaCompiler(schema, definitions, patterns, *draft).Run();
}

}  // namespace midwire::wire
