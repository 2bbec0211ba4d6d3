// Compiles a schema to nodes. Called by CompileNodes. Reports all mistakes of a schema when the
// dialect is loaded, so that SchemaRun need not check for them. Never reads a message.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/dialect/pattern.h"
#include "wire/dialect/schema_nodes.h"
#include "wire/dialect/schema_reference.h"
#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

class SchemaCompiler {
 public:
  SchemaCompiler(const Json& root, const Json* definitions, PatternCache* patterns,
                 SchemaDraft draft)
      : root_(root),
        definitions_(definitions),
        draft_(draft),
        references_(root, definitions, draft),
        patterns_(*patterns) {}

  Result<std::vector<SchemaNode>> Run();

 private:
  // The first error stays: a mistake, or what is not supported.
  void Wrong(std::string where, std::string remedy);
  void Unread(std::string where, std::string remedy);
  SchemaNode& node() { return nodes_[index_]; }

  // The index of a schema's node, after following references. A schema that already has a node
  // keeps it. May move the nodes in memory.
  int Add(const Json& schema, const std::string& where);
  int AddTarget(Result<SchemaReferences::Target> target);
  void Compile(const Json& schema, int index);
  // Completes a node when all keywords of its schema are read.
  void Finish(const Json& schema);
  void BoundInPlace();

  // A keyword, and what takes its value into node().
  struct Keyword {
    std::string_view name;
    void (SchemaCompiler::*take)(const Json&, const std::string&);
  };
  // False: none of these.
  bool TakeFrom(std::span<const Keyword> keywords, std::string_view name, const Json& value,
                const std::string& where);

  // schema_keywords.cc
  void TakeKeyword(std::string_view name, const Json& value, const std::string& where);
  void TakeType(const Json& value, const std::string& where);
  void TakeEnum(const Json& value, const std::string& where);
  void TakeMultipleOf(const Json& value, const std::string& where);
  void TakePattern(const Json& value, const std::string& where);
  void TakeItems(const Json& value, const std::string& where);
  void TakeAdditionalItems(const Json& value, const std::string& where);
  void TakeProperties(const Json& value, const std::string& where);
  void TakePatternProperties(const Json& value, const std::string& where);
  void TakeAdditionalProperties(const Json& value, const std::string& where);
  void TakeRequired(const Json& value, const std::string& where);
  void TakeDependencies(const Json& value, const std::string& where);
  void TakeNot(const Json& value, const std::string& where);
  void TakeDefinitions(const Json& value, const std::string& where);
  template <std::string SchemaNode::*number>
  void TakeNumber(const Json& value, const std::string& where);
  template <uint64_t SchemaNode::*count>
  void TakeCount(const Json& value, const std::string& where);
  template <bool SchemaNode::*flag>
  void TakeFlag(const Json& value, const std::string& where);
  template <std::vector<int> SchemaNode::*schemas>
  void TakeAll(const Json& value, const std::string& where);

  // schema_later_keywords.cc: the same for drafts 6 to 2020-12. False: no keyword of theirs.
  bool TakeLaterKeyword(std::string_view name, const Json& value, const std::string& where);
  void TakeConst(const Json& value, const std::string& where);
  void TakeContains(const Json& value, const std::string& where);
  void TakePropertyNames(const Json& value, const std::string& where);
  void TakePrefixItems(const Json& value, const std::string& where);
  void TakeReference(const Json& value, const std::string& where);
  void TakeNothing(const Json& value, const std::string& where);
  void TakeIdentifier(const Json& value, const std::string& where);
  void TakeUnsupported(const Json& value, const std::string& where);
  template <uint64_t SchemaNode::*count>
  void TakeLaterCount(const Json& value, const std::string& where);
  template <int SchemaNode::*schema>
  void TakeOne(const Json& value, const std::string& where);
  template <bool SchemaNode::*flag, std::string SchemaCompiler::*limit>
  void TakeExclusive(const Json& value, const std::string& where);
  // Those of a schema whose other keywords are read.
  void FinishLater(const Json& schema);
  void FinishUnevaluated(const Json& schema, std::string_view name, std::string_view plain,
                         int SchemaNode::*other);

  bool sent() const { return draft_ != SchemaDraft::kDialect; }
  // Not negative, and not too large. nullopt: an error.
  std::optional<uint64_t> CountIn(const Json& value, const std::string& where);
  int AddOrBool(const Json& value, const std::string& where);
  std::vector<int> AddAll(const Json& value, const std::string& where);
  uint32_t Property(const std::string& name);
  std::shared_ptr<const Pattern> CompilePattern(const std::string& text, const std::string& where);

  const Json& root_;
  const Json* definitions_;
  const SchemaDraft draft_;
  SchemaReferences references_;
  PatternCache& patterns_;
  std::vector<SchemaNode> nodes_;
  std::vector<std::pair<const Json*, int>> open_;
  std::map<const Json*, int> known_;
  std::optional<Error> error_;
  // Of the node that is being compiled:
  int index_ = 0;
  int additional_items_ = kAnything;
  std::string exclusive_low_, exclusive_high_;  // numbers; "": none
  std::map<std::string, uint32_t> property_;
};

}  // namespace midwire::wire
