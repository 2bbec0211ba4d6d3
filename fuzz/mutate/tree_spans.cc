#include "fuzz/mutate/tree_spans.h"

#include "wire/json/scan.h"

namespace midwire::fuzz {
namespace {

constexpr bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && IsBlank(text[at])) ++at;
  return at;
}

size_t EndOfString(std::string_view text, size_t at) {  // of its opening quote
  const char* const end = text.data() + text.size();
  const char* here = text.data() + at + 1;
  while ((here = wire::FindInString(here, end)) != end) {
    if (*here == '"') return here + 1 - text.data();
    here += *here == '\\' && end - here > 1 ? 2 : 1;
  }
  return text.size();
}

size_t EndOfScalar(std::string_view text, size_t at) {
  constexpr std::string_view kEnds = ",:\"{}[]";
  do {
    ++at;
  } while (at < text.size() && !IsBlank(text[at]) && kEnds.find(text[at]) == kEnds.npos);
  return at;
}

// Keeps one of all that it is offered, each with the same chance.
class Choice {
 public:
  Choice(unsigned types, unsigned places, Random* random)
      : types_(types), places_(places), random_(random) {}

  // True: it is the one, so far.
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
  Choice choice(types, places, random);
  size_t at = 0, depth = 0;
  // The container that is chosen while it is still open, by its depth.
  bool open = false;
  size_t open_depth = 0;
  size_t name_at = 0, name_size = 0;
  const auto offer = [&](size_t size) {
    Node node{at, size, name_at, name_size, wire::TypeOf(text.substr(at)), depth == 0};
    name_size = 0;
    if (!name.empty() && node.name(text) != name) return false;
    if (!choice.Offer(node)) return false;
    open = false;
    return true;
  };
  while (at < text.size()) {
    switch (text[at]) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
      case ',':
      case ':':
        ++at;
        break;
      case '{':
      case '[':
        if (offer(text.size() - at)) {
          open = true;
          open_depth = depth;
        }
        ++depth;
        ++at;
        break;
      case '}':
      case ']':
        if (depth > 0) --depth;
        ++at;
        name_size = 0;
        if (open && depth == open_depth) {
          open = false;
          choice.node()->size = at - choice.node()->at;
        }
        break;
      case '"': {
        const size_t end = EndOfString(text, at);
        const size_t next = SkipBlanks(text, end);
        if (next < text.size() && text[next] == ':' && name_size == 0) {
          name_at = at;
          name_size = end - at;
          at = next + 1;
        } else {
          offer(end - at);
          at = end;
        }
        break;
      }
      default: {
        const size_t end = EndOfScalar(text, at);
        offer(end - at);
        at = end;
      }
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
  while (before > 0 && IsBlank(text[before - 1])) --before;
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
