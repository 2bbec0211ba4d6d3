// From a schema to nodes. Everything is checked here, so that whoever validates need not: what is
// wrong in a schema is the dialect author's to know, before the first message.
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <unordered_map>

#include "wire/dialect/schema_nodes.h"

namespace midwire::wire {
namespace {

// Far beyond any real schema (LSP's has 900 objects), and a memory of some megabytes.
constexpr size_t kMaxNodes = 20'000;
// A reference that leads to a reference that leads to ...
constexpr int kMaxReferences = 64;
// Each node keeps its place. Names that make longer ones would make a memory of gigabytes of them.
constexpr size_t kMaxPlace = 4096;
// Objects with fewer members are looked through.
constexpr size_t kMaxLookedThrough = 16;

using Type = Json::Type;

void AppendStep(std::string_view name, std::string* pointer) {
  *pointer += '/';
  for (const char c : name) {
    if (c == '~') {
      *pointer += "~0";
    } else if (c == '/') {
      *pointer += "~1";
    } else {
      *pointer += c;
    }
  }
}

std::string Step(const std::string& pointer, std::string_view name) {
  std::string longer = pointer;
  AppendStep(name, &longer);
  return longer;
}

void AppendText(const Json& value, std::string* out) {  // recursive: ParseJson's depth
  switch (value.type) {
    case Type::kNull:
      *out += "null";
      return;
    case Type::kBool:
      *out += value.boolean ? "true" : "false";
      return;
    case Type::kNumber:
      *out += value.text;
      return;
    case Type::kString:
      AppendJsonString(value.text, out);
      return;
    case Type::kArray:
      *out += '[';
      for (const Json& item : value.items) {
        if (&item != &value.items.front()) *out += ',';
        AppendText(item, out);
      }
      *out += ']';
      return;
    case Type::kObject:
      *out += '{';
      for (const Json::Member& member : value.members) {
        if (&member != &value.members.front()) *out += ',';
        AppendJsonString(member.first, out);
        *out += ':';
        AppendText(member.second, out);
      }
      *out += '}';
      return;
  }
}

uint8_t TypeBits(std::string_view name) {
  static constexpr std::pair<std::string_view, uint8_t> kTypes[] = {
      {"null", kNullBit},       {"boolean", kBoolBit},
      {"integer", kIntegerBit}, {"number", kIntegerBit | kFractionBit},
      {"string", kStringBit},   {"array", kArrayBit},
      {"object", kObjectBit}};
  for (const auto& [type, bits] : kTypes) {
    if (type == name) return bits;
  }
  return 0;
}

class Compiler {
 public:
  Compiler(const Json& root, const Json* definitions) : root_(root), definitions_(definitions) {}

  Result<std::vector<SchemaNode>> Run() {
    if (definitions_ && !definitions_->is(Type::kObject)) {
      Wrong("/definitions", "definitions are an object of schemas");
    }
    Add(root_, "");
    // Breadth first, as a schema may name itself.
    for (size_t next = 0; next < open_.size() && !error_; ++next) {
      const auto [json, index] = open_[next];
      Compile(*json, index);
      if (nodes_.size() > kMaxNodes) Wrong("", "more than 20000 schemas in one");
    }
    if (!error_) BoundInPlace();
    if (error_) return *error_;
    return std::move(nodes_);
  }

 private:
  void Wrong(std::string where, std::string remedy) {
    if (!error_) error_ = Error{"wrong schema", std::move(where), std::move(remedy)};
  }
  SchemaNode& node() { return nodes_[index_]; }

  // The node of a schema, after its references. Existing ones are shared.
  int Add(const Json& schema, const std::string& where) {
    const Json* target = &schema;
    std::string place = where;
    for (int count = 0;; ++count) {
      if (!target->is(Type::kObject)) {
        Wrong(place, "a schema is an object");
        return kAnything;
      }
      const Json* reference = target->Find("$ref");
      if (!reference) break;
      if (!reference->is(Type::kString)) {
        Wrong(Step(place, "$ref"), "a reference is a string");
        return kAnything;
      }
      if (count == kMaxReferences) {
        Wrong(Step(where, "$ref"), "references lead in a circle");
        return kAnything;
      }
      const std::string from = Step(place, "$ref");
      target = Resolve(reference->text, &place);
      if (!target) {
        Wrong(from, "refers to nothing; write #/definitions/NAME");
        return kAnything;
      }
    }
    if (place.size() > kMaxPlace) {
      Wrong(place.substr(0, 100) + "...", "names above 4096 bytes in all lead here");
      return kAnything;
    }
    auto [known, is_new] = known_.try_emplace(target, static_cast<int>(nodes_.size()));
    if (is_new) {
      nodes_.emplace_back().rule = place;
      open_.push_back({target, known->second});
    }
    return known->second;
  }

  const Json* FindIn(const Json& object, const std::string& name) {
    if (object.members.size() <= kMaxLookedThrough) return object.Find(name);
    auto [index, is_new] = indices_.try_emplace(&object);
    if (is_new) {
      for (const Json::Member& member : object.members) {
        index->second[member.first] = &member.second;  // the last of a name, as Find has it
      }
    }
    const auto found = index->second.find(name);
    return found == index->second.end() ? nullptr : found->second;
  }

  const Json* Resolve(std::string_view reference, std::string* place) {
    if (!reference.starts_with('#')) return nullptr;
    reference.remove_prefix(1);
    *place = reference;
    const Json* at = &root_;
    for (bool first = true; !reference.empty(); first = false) {
      if (reference.front() != '/') return nullptr;
      reference.remove_prefix(1);
      const size_t size = std::min(reference.find('/'), reference.size());
      std::string step;
      for (size_t i = 0; i < size; ++i) {
        if (reference[i] == '~' && i + 1 < size) {
          step += reference[++i] == '1' ? '/' : '~';
        } else {
          step += reference[i];
        }
      }
      reference.remove_prefix(size);
      if (first && definitions_ && step == "definitions") {
        at = definitions_;
      } else if (at->is(Type::kObject)) {
        at = FindIn(*at, step);
      } else if (at->is(Type::kArray)) {
        const size_t index = Index(step);
        at = index < at->items.size() ? &at->items[index] : nullptr;
      } else {
        return nullptr;
      }
      if (!at) return nullptr;
    }
    return at;
  }

  static size_t Index(const std::string& step) {
    if (step.empty() || step.size() > 6) return SIZE_MAX;
    if (step.find_first_not_of("0123456789") != step.npos) return SIZE_MAX;
    return std::stoul(step);
  }

  void Compile(const Json& schema, int index) {
    index_ = index;
    const std::string rule = node().rule;
    std::set<std::string_view> seen;
    for (const Json::Member& member : schema.members) {
      const std::string where = Step(rule, member.first);
      if (!seen.insert(member.first).second) return Wrong(where, "a keyword stands here twice");
      Keyword(member.first, member.second, where);
      if (error_) return;
    }
    for (const char* range : {"Minimum", "Maximum"}) {
      const std::string plain = range[1] == 'i' ? "minimum" : "maximum";
      if (schema.Find(std::string("exclusive") + range) && !schema.Find(plain)) {
        return Wrong(Step(rule, std::string("exclusive") + range), "needs " + plain + " beside it");
      }
    }
    Finish(schema);
  }

  void Keyword(std::string_view name, const Json& value, const std::string& where) {
    struct Row {
      std::string_view name;
      void (Compiler::*take)(const Json&, const std::string&);
    };
    static constexpr Row kRows[] = {
        {"type", &Compiler::TakeType},
        {"enum", &Compiler::TakeEnum},
        {"minimum", &Compiler::TakeMinimum},
        {"maximum", &Compiler::TakeMaximum},
        {"exclusiveMinimum", &Compiler::TakeExclusiveMinimum},
        {"exclusiveMaximum", &Compiler::TakeExclusiveMaximum},
        {"multipleOf", &Compiler::TakeMultipleOf},
        {"minLength", &Compiler::TakeMinLength},
        {"maxLength", &Compiler::TakeMaxLength},
        {"items", &Compiler::TakeItems},
        {"additionalItems", &Compiler::TakeAdditionalItems},
        {"minItems", &Compiler::TakeMinItems},
        {"maxItems", &Compiler::TakeMaxItems},
        {"uniqueItems", &Compiler::TakeUniqueItems},
        {"properties", &Compiler::TakeProperties},
        {"required", &Compiler::TakeRequired},
        {"additionalProperties", &Compiler::TakeAdditionalProperties},
        {"minProperties", &Compiler::TakeMinProperties},
        {"maxProperties", &Compiler::TakeMaxProperties},
        {"dependencies", &Compiler::TakeDependencies},
        {"allOf", &Compiler::TakeAllOf},
        {"anyOf", &Compiler::TakeAnyOf},
        {"oneOf", &Compiler::TakeOneOf},
        {"not", &Compiler::TakeNot},
        {"definitions", &Compiler::TakeDefinitions},
        {"pattern", &Compiler::RefusePattern},
        {"patternProperties", &Compiler::RefusePattern},
    };
    static constexpr std::string_view kForPeople[] = {"title",    "description", "default",
                                                      "format",   "comment",     "$comment",
                                                      "examples", "id",          "$schema"};
    for (const Row& row : kRows) {
      if (row.name != name) continue;
      if (name != "definitions") node().anything = false;
      return (this->*row.take)(value, where);
    }
    if (name.starts_with("x-")) return;
    if (std::find(std::begin(kForPeople), std::end(kForPeople), name) != std::end(kForPeople)) {
      return;
    }
    Wrong(where, "no keyword of JSON Schema draft 4");
  }

  void TakeType(const Json& value, const std::string& where) {
    uint8_t types = 0;
    const auto add = [&](const Json& type) {
      const uint8_t bits = type.is(Type::kString) ? TypeBits(type.text) : 0;
      if (bits == 0) {
        Wrong(where, "a type is one of null, boolean, integer, number, string, array, object");
      }
      types |= bits;
    };
    if (!value.is(Type::kArray)) {
      add(value);
    } else if (value.items.empty()) {
      Wrong(where, "name a type");
    }
    for (const Json& type : value.items) add(type);
    node().types = types;
  }

  void TakeEnum(const Json& value, const std::string& where) {
    if (!value.is(Type::kArray) || value.items.empty()) {
      return Wrong(where, "an array of at least one value");
    }
    node().has_enum = true;
    for (const Json& item : value.items) {
      std::string& spelt = node().spelt.emplace_back();
      AppendText(item, &spelt);
      if (item.is(Type::kString)) {
        node().strings.push_back(item.text);
      } else {
        node().others.push_back(HashValue(spelt));
      }
    }
  }

  void Number(const Json& value, const std::string& where, std::string* to) {
    if (!value.is(Type::kNumber)) return Wrong(where, "a number");
    *to = value.text;
  }
  void TakeMinimum(const Json& v, const std::string& where) { Number(v, where, &node().minimum); }
  void TakeMaximum(const Json& v, const std::string& where) { Number(v, where, &node().maximum); }
  void TakeMultipleOf(const Json& value, const std::string& where) {
    Number(value, where, &node().multiple_of);
    if (!error_ && CompareNumbers(value.text, "0") <= 0) Wrong(where, "a number above 0");
  }

  void Bool(const Json& value, const std::string& where, bool* to) {
    if (!value.is(Type::kBool)) return Wrong(where, "true or false");
    *to = value.boolean;
  }
  void TakeExclusiveMinimum(const Json& value, const std::string& where) {
    Bool(value, where, &node().exclusive_minimum);
  }
  void TakeExclusiveMaximum(const Json& value, const std::string& where) {
    Bool(value, where, &node().exclusive_maximum);
  }
  void TakeUniqueItems(const Json& value, const std::string& where) {
    Bool(value, where, &node().unique);
  }

  void Count(const Json& value, const std::string& where, uint64_t* to) {
    const auto count = value.Integer();
    if (!count || *count < 0) return Wrong(where, "an integer, 0 or more");
    *to = static_cast<uint64_t>(*count);
  }
  void TakeMinLength(const Json& value, const std::string& where) {
    node().lengths = true;
    Count(value, where, &node().min_length);
  }
  void TakeMaxLength(const Json& value, const std::string& where) {
    node().lengths = true;
    Count(value, where, &node().max_length);
  }
  void TakeMinItems(const Json& v, const std::string& where) { Count(v, where, &node().min_items); }
  void TakeMaxItems(const Json& v, const std::string& where) { Count(v, where, &node().max_items); }
  void TakeMinProperties(const Json& value, const std::string& where) {
    Count(value, where, &node().min_properties);
  }
  void TakeMaxProperties(const Json& value, const std::string& where) {
    Count(value, where, &node().max_properties);
  }

  // Add may move the nodes: node() only after it.
  int AddOrBool(const Json& value, const std::string& where) {
    if (value.is(Type::kBool)) return value.boolean ? kAnything : kForbidden;
    return Add(value, where);
  }
  std::vector<int> AddAll(const Json& value, const std::string& where, bool may_be_empty) {
    std::vector<int> all;
    if (!value.is(Type::kArray) || (value.items.empty() && !may_be_empty)) {
      Wrong(where, "an array of schemas");
    }
    for (const Json& item : value.items) {
      all.push_back(Add(item, Step(where, std::to_string(all.size()))));
    }
    return all;
  }
  void TakeItems(const Json& value, const std::string& where) {
    if (value.is(Type::kArray)) {
      auto all = AddAll(value, where, true);
      node().tuple = std::move(all);
      return;
    }
    const int items = Add(value, where);
    node().items = items;
  }
  // Means something beside a tuple only, see Finish.
  void TakeAdditionalItems(const Json& value, const std::string& where) {
    additional_items_ = AddOrBool(value, where);
  }
  void TakeAdditionalProperties(const Json& value, const std::string& where) {
    const int additional = AddOrBool(value, where);
    node().additional = additional;
  }
  void TakeAllOf(const Json& value, const std::string& where) {
    auto all = AddAll(value, where, false);
    node().all_of = std::move(all);
  }
  void TakeAnyOf(const Json& value, const std::string& where) {
    auto all = AddAll(value, where, false);
    node().any_of = std::move(all);
  }
  void TakeOneOf(const Json& value, const std::string& where) {
    auto all = AddAll(value, where, false);
    node().one_of = std::move(all);
  }
  void TakeNot(const Json& value, const std::string& where) {
    const int schema = Add(value, where);
    node().not_this = schema;
  }

  uint32_t Property(const std::string& name) {
    auto [at, is_new] =
        property_.try_emplace(name, static_cast<uint32_t>(node().properties.size()));
    if (is_new) node().properties.push_back({name});
    return at->second;
  }
  void TakeProperties(const Json& value, const std::string& where) {
    if (!value.is(Type::kObject)) return Wrong(where, "an object of schemas");
    for (const Json::Member& member : value.members) {
      const int schema = Add(member.second, Step(where, member.first));
      SchemaProperty& property = node().properties[Property(member.first)];
      if (property.described) return Wrong(Step(where, member.first), "stands here twice");
      property.described = true;
      property.schema = schema;
    }
  }
  void TakeRequired(const Json& value, const std::string& where) {
    if (!value.is(Type::kArray)) return Wrong(where, "an array of names");
    for (const Json& name : value.items) {
      if (!name.is(Type::kString)) return Wrong(where, "an array of names");
      node().properties[Property(name.text)].required = true;
      node().any_required = true;
    }
  }
  void TakeDependencies(const Json& value, const std::string& where) {
    if (!value.is(Type::kObject)) return Wrong(where, "an object");
    for (const Json::Member& member : value.members) {
      const std::string place = Step(where, member.first);
      SchemaDependency dependency{.property = Property(member.first), .others = {}};
      if (!member.second.is(Type::kArray)) {
        dependency.schema = Add(member.second, place);
      }
      for (const Json& name : member.second.items) {
        if (!name.is(Type::kString)) return Wrong(place, "an array of names, or a schema");
        dependency.others.push_back(Property(name.text));
      }
      node().dependencies.push_back(std::move(dependency));
    }
  }
  void TakeDefinitions(const Json& value, const std::string& where) {
    if (&nodes_[index_] != &nodes_[0] || definitions_) {
      return Wrong(where, "definitions stand beside the schema");
    }
    if (!value.is(Type::kObject)) Wrong(where, "an object of schemas");
  }
  void RefusePattern(const Json&, const std::string& where) {
    Wrong(where, "patterns are not supported; describe it in \"format\" or \"description\"");
  }

  void Finish(const Json& schema) {
    SchemaNode& done = node();
    const Json* items = schema.Find("items");
    if (items && items->is(Type::kArray)) {
      done.items = additional_items_;
      done.items_keyword = "additionalItems";
    }
    additional_items_ = kAnything;
    std::sort(done.strings.begin(), done.strings.end());
    std::sort(done.others.begin(), done.others.end());
    done.in_place = !done.all_of.empty() || !done.any_of.empty() || !done.one_of.empty() ||
                    done.not_this != kAnything;
    property_.clear();
    if (done.properties.empty()) return;
    done.slots.resize(std::bit_ceil(2 * done.properties.size()));
    for (uint32_t i = 0; i < done.properties.size(); ++i) {
      size_t slot = NameHash(done.properties[i].name);
      while (done.slots[slot % done.slots.size()] != 0) ++slot;
      done.slots[slot % done.slots.size()] = i + 1;
    }
  }

  // Alternatives of the same value that lead back to themselves would never end.
  void BoundInPlace() {
    std::vector<int> height(nodes_.size(), 0);
    bool changed = true;
    for (int round = 0; changed; ++round) {
      changed = false;
      for (size_t i = 0; i < nodes_.size(); ++i) {
        const auto over = [&](int other) {
          if (other < 0 || height[other] < height[i]) return;
          height[i] = height[other] + 1;
          changed = true;
          if (height[i] > kMaxInPlace) {
            Wrong(nodes_[i].rule,
                  "allOf, anyOf, oneOf, not or dependencies lead in a circle, or "
                  "more than 16 deep");
          }
        };
        for (const int other : nodes_[i].all_of) over(other);
        for (const int other : nodes_[i].any_of) over(other);
        for (const int other : nodes_[i].one_of) over(other);
        over(nodes_[i].not_this);
        for (const SchemaDependency& dependency : nodes_[i].dependencies) over(dependency.schema);
      }
      if (error_) return;
    }
  }

  const Json& root_;
  const Json* definitions_;
  std::vector<SchemaNode> nodes_;
  std::vector<std::pair<const Json*, int>> open_;
  std::map<const Json*, int> known_;
  std::map<const Json*, std::unordered_map<std::string_view, const Json*>> indices_;
  std::optional<Error> error_;
  // Of the node that is being compiled.
  int index_ = 0;
  int additional_items_ = kAnything;
  std::map<std::string, uint32_t> property_;
};

}  // namespace

Result<std::vector<SchemaNode>> CompileNodes(const Json& schema, const Json* definitions) {
  return Compiler(schema, definitions).Run();
}

}  // namespace midwire::wire
