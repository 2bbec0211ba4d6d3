#include "check/rules/places.h"

#include <algorithm>
#include <utility>

#include "wire/json/cursor.h"
#include "wire/json/quote.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

// Slots per child. Most names of a message are those of no node, and meet an empty slot.
constexpr size_t kSlotsPerChild = 4;

// `name`: in quotes. Cheap, because each name of a message is looked up; names that collide
// are those of the dialect itself.
size_t HashOf(std::string_view name) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(name[at]); };
  return name.size() * 3 + byte(1) * size_t{7} + byte(name.size() / 2) * size_t{31} +
         byte(name.size() - 2) * size_t{131};
}

// A step that Walk must find: `*`, `**`, or one that may be an index.
bool IsSearched(const std::string& step) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return step == wire::Pointer::kAny || step == "**" ||
         (!step.empty() && std::all_of(step.begin(), step.end(), is_digit));
}

}  // namespace

PlaceTree::PlaceTree() : nodes_(1) {}

uint32_t PlaceTree::FindMeant(const Node& node, std::string_view name) const {
  const size_t mask = node.slots.size() - 1;
  for (size_t slot = HashOf(name) & mask; node.slots[slot] != kNone; slot = (slot + 1) & mask) {
    if (nodes_[node.slots[slot]].name == name) return node.slots[slot];
  }
  return kNone;
}

uint32_t PlaceTree::Find(uint32_t parent, std::string_view name) const {
  const Node& node = nodes_[parent];
  if (node.slots.empty()) return kNone;
  const uint32_t found = FindMeant(node, name);
  if (found != kNone || name.find('\\') == name.npos) return found;
  return FindMeant(node, '"' + wire::StringValue(name) + '"');
}

void PlaceTree::Insert(Node* node, uint32_t child) const {
  const size_t mask = node->slots.size() - 1;
  size_t slot = HashOf(nodes_[child].name) & mask;
  while (node->slots[slot] != kNone) slot = (slot + 1) & mask;
  node->slots[slot] = child;
}

uint32_t PlaceTree::Add(const std::vector<std::string>& steps, size_t count) {
  uint32_t at = kRoot;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = '"' + steps[i] + '"';
    const uint32_t known = nodes_[at].slots.empty() ? kNone : FindMeant(nodes_[at], name);
    if (known != kNone) {
      at = known;
      continue;
    }
    const auto child = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({name, {}, {}});
    Node& parent = nodes_[at];
    parent.children.push_back(child);
    if (parent.slots.size() < parent.children.size() * kSlotsPerChild) {
      parent.slots.assign(std::max(2 * parent.slots.size(), kSlotsPerChild), kNone);
      for (const uint32_t other : parent.children) Insert(&parent, other);
    } else {
      Insert(&parent, child);
    }
    at = child;
  }
  depth_ = std::max(depth_, count);
  return at;
}

RulePlace::RulePlace(wire::MethodPlace place, PlaceTree* tree)
    : wire::MethodPlace(std::move(place)) {
  const std::vector<std::string>& steps = pointer.steps;
  const auto searched = std::find_if(steps.begin(), steps.end(), IsSearched);
  for (auto step = steps.begin(); step != searched; ++step) {
    names_.push_back(wire::JsonString(*step));
  }
  node_ = tree->Add(steps, names_.size());
  first_ = tree->Add(steps, std::min<size_t>(names_.size(), 1));
  deep_ = std::find(steps.begin(), steps.end(), "**") != steps.end();
}

bool PlaceValues::Read(std::string_view text) {
  // Places are added when a checker is made, before its first message.
  slots_.resize(tree_->size());
  open_.resize(tree_->depth() + 2);
  repeated_ = false;
  ++message_;
  if (!ReadTokens(text)) {
    ++message_;
    return false;
  }
  slots_[PlaceTree::kRoot] = {text.data(), text.size(), message_};
  return true;
}

bool PlaceValues::ReadTokens(std::string_view text) {
  wire::JsonCursor<wire::JsonSyntax::kLoose> cursor(text);
  size_t followed = 0;                  // open objects that are nodes with children: the outermost
  uint32_t next = PlaceTree::kNone;     // the node whose value comes next
  uint32_t pending = PlaceTree::kNone;  // the node whose value is open in the innermost of these
  for (;;) {
    const wire::JsonToken token = cursor.Next();
    if (token == wire::JsonToken::kBroken) return false;
    if (token == wire::JsonToken::kEnd) return true;
    const size_t depth = cursor.depth();
    if (depth > followed + 1) continue;
    const std::string_view span = cursor.text();
    switch (token) {
      case wire::JsonToken::kName:
        if (depth == followed) next = tree_->Find(open_[depth], span);
        break;
      case wire::JsonToken::kScalar:
        if (depth != followed || next == PlaceTree::kNone) break;
        Begin(next, span.data());
        End(next, span.data() + span.size());
        next = PlaceTree::kNone;
        break;
      case wire::JsonToken::kOpen:
        if (depth == 1 && span.front() == '{') {
          open_[1] = PlaceTree::kRoot;
          followed = 1;
        } else if (depth == followed + 1 && next != PlaceTree::kNone) {
          Begin(next, span.data());
          pending = std::exchange(next, PlaceTree::kNone);
          if (span.front() != '{' || !tree_->HasChildren(pending)) break;
          open_[depth] = std::exchange(pending, PlaceTree::kNone);
          followed = depth;
        }
        break;
      case wire::JsonToken::kClose:
        if (depth + 1 == followed) {
          if (depth > 0) End(open_[followed], span.data() + 1);
          --followed;
        } else if (depth == followed && pending != PlaceTree::kNone) {
          End(std::exchange(pending, PlaceTree::kNone), span.data() + 1);
        }
        break;
      case wire::JsonToken::kEnd:
      case wire::JsonToken::kBroken:
        break;
    }
  }
}

void PlaceValues::Begin(uint32_t node, const char* from) {
  if (slots_[node].message == message_) {
    repeated_ = true;
    ForgetBelow(node);
  }
  slots_[node] = {from, 0, message_};
}

// Recursive: at most kMaxPointerSteps deep.
void PlaceValues::ForgetBelow(uint32_t node) {
  for (const uint32_t child : tree_->children(node)) {
    slots_[child].message = 0;
    ForgetBelow(child);
  }
}

}  // namespace midwire::check
