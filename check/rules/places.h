// The places that the rules of a checker read, as one tree, and what a message has at each. That is
// found in the same pass that validates its text, however many rules ask for it. Called by Checker,
// which owns both; rules read them through types.h. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/method_place.h"
#include "wire/json/path.h"

namespace midwire::check {

class PlaceTree {
 public:
  static constexpr uint32_t kRoot = 0, kNone = UINT32_MAX;

  PlaceTree();
  // The node of the first `count` steps, each the name of a member. The same steps have one node.
  uint32_t Add(const std::vector<std::string>& steps, size_t count);
  // The child with that name, which has quotes; kNone: no rule asks for it. `plain`: it certainly
  // has no escapes.
  uint32_t Find(uint32_t node, std::string_view name, bool plain) const;
  bool HasChildren(uint32_t node) const { return !nodes_[node].children.empty(); }
  const std::vector<uint32_t>& children(uint32_t node) const { return nodes_[node].children; }
  size_t size() const { return nodes_.size(); }
  size_t depth() const { return depth_; }  // of the deepest node

 private:
  struct Node {
    std::string name;  // without escapes, in quotes
    std::vector<uint32_t> children;
    std::vector<uint32_t> slots;  // open hash of children: node or kNone; size a power of two
  };
  uint32_t FindMeant(const Node& node, std::string_view name) const;
  void Insert(Node* node, uint32_t child) const;

  std::vector<Node> nodes_;
  size_t depth_ = 0;
};

// A place of a rule.
class RulePlace : public wire::MethodPlace {
 public:
  RulePlace() = default;
  RulePlace(wire::MethodPlace place, PlaceTree* tree);

  // Inlined: asked for each place of each rule that sees a message.
  bool OfMethod(std::string_view name) const {
    const std::string_view pattern = scope.method;
    if (pattern.empty()) return true;
    if (pattern.back() != '*') return name == pattern;
    return name.starts_with(pattern.substr(0, pattern.size() - 1));
  }
  // Of the steps before the first that is `*` or may be an index; the others are searched in what
  // the message has there.
  uint32_t node() const { return node_; }
  uint32_t first() const { return first_; }  // of the first of these steps
  bool whole() const { return names_.size() == pointer.steps.size(); }
  bool deep() const { return deep_; }  // has a step `**`
  // The names of these steps, with their quotes.
  const std::vector<std::string>& names() const { return names_; }

 private:
  uint32_t node_ = PlaceTree::kRoot, first_ = PlaceTree::kRoot;
  bool deep_ = false;
  std::vector<std::string> names_;
};
using Places = std::vector<RulePlace>;

// What the current message has at each node.
class PlaceValues {
 public:
  explicit PlaceValues(const PlaceTree* tree) : tree_(tree) {}

  // Whether the text is loose JSON. If so, its values are known until the next call; else none.
  bool Read(std::string_view text);
  // Exact span; of a repeated name the last. data() is null: there is none.
  std::string_view At(uint32_t node) const {
    if (node >= slots_.size() || slots_[node].message != message_) return {};
    return {slots_[node].from, slots_[node].size};
  }
  size_t size() const { return slots_.size(); }
  // In place of Read, where the values are known: call Set for each.
  void Start() {
    repeated_ = false;
    ++message_;
  }
  void Set(uint32_t node, const char* from, size_t size) { slots_[node] = {from, size, message_}; }
  // A name that leads to a node occurs twice.
  bool repeated() const { return repeated_; }
  // Memory for the path to a value; a walk takes it, and gives it back.
  wire::Path path;

 private:
  struct Slot {
    const char* from = nullptr;
    size_t size = 0;
    uint64_t message = 0;
  };
  class Sink;
  bool ReadTokens(std::string_view text);
  void Begin(uint32_t node, const char* from);
  void End(uint32_t node, const char* to) {
    slots_[node].size = static_cast<size_t>(to - slots_[node].from);
  }
  void ForgetBelow(uint32_t node);

  const PlaceTree* tree_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> open_;  // by depth: the node of the open object
  uint64_t message_ = 0;
  bool repeated_ = false;
};

}  // namespace midwire::check
