#include "check/rules/places.h"

#include <algorithm>
#include <utility>

#include "wire/json/quote.h"
#include "wire/json/read_loose.h"
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

uint32_t PlaceTree::Find(uint32_t parent, std::string_view name, bool plain) const {
  const Node& node = nodes_[parent];
  if (node.slots.empty()) return kNone;
  const uint32_t found = FindMeant(node, name);
  if (found != kNone || plain || name.find('\\') == name.npos) return found;
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

// Follows the objects that are nodes; their values begin and end at tokens.
class PlaceValues::Sink {
 public:
  explicit Sink(PlaceValues* values) : values_(values) {}

  [[gnu::always_inline]] void Name(const char* from, const char* to, bool plain, size_t depth) {
    if (depth != followed_) return;
    next_ =
        values_->tree_->Find(values_->open_[depth], {from, static_cast<size_t>(to - from)}, plain);
  }
  [[gnu::always_inline]] void Scalar(const char* from, const char* to, size_t depth) {
    if (depth != followed_ || next_ == PlaceTree::kNone) return;
    values_->Begin(next_, from);
    values_->End(next_, to);
    next_ = PlaceTree::kNone;
  }
  [[gnu::always_inline]] void Open(const char* at, size_t depth) {
    if (depth == 0 && *at == '{') {
      Follow(1, PlaceTree::kRoot);
    } else if (depth == followed_ && next_ != PlaceTree::kNone) {
      values_->Begin(next_, at);
      if (*at == '{' && values_->tree_->HasChildren(next_)) {
        Follow(depth + 1, next_);
      } else {
        pending_ = next_;
      }
      next_ = PlaceTree::kNone;
    }
  }
  [[gnu::always_inline]] void Close(const char* at, size_t depth) {
    if (depth + 1 == followed_) {
      if (depth > 0) values_->End(values_->open_[followed_], at + 1);
      --followed_;
    } else if (depth == followed_ && pending_ != PlaceTree::kNone) {
      values_->End(std::exchange(pending_, PlaceTree::kNone), at + 1);
    }
  }

 private:
  void Follow(size_t depth, uint32_t node) {
    values_->open_[depth] = node;
    followed_ = depth;
  }

  PlaceValues* const values_;
  size_t followed_ = 0;                  // open objects that are nodes with children: the outermost
  uint32_t next_ = PlaceTree::kNone;     // the node whose value comes next
  uint32_t pending_ = PlaceTree::kNone;  // whose value is open in the innermost of these
};

bool PlaceValues::ReadTokens(std::string_view text) {
  Sink sink(this);
  return wire::ReadLooseJson(text, &sink);
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
