#include "wire/dialect/schema.h"

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
  std::vector<SchemaNode> nodes;
  // Memory of a run, reused by the next:
  std::vector<uint64_t> seen;           // bits of the properties of the open objects
  std::vector<SchemaOutcome> outcomes;  // made when first needed
  uint64_t run = 0;
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

std::optional<SchemaViolation> Schema::Validate(std::string_view value) {
  value = Trimmed(value);
  SchemaRun run(compiled_->nodes, &compiled_->seen, &compiled_->outcomes, ++compiled_->run, value);
  const bool fine = run.Check(0, value.data()) != nullptr;
  compiled_->gave_up = run.gave_up();
  if (fine || run.gave_up()) return std::nullopt;
  return run.TakeViolation();
}

size_t Schema::size() const { return compiled_->nodes.size(); }

bool Schema::gave_up() const { return compiled_->gave_up; }

std::string Schema::Expectation(const SchemaViolation& violation) const {
  const std::string key = violation.keyword + " " + violation.rule;
  if (const auto known = compiled_->expectations.find(key);
      known != compiled_->expectations.end()) {
    return known->second;
  }
  for (const SchemaNode& node : compiled_->nodes) {
    if (node.rule != violation.rule) continue;
    std::string text = DescribeNode(compiled_->nodes, node, violation.keyword);
    if (compiled_->expectations.size() < kMaxExpectations)
      compiled_->expectations.emplace(key, text);
    return text;
  }
  return "";
}

SchemaWords Schema::Words() const { return WordsOf(compiled_->nodes); }

}  // namespace midwire::wire
