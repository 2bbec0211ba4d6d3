#include "wire/dialect/schema.h"

#include <algorithm>
#include <map>

#include "wire/dialect/pattern.h"
#include "wire/dialect/schema_nodes.h"
#include "wire/dialect/schema_run.h"
#include "wire/json/parts.h"

namespace midwire::wire {
namespace {

// Texts beyond this are computed each time.
constexpr size_t kMaxExpectations = 1024;

}  // namespace

struct Schema::Compiled {
  // What is to be compiled first; null: nothing.
  std::shared_ptr<const Json> document;
  const Json* schema = nullptr;
  const Json* definitions = nullptr;
  std::shared_ptr<PatternCache> patterns;

  std::vector<SchemaNode> nodes;
  SchemaMemory memory;
  bool gave_up = false;
  // By keyword and rule: each message of a session may violate the same one.
  std::map<std::string, std::string> expectations;
};

Schema::Schema(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;
Schema::~Schema() = default;

Result<Schema> Schema::Compile(const Json& schema, const Json* definitions,
                               PatternCache* patterns) {
  PatternCache own;
  auto nodes = CompileNodes(schema, definitions, patterns != nullptr ? patterns : &own);
  if (!nodes) return nodes.error();
  auto compiled = std::make_unique<Compiled>();
  compiled->nodes = std::move(*nodes);
  return Schema(std::move(compiled));
}

Schema Schema::Deferred(std::shared_ptr<const Json> document, const Json* schema,
                        const Json* definitions, std::shared_ptr<PatternCache> patterns) {
  auto compiled = std::make_unique<Compiled>();
  compiled->document = std::move(document);
  compiled->schema = schema;
  compiled->definitions = definitions;
  compiled->patterns = std::move(patterns);
  return Schema(std::move(compiled));
}

Schema::Compiled& Schema::Ready() const {
  Compiled& one = *compiled_;
  if (one.document == nullptr) return one;
  auto nodes = CompileNodes(*one.schema, one.definitions, one.patterns.get());
  if (nodes) {
    one.nodes = std::move(*nodes);
  } else {
    one.nodes.resize(1);  // requires nothing
  }
  one.document.reset();
  one.patterns.reset();
  return one;
}

std::optional<SchemaViolation> Schema::Validate(std::string_view value) {
  return Validate(value, nullptr);
}

std::optional<SchemaViolation> Schema::Validate(std::string_view value,
                                                std::vector<std::string_view>* read) {
  value = Trimmed(value);
  Compiled& one = Ready();
  SchemaRun run(one.nodes, &one.memory, value, read);
  const bool fine = run.Check(0, value.data()) != nullptr;
  one.gave_up = run.gave_up() || (fine && run.left_out());
  if (fine || run.gave_up()) return std::nullopt;
  return run.TakeViolation();
}

size_t Schema::size() const { return Ready().nodes.size(); }

bool Schema::gave_up() const { return compiled_->gave_up; }

std::string Schema::Expectation(const SchemaViolation& violation) const {
  if (violation.others.empty()) return Expectation(violation.keyword, violation.rule);
  std::vector<std::string> all = {Expectation(violation.keyword, violation.rule)};
  constexpr std::string_view kOneOf = "one of ";
  for (const auto& [keyword, rule] : violation.others) {
    std::string text = Expectation(keyword, rule);
    if (text.starts_with(kOneOf)) text.erase(0, kOneOf.size());
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
  }
  return EitherText(all);
}

std::string Schema::Expectation(const std::string& keyword, const std::string& rule) const {
  const std::string key = keyword + " " + rule;
  Compiled& one = Ready();
  if (const auto known = one.expectations.find(key); known != one.expectations.end()) {
    return known->second;
  }
  for (const SchemaNode& node : one.nodes) {
    if (node.rule != rule) continue;
    std::string text = DescribeNode(one.nodes, node, keyword);
    if (one.expectations.size() < kMaxExpectations) one.expectations.emplace(key, text);
    return text;
  }
  return "";
}

SchemaWords Schema::Words() const { return WordsOf(Ready().nodes); }

// What a schema names: members, enumerated values, limits.
SchemaWords WordsOf(const std::vector<SchemaNode>& nodes) {
  SchemaWords words;
  for (const SchemaNode& node : nodes) {
    for (const SchemaProperty& property : node.properties) words.members.push_back(property.name);
    words.values.insert(words.values.end(), node.spelt.begin(), node.spelt.end());
    for (const std::string* limit : {&node.minimum, &node.maximum, &node.multiple_of}) {
      if (!limit->empty()) words.limits.push_back(*limit);
    }
  }
  return words;
}

}  // namespace midwire::wire
