// The keywords of drafts 6 to 2020-12, in schemas that a peer sent.
#include <algorithm>

#include "wire/dialect/schema_compiler.h"
#include "wire/json/decimal.h"

namespace midwire::wire {
namespace {

// What they evaluate is not known when the schema is compiled.
constexpr std::string_view kEvaluating[] = {
    "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "$ref", "$dynamicRef", "contains"};

}  // namespace

bool SchemaCompiler::TakeLaterKeyword(std::string_view name, const Json& value,
                                      const std::string& where) {
  using Self = SchemaCompiler;
  static constexpr Keyword kKeywords[] = {
      {"const", &Self::TakeConst},
      {"exclusiveMinimum",
       &Self::TakeExclusive<&SchemaNode::exclusive_minimum, &Self::exclusive_low_>},
      {"exclusiveMaximum",
       &Self::TakeExclusive<&SchemaNode::exclusive_maximum, &Self::exclusive_high_>},
      {"contains", &Self::TakeContains},
      {"minContains", &Self::TakeLaterCount<&SchemaNode::min_contains>},
      {"maxContains", &Self::TakeLaterCount<&SchemaNode::max_contains>},
      {"propertyNames", &Self::TakePropertyNames},
      {"prefixItems", &Self::TakePrefixItems},
      {"dependentRequired", &Self::TakeDependencies},
      {"dependentSchemas", &Self::TakeDependencies},
      {"if", &Self::TakeOne<&SchemaNode::condition>},
      {"then", &Self::TakeOne<&SchemaNode::then_this>},
      {"else", &Self::TakeOne<&SchemaNode::else_this>},
      {"$ref", &Self::TakeReference},
      {"$defs", &Self::TakeNothing},
      {"unevaluatedProperties", &Self::TakeNothing},  // see FinishLater
      {"unevaluatedItems", &Self::TakeNothing},
      {"$id", &Self::TakeIdentifier},
      {"$dynamicRef", &Self::TakeUnsupported},
      {"$recursiveRef", &Self::TakeUnsupported},
  };
  return TakeFrom(kKeywords, name, value, where);
}

void SchemaCompiler::TakeConst(const Json& value, const std::string& where) {
  Json one;
  one.type = Json::Type::kArray;
  one.items.push_back(value);
  // Programs that write both name the constant in the enum too.
  node().has_enum = false;
  node().strings.clear();
  node().others.clear();
  node().spelt.clear();
  TakeEnum(one, where);
}

template <bool SchemaNode::*flag, std::string SchemaCompiler::*limit>
void SchemaCompiler::TakeExclusive(const Json& value, const std::string& where) {
  if (value.is(Json::Type::kBool)) {  // draft 4
    node().*flag = value.boolean;
  } else if (value.is(Json::Type::kNumber)) {
    this->*limit = value.text;
  } else {
    Wrong(where, "a number");
  }
}

template <uint64_t SchemaNode::*count>
void SchemaCompiler::TakeLaterCount(const Json& value, const std::string& where) {
  if (const auto number = CountIn(value, where)) node().*count = *number;
}

template <int SchemaNode::*schema>
void SchemaCompiler::TakeOne(const Json& value, const std::string& where) {
  const int added = Add(value, where);
  node().*schema = added;  // not in one statement: Add may move the nodes
}

void SchemaCompiler::TakeContains(const Json& value, const std::string& where) {
  TakeOne<&SchemaNode::contains>(value, where);
}

void SchemaCompiler::TakePropertyNames(const Json& value, const std::string& where) {
  TakeOne<&SchemaNode::names>(value, where);
}

void SchemaCompiler::TakePrefixItems(const Json& value, const std::string& where) {
  if (!value.is(Json::Type::kArray)) return Wrong(where, "an array of schemas");
  std::vector<int> all = AddAll(value, where);
  node().tuple = std::move(all);
}

// Beside other keywords, see SchemaReferences::Follow.
void SchemaCompiler::TakeReference(const Json& value, const std::string& where) {
  const int schema = AddTarget(references_.FollowReference(value, where));
  node().all_of.push_back(schema);
}

void SchemaCompiler::TakeNothing(const Json&, const std::string&) {}

void SchemaCompiler::TakeIdentifier(const Json&, const std::string& where) {
  if (where != "/$id") Unread(where, "references within another schema are not supported");
}

void SchemaCompiler::TakeUnsupported(const Json&, const std::string& where) {
  Unread(where, "dynamic references are not supported");
}

void SchemaCompiler::FinishLater(const Json& schema) {
  FinishUnevaluated(schema, "unevaluatedProperties", "additionalProperties",
                    &SchemaNode::additional);
  FinishUnevaluated(schema, "unevaluatedItems", "items", &SchemaNode::items);
  SchemaNode& done = node();
  // Of two limits the stricter one counts.
  if (!exclusive_low_.empty() &&
      (done.minimum.empty() || CompareNumbers(exclusive_low_, done.minimum) >= 0)) {
    done.minimum = exclusive_low_;
    done.exclusive_minimum = true;
  }
  if (!exclusive_high_.empty() &&
      (done.maximum.empty() || CompareNumbers(exclusive_high_, done.maximum) <= 0)) {
    done.maximum = exclusive_high_;
    done.exclusive_maximum = true;
  }
  exclusive_low_.clear();
  exclusive_high_.clear();
}

// Without keywords that evaluate some, it is what `plain` is.
void SchemaCompiler::FinishUnevaluated(const Json& schema, std::string_view name,
                                       std::string_view plain, int SchemaNode::*other) {
  const Json* const value = schema.Find(name);
  if (value == nullptr || schema.Find(plain) != nullptr) return;
  const bool anything = value->is(Json::Type::kBool) ? value->boolean : value->members.empty();
  if (anything) return;
  const std::string where = WithStep(node().rule, name);
  for (const std::string_view keyword : kEvaluating) {
    if (schema.Find(keyword) == nullptr) continue;
    return Unread(where, "not supported beside " + std::string(keyword));
  }
  const int added = AddOrBool(*value, where);
  node().*other = added;
}

}  // namespace midwire::wire
