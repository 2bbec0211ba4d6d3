#include "fuzz/mutate/tree_spans.h"

#include "wire/json/cursor.h"

namespace midwire::fuzz {
namespace {

size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && wire::IsJsonBlank(text[at])) ++at;
  return at;
}

// Keeps one of all offered values with equal probability (reservoir sampling).
class NodeChoice {
 public:
  NodeChoice(unsigned types, unsigned places, Random* random)
      : types_(types), places_(places), random_(random) {}

  // True: it is kept for now.
  bool Offer(const Node& node) {
    const unsigned place = node.root ? kRoot : node.member() ? kMember : kElement;
    if (!(types_ & Of(node.type)) || !(places_ & place)) return false;
    if (++seen_ > 1 && random_->Below(seen_) != 0) return false;
    node_ = node;
    return true;
  }
  Node* node() { return seen_ == 0 ? nullptr : &node_; }

 private:
  const unsigned types_, places_;
  Random* const random_;
  size_t seen_ = 0;
  Node node_;
};

}  // namespace

std::optional<Node> PickNode(std::string_view text, unsigned types, unsigned places, Random* random,
                             std::string_view name) {
  NodeChoice choice(types, places, random);
  wire::JsonCursor<> cursor(text);
  size_t at = 0, name_at = 0, name_size = 0;
  // The container that is chosen while it is still open, by the depth around it.
  std::optional<size_t> open_in;
  const auto offer = [&](size_t size, size_t depth) {
    Node node{at, size, name_at, name_size, wire::TypeOf(text.substr(at)), depth == 0};
    name_size = 0;
    if (!name.empty() && node.name(text) != name) return false;
    if (!choice.Offer(node)) return false;
    open_in.reset();
    return true;
  };
  for (wire::JsonToken token; (token = cursor.Next()) != wire::JsonToken::kEnd;) {
    const std::string_view span = cursor.text();
    at = static_cast<size_t>(span.data() - text.data());
    switch (token) {
      case wire::JsonToken::kName:
        name_at = at;
        name_size = span.size();
        break;
      case wire::JsonToken::kOpen:
        if (offer(text.size() - at, cursor.depth() - 1)) open_in = cursor.depth() - 1;
        break;
      case wire::JsonToken::kClose:
        name_size = 0;
        if (open_in == cursor.depth()) {
          open_in.reset();
          choice.node()->size = at + 1 - choice.node()->at;
        }
        break;
      default:
        offer(span.size(), cursor.depth());
    }
  }
  if (choice.node() == nullptr) return std::nullopt;
  return *choice.node();
}

Span WithComma(std::string_view text, const Node& node) {
  size_t from = node.member() ? node.name_at : node.at, to = node.end();
  const size_t next = SkipBlanks(text, to);
  if (next < text.size() && text[next] == ',') return {from, next + 1 - from};
  size_t before = from;
  while (before > 0 && wire::IsJsonBlank(text[before - 1])) --before;
  if (before > 0 && text[before - 1] == ',') from = before - 1;
  return {from, to - from};
}

size_t CountParts(std::string_view container, size_t most) {
  if (container.empty()) return 0;
  wire::JsonParts parts(container);
  wire::JsonPart part;
  size_t count = 0;
  while (count < most && parts.Next(&part)) ++count;
  return count;
}

}  // namespace midwire::fuzz
